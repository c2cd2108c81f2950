/** Spreadsheets take a file that begins with it for UTF-8, and guess otherwise. */
export const byteOrderMark = '\uFEFF';

/** What a spreadsheet would calculate, with the full-width forms that it takes for the same (OWASP, CSV Injection). */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

function cell(text: string, separator: string): string {
  const inert = formula.test(text) ? `'${text}` : text;
  const isPlain = !inert.includes(separator) && !/["\r\n]/.test(inert);
  return isPlain ? inert : `"${inert.replaceAll('"', '""')}"`;
}

/** A line of RFC 4180 in which nothing is a formula. */
export const csvLine = (texts: readonly string[], separator: string): string =>
  `${texts.map((text) => cell(text, separator)).join(separator)}\r\n`;
