import { badRequest } from '../errors.ts';
import { problem } from '../problems/rules.ts';
import { cutTo } from '../text.ts';

/**
 * Strings, those that name a member with their colon; numbers; and the braces of objects. A string ends where the text does at
 * the latest, so that no text is read twice.
 */
const tokens = /("[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$))(\s*:)?|-?\d[\d.eE+-]*|[{}]/g;

const mark = crypto.randomUUID();

/** A normal form: equal for equal numbers, however they are written. */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return kept ? `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}` : '0';
}

/**
 * Whether the number survives being parsed and printed. One with a fraction or an exponent is what a double makes of it: many
 * languages print their doubles with all digits, such as 29.949999999999999 for 29.95 (PHP with `serialize_precision` 17,
 * `new BigDecimal(double)` of Java).
 */
export function isExact(text: string): boolean {
  if (text.length < 16 || /[.eE]/.test(text)) return true;
  const read = Number(text);
  // Numbers beyond the range of a double are refused as too large by every schema.
  return !Number.isFinite(read) || decimalOf(text) === decimalOf(String(read));
}

const longestPath = 200;

interface OpenObject {
  names?: Set<string>;
  /** Names the member that is being read. */
  name: string;
}

/**
 * Turns numbers that a double would change into marked strings, for `reviveInexact` to recognise. Fails with `invalid_request`
 * for a member that an object has twice, because one of them would be lost without a word. Throws for JSON with a broken
 * string, and leaves anything else that is invalid to the parser.
 */
export function markInexact(json: string): string {
  const open: OpenObject[] = [];
  return json.replace(tokens, (token: string, text: string | undefined, colon: string | undefined) => {
    if (token === '{') open.push({ name: '' });
    else if (token === '}') open.pop();
    else if (text === undefined) return isExact(token) ? token : `"${mark}${token}"`;
    else if (colon !== undefined) noteMember(open, text);
    return token;
  });
}

function noteMember(open: readonly OpenObject[], text: string): void {
  const object = open.at(-1);
  if (!object) return;
  object.name = text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
  object.names ??= new Set();
  if (object.names.has(object.name)) {
    const path = cutTo(open.map(({ name }) => name).join('.'), longestPath);
    throw badRequest(`${path} must be given once`, problem(path, 'repeated'));
  }
  object.names.add(object.name);
}

export const reviveInexact = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(mark) ? Symbol(value.slice(mark.length)) : value;

/**
 * Like `JSON.parse`, but a whole number that a double would change, such as 12345678901234567890, becomes a symbol, and doubled
 * members fail. No schema accepts a symbol, so the number is refused wherever it would be stored.
 */
export function parseExactJson(json: string): unknown {
  const value: unknown = JSON.parse(json);
  const marked = markInexact(json);
  return marked === json ? value : JSON.parse(marked, reviveInexact);
}

const longest = 40;

/** The validation message for a number that a double would change. */
export function inexactNumberMessage(number: symbol | string): string {
  const text = typeof number === 'symbol' ? (number.description ?? '') : number;
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return `must be a number that a double can hold exactly, which ${shown} is not: round it, or in metadata send it as a string`;
}
