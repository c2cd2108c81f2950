/** No document, which is a CPF or CNPJ, begins like this. */
export const pseudonymPrefix = 'forgotten-';

/** Expects a payer's document. */
export const isPseudonym = (document: string): boolean => document.startsWith(pseudonymPrefix);
