/** PostgreSQL text cannot hold NUL, and UTF-8 cannot hold a lone surrogate. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Length in code points, as JSON Schema counts it. */
export const isAtMost = (text: string, maximumLength: number): boolean =>
  text.length <= maximumLength || [...text].length <= maximumLength;

/** Whether the text is a number as JSON writes it. `Number` also takes spaces, `0x10` and an empty text. */
export const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);

/** Counts code points, so that no character is split. */
export const cutTo = (text: string, maximumLength: number): string =>
  isAtMost(text, maximumLength) ? text : [...text].slice(0, maximumLength).join('');

/** Counts UTF-16 units, of which there are at least as many as code points: a PSP may count either. Splits no character. */
export const shortened = (text: string, maximumLength: number): string =>
  text.slice(0, maximumLength).replace(/[\uD800-\uDBFF]$/, '');
