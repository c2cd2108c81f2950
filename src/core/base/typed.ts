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

/** `(11) 98765-4321`; the text itself if it is no phone number of Brazil. */
export function phoneText(text: string): string {
  const [, area, first, last] = /^(\d\d)(\d{4,5})(\d{4})$/.exec(nationalDigits(text)) ?? [];
  const isElsewhere = text.startsWith('+') && !text.startsWith('+55');
  return last === undefined || isElsewhere || text.includes('*') ? text : `(${area}) ${first}-${last}`;
}

/** Leaves out the country code of Brazil, and the zero that is dialled before an area code: `(021) 9…`. */
export const nationalDigits = (phone: string): string =>
  phone
    .replace(/\D/g, '')
    .replace(/^55(?=0?\d{10,11}$)/, '')
    .replace(/^0(?=\d{10,11}$)/, '');
