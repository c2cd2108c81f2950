// @ts-check
// The same thing in several languages of programs, next to each other, is shown as tabs.

/**
 * @typedef {import('marked').Token} Token
 * @typedef {{ id: string, label: string, tokens: Token[] }} Tab
 */

/** @type {Record<string, Omit<Tab, 'tokens'>>} */
const languages = {
  sh: { id: 'curl', label: 'curl' },
  js: { id: 'typescript', label: 'TypeScript' },
  ts: { id: 'typescript', label: 'TypeScript' },
  python: { id: 'python', label: 'Python' },
  php: { id: 'php', label: 'PHP' },
};

/** A block, or a section whose heading begins with the name of a language. @type {(tokens: Token[], at: number) => Tab | undefined} */
function tabAt(tokens, at) {
  const token = tokens[at];
  if (token?.type === 'code') {
    const language = languages[token.lang ?? ''];
    return language && { ...language, tokens: [token] };
  }
  if (token?.type !== 'heading') return undefined;
  const [first = ''] = token.text.split(' ');
  const language = Object.values(languages).find(({ label }) => label === first);
  const length = tokens
    .slice(at + 1)
    .findIndex((each) => each.type === 'heading' && each.depth <= token.depth);
  const section = tokens.slice(at, length === -1 ? undefined : at + 1 + length);
  return language && { id: language.id, label: token.text, tokens: section };
}

/** The tabs that begin at a token, and the token after them; one is none. @type {(tokens: Token[], start: number) => { tabs: Tab[], end: number }} */
function tabsFrom(tokens, start) {
  /** @type {Tab[]} */
  const tabs = [];
  let end = start;
  for (;;) {
    const at = tokens[end]?.type === 'space' ? end + 1 : end;
    const tab = tokens[at]?.type === tokens[start]?.type ? tabAt(tokens, at) : undefined;
    if (!tab || tabs.some(({ id }) => id === tab.id)) return { tabs: tabs.length > 1 ? tabs : [], end };
    tabs.push(tab);
    end = at + tab.tokens.length;
  }
}

/** @type {(tokens: Token[]) => ({ tokens: Token[] } | { tabs: Tab[] })[]} */
export function groupTabs(tokens) {
  /** @type {({ tokens: Token[] } | { tabs: Tab[] })[]} */
  const parts = [];
  let at = 0;
  while (at < tokens.length) {
    const { tabs, end } = tabsFrom(tokens, at);
    const last = parts.at(-1);
    if (tabs.length > 0) parts.push({ tabs });
    else if (last && 'tokens' in last) last.tokens.push(...tokens.slice(at, at + 1));
    else parts.push({ tokens: tokens.slice(at, at + 1) });
    at = tabs.length > 0 ? end : at + 1;
  }
  return parts;
}
