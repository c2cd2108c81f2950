import { parse } from 'papaparse';
import { maximumPayments } from '../../../../core/batches/rules/instalments.ts';
import { type Column, columnOf, requiredColumns } from './columns.ts';

export type Cells = Partial<Record<Column, string>>;

export interface Row {
  /** Counted as a spreadsheet does: the headers are row 1. */
  number: number;
  cells: Cells;
}

/** Why nothing can be made of a file. */
export type FileProblem =
  | { kind: 'empty' | 'unreadable' | 'too_long' }
  | { kind: 'missing' | 'repeated'; columns: readonly Column[] }
  | { kind: 'shifted'; row: number };

export interface Table {
  rows: readonly Row[];
  /** Headers that name no column. */
  ignored: readonly string[];
  problem?: FileProblem;
}

const failed = (problem: FileProblem): Table => ({ rows: [], ignored: [], problem });

/** Spreadsheets in Brazil save UTF-8, with or without a mark, or the code page of Windows. */
function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const isEmpty = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

const repeatedIn = (found: readonly (Column | undefined)[]): Column[] =>
  found.filter((column, index) => column !== undefined && found.indexOf(column) !== index) as Column[];

/** Reads what spreadsheets save as CSV, separated by semicolons, commas or tabs. */
export async function readTable(file: File): Promise<Table> {
  const { data, errors } = parse<string[]>(textOf(await file.arrayBuffer()), {
    delimitersToGuess: [';', ',', '\t'],
  });
  if (errors.some(({ type }) => type === 'Quotes')) return failed({ kind: 'unreadable' });
  const [headers = [], ...lines] = data;
  const found = headers.map(columnOf);
  const filled = lines
    .map((cells, index) => ({ cells, number: index + 2 }))
    .filter(({ cells }) => !isEmpty(cells));
  const rows = filled.map(({ cells, number }) => ({
    number,
    cells: Object.fromEntries(
      found.flatMap((column, index) => (column ? [[column, (cells[index] ?? '').trim()]] : [])),
    ),
  }));
  if (isEmpty(headers)) return failed({ kind: 'empty' });
  const missing = requiredColumns.filter((column) => !found.includes(column));
  if (missing.length > 0) return failed({ kind: 'missing', columns: missing });
  const repeated = repeatedIn(found);
  if (repeated.length > 0) return failed({ kind: 'repeated', columns: repeated });
  if (rows.length === 0) return failed({ kind: 'empty' });
  if (rows.length > maximumPayments) return failed({ kind: 'too_long' });
  // An amount with a comma, in a file that is separated by commas, would lose its centavos to the next column.
  const shifted = filled.find(({ cells }) => cells.length > headers.length);
  if (shifted) return failed({ kind: 'shifted', row: shifted.number });
  const ignored = headers.filter((header, index) => header.trim() && !found[index]);
  return { rows, ignored };
}
