/**
 * What people type and paste: without marks that nobody sees, such as those that messengers put around telephone numbers
 * (U+202A … U+202C), and with the spaces, hyphens and widths of a keyboard for those of a web page, a spreadsheet or a
 * document.
 */
export const tidied = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, '')
    .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/\s/g, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .trim();

/** Leaves out the country code of Brazil, and the zero that is dialled before an area code: `(021) 9…`. */
export const nationalDigits = (phone: string): string =>
  phone
    .replace(/\D/g, '')
    .replace(/^55(?=0?\d{10,11}$)/, '')
    .replace(/^0(?=\d{10,11}$)/, '');
