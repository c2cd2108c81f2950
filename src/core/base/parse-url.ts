/** Undefined for what is no URL. `URL.canParse` of Node 20, once optimized, takes URLs with letters such as ç for none. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
