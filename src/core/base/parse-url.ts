/** Undefined if the text is no URL. `URL.canParse` of Node 20, once optimized, rejects URLs with letters such as ç. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
