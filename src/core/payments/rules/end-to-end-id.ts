/**
 * Format set by the Banco Central: `E`, the payer's institution, the minute and eleven more characters, 32 in
 * all.
 */
export const isEndToEndId = (text: string): boolean => /^E[0-9A-Za-z]{31}$/.test(text);
