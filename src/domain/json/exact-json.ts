/** Numbers long enough, or with a large enough exponent, that a double may not hold them exactly. */
const suspicious = /[\d.]{16}|\d[eE][+-]?\d{3}/;
/** Strings and numbers of valid JSON. Strings are matched so that digits inside them are skipped. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const mark = crypto.randomUUID();

/** A normal form: equal for equal numbers, however they are written. */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return kept ? `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}` : '0';
}

/** Whether the number survives being parsed and printed. */
export function isExact(text: string): boolean {
  const read = Number(text);
  // Numbers beyond the range of a double are refused as too large by every schema.
  return !Number.isFinite(read) || decimalOf(text) === decimalOf(String(read));
}

/** Turns numbers that a double would change into marked strings, for `reviveInexact` to recognise. */
export const markInexact = (json: string): string =>
  suspicious.test(json)
    ? json.replace(tokens, (token) => (token.startsWith('"') || isExact(token) ? token : `"${mark}${token}"`))
    : json;

export const reviveInexact = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(mark) ? Symbol(value.slice(mark.length)) : value;

/**
 * Like `JSON.parse`, but a number that a double would change, such as 12345678901234567890, becomes a symbol.
 * No schema accepts a symbol, so the number is refused wherever it would be stored.
 */
export function parseExactJson(json: string): unknown {
  const value: unknown = JSON.parse(json);
  const marked = markInexact(json);
  // Every fourth UUID has what looks like a large exponent.
  return marked === json ? value : JSON.parse(marked, reviveInexact);
}

const longest = 40;

/** The validation message for a number that a double would change. */
export function inexactNumberMessage(number: symbol | string): string {
  const text = typeof number === 'symbol' ? (number.description ?? '') : number;
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return `must be a number that a double can hold exactly, which ${shown} is not: round it, or in metadata send it as a string`;
}
