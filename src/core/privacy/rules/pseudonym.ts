/** No document, which is a CPF or CNPJ, begins like this. */
export const pseudonymPrefix = 'forgotten-';

/** Of a payer's document. */
export const isPseudonym = (document: string): boolean => document.startsWith(pseudonymPrefix);
