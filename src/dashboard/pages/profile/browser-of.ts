/** The order matters: browsers also name those that they descend from. */
const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
];

const systems: [name: string, pattern: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

/** Reads the browser and the system from a `User-Agent`, as far as they are known. */
export function browserOf(userAgent: string | null): string | undefined {
  if (userAgent === null) return undefined;
  const of = (known: typeof browsers) => known.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const [browser, system] = [of(browsers), of(systems)];
  return browser !== undefined && system !== undefined ? `${browser} · ${system}` : (browser ?? system);
}
