/** Long enough, or with such an exponent, that a double may not hold it; all that is shorter it does. */
const suspicious = /[\d.]{16}|\d[eE][+-]?\d{3}/;
/** In JSON that is valid: texts, so that nothing inside them is taken for a number, and numbers. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const mark = crypto.randomUUID();

/** Digits without leading and trailing zeros, and where the point stands: the same for the same number. */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return kept ? `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}` : '0';
}

/** Whether the number, read and printed again, is the one that was written. */
export function isExact(text: string): boolean {
  const read = Number(text);
  // What no double reaches is refused as too large wherever a number is asked for.
  return !Number.isFinite(read) || decimalOf(text) === decimalOf(String(read));
}

/** Texts for the numbers that a double would change, which `reviveInexact` knows again. */
export const markInexact = (json: string): string =>
  suspicious.test(json)
    ? json.replace(tokens, (token) => (token.startsWith('"') || isExact(token) ? token : `"${mark}${token}"`))
    : json;

export const reviveInexact = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(mark) ? Symbol(value.slice(mark.length)) : value;

/**
 * As `JSON.parse`, but a number that a double would change, like 12345678901234567890, becomes a symbol, which
 * is no value of any schema: it is refused wherever it would be kept.
 */
export function parseExactJson(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return suspicious.test(json) ? JSON.parse(markInexact(json), reviveInexact) : value;
}

const longest = 40;

/** The rule that a number breaks which a double would change. */
export function inexactRule(number: symbol | string): string {
  const text = typeof number === 'symbol' ? (number.description ?? '') : number;
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return `must be a number that a double holds exactly, and ${shown} is not: send it as a string`;
}
