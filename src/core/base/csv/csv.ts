/** Makes spreadsheets read the file as UTF-8. */
export const byteOrderMark = '\uFEFF';

/** An amount, instant or count, which spreadsheets should read as one. */
export interface Figure {
  figure: string;
}

/** A text stays what it is when a spreadsheet opens the file. */
export type Cell = string | Figure;

/**
 * Where a spreadsheet would begin to evaluate: in front of a formula (OWASP, CSV injection; full-width forms included), at the
 * beginning of a cell or behind any separator in it, as nobody knows with which one the file will be opened. A run of what may
 * stand in front is read once, however long it is.
 */
const formula = /(?<![,;|\s\0"'\uFEFF])[,;|\s\0"'\uFEFF]*(?=[=+\-@＝＋－＠])/g;
const separatorWithin = /[,;|\t\r\n]/;

const months = 'jan|fev|feb|mar|abr|apr|mai|may|jun|jul|ago|aug|set|sep|out|oct|nov|dez|dec';

/** What Excel and LibreOffice turn into a number, date or truth value: `00123`, `10/11`, `1234567E000184`, `mar-10`. */
const convertible = new RegExp(
  `^(?=.*\\d)(?:\\P{L}|(?<!\\p{L})(?:[eprtz]|am|brl|de|pm|us|(?:${months})\\p{L}*)(?!\\p{L}))+$|^\\s*(?:true|false|verdadeiro|falso)\\s*$`,
  'isu',
);

/** Hidden in spreadsheets, and what follows stays text: tried with LibreOffice 7.4, where a no-break space does not help. */
const keepsText = '\t';

const mustBeQuoted = /[,;|\t"\r\n]/;

const defused = (text: string): string =>
  text.replace(formula, (run, start: number) => (start === 0 || separatorWithin.test(run) ? `${run}'` : run));

function written(cell: Cell, isForSpreadsheets: boolean): string {
  if (typeof cell !== 'string') return cell.figure;
  const inert = defused(cell);
  const isConverted = isForSpreadsheets && inert === cell && convertible.test(cell);
  const text = isConverted ? keepsText + cell : inert;
  return mustBeQuoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line per RFC 4180. Texts of people and providers can do nothing to a spreadsheet, nor can it change them. */
export const csvLine = (
  cells: readonly Cell[],
  { separator, isForSpreadsheets }: { separator: string; isForSpreadsheets: boolean },
): string => `${cells.map((cell) => written(cell, isForSpreadsheets)).join(separator)}\r\n`;
