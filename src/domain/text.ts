/** PostgreSQL text cannot hold NUL, and UTF-8 cannot hold a lone surrogate. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** In code points, as JSON Schema counts. */
export const isAtMost = (text: string, maximumLength: number): boolean =>
  text.length <= maximumLength || [...text].length <= maximumLength;

/** At most so many code points: no character is cut in two. */
export const cutTo = (text: string, maximumLength: number): string =>
  isAtMost(text, maximumLength) ? text : [...text].slice(0, maximumLength).join('');
