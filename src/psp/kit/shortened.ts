/** At most so many UTF-16 units, and so code points, whichever a PSP counts: no character is cut in two. */
export const shortened = (text: string, maximumLength: number): string =>
  text.slice(0, maximumLength).replace(/[\uD800-\uDBFF]$/, '');
