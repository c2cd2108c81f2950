/** Makes spreadsheets read the file as UTF-8. */
export const byteOrderMark = '\uFEFF';

/** Prefixes that spreadsheets evaluate, including full-width forms (OWASP, CSV Injection). A negative number is none. */
const formula = /^(?!-\d+[.,]\d{2}$)[=+\-@\t\r\n＝＋－＠]/;

function cell(text: string, separator: string): string {
  const inert = formula.test(text) ? `'${text}` : text;
  const isPlain = !inert.includes(separator) && !/["\r\n]/.test(inert);
  return isPlain ? inert : `"${inert.replaceAll('"', '""')}"`;
}

/** A line per RFC 4180, with formulas neutralised. */
export const csvLine = (texts: readonly string[], separator: string): string =>
  `${texts.map((text) => cell(text, separator)).join(separator)}\r\n`;
