/** As the Banco Central makes them: `E`, who paid through, the minute and eleven characters more, 32 in all. */
export const isEndToEndId = (text: string): boolean => /^E[0-9A-Za-z]{31}$/.test(text);
