import { checkDigit } from './document.ts';

/** People paste it in groups of four. */
export const tidiedAccessKey = (text: string): string =>
  text.replace(/[\s\u200e\u202a-\u202c]/g, '').toUpperCase();

/**
 * The access key of an NF-e or NFC-e (Manual de Orientação do Contribuinte): state, month, CNPJ, model, series, number, code and
 * check digit. Only the CNPJ may have letters.
 */
export const isAccessKey = (text: string): boolean =>
  /^[1-5]\d{3}(?:0[1-9]|1[0-2])[\dA-Z]{12}\d\d(?:55|65)\d{22}$/.test(text);

const highestWeight = 9;

export const hasValidCheckDigit = (key: string): boolean =>
  key.at(-1) === checkDigit(key.slice(0, -1), highestWeight);
