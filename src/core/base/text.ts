/** PostgreSQL text cannot hold NUL, and UTF-8 cannot hold a lone surrogate. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Length in code points, as JSON Schema counts it. */
export const isAtMost = (text: string, maximumLength: number): boolean =>
  text.length <= maximumLength || [...text].length <= maximumLength;

/** A number as JSON has them, and nothing else beside it: `Number` takes spaces, `0x10` and nothing at all. */
export const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);

/** Length in code points, so no character is split. */
export const cutTo = (text: string, maximumLength: number): string =>
  isAtMost(text, maximumLength) ? text : [...text].slice(0, maximumLength).join('');

/** At most so many UTF-16 units, and so code points, whichever a PSP counts: no character is cut in two. */
export const shortened = (text: string, maximumLength: number): string =>
  text.slice(0, maximumLength).replace(/[\uD800-\uDBFF]$/, '');
