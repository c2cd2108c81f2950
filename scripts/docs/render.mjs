// @ts-check
import { Marked } from 'marked';
import { createSlugs, resolveLink } from './pages.mjs';
import { groupTabs } from './tabs.mjs';
import { wordsOf } from './words.mjs';

/** @type {Record<string, string>} */
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** @type {(text: string) => string} */
export const escape = (text) => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');

/** @type {(html: string) => string} */
const textOf = (html) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** Marks the address and the key in a block, in whose place readers may see theirs. @type {(code: string) => string} */
function withOwn(code) {
  const hasKey = code.includes('pk_test_…');
  const address = hasKey
    ? /http:\/\/localhost:3000|https:\/\/(?:pix|pay)\.example\.com/g
    : /http:\/\/localhost:3000/g;
  return code
    .replaceAll(address, '<span data-own="address">$&</span>')
    .replaceAll(/pk_test_…|\$\(cat \.data\/demo-key\)/g, '<span data-own="key">$&</span>');
}

/**
 * @typedef {{ depth: number, title: string, anchor: string }} Heading
 * @typedef {{ title: string, anchor: string, text: string }} Section What the search finds.
 * @typedef {{ title: string, html: string, headings: Heading[], sections: Section[] }} Rendered
 */

/** Responses link to the row of their error code. @type {(source: string, cell: string | undefined) => string} */
function rowId(source, cell = '') {
  const code = source.endsWith('/errors.md') ? /^`(\w+)`$/.exec(cell)?.[1] : undefined;
  return code === undefined ? '' : ` id="${code}"`;
}

/**
 * `hrefOf` is where a file of the repository is served, undefined where it is not.
 * @type {(page: import('./pages.mjs').Page, hrefOf: (file: string) => string | undefined) => Rendered}
 */
export function render({ source, markdown, language }, hrefOf) {
  const words = wordsOf[language];
  const slug = createSlugs();
  /** @type {Heading[]} */
  const headings = [];
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const title = textOf(html);
        const anchor = slug(title);
        headings.push({ depth, title, anchor });
        return `<h${depth} id="${anchor}">${html}<a class="anchor" href="#${anchor}" aria-label="${words.linkTo} ${escape(title)}">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        if (/^https?:/.test(href)) return `<a href="${escape(href)}" rel="noreferrer">${text}</a>`;
        const { target, anchor } = resolveLink(source, href);
        const at = target === source && anchor ? anchor : hrefOf(target);
        if (at === undefined) return text;
        return `<a href="${escape(at === anchor ? at : at + anchor)}">${text}</a>`;
      },
      image({ href, text }) {
        const at = hrefOf(resolveLink(source, href).target);
        return at === undefined
          ? escape(text)
          : `<img src="${escape(at)}" alt="${escape(text)}" loading="lazy">`;
      },
      table(token) {
        /** @type {(cell: import('marked').Tokens.TableCell, tag: string) => string} */
        const cell = ({ tokens }, tag) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
        // A heading that says nothing is none.
        const head = token.header.map((each) => cell(each, each.text === '' ? 'td' : 'th')).join('');
        const rows = token.rows.map(
          (row) => `<tr${rowId(source, row[0]?.text)}>${row.map((each) => cell(each, 'td')).join('')}</tr>`,
        );
        return `<div class="table" tabindex="0" role="group" aria-label="${words.table}"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
      },
      code({ text, lang }) {
        return `<div class="code"><pre tabindex="0"><code${lang ? ` class="language-${escape(lang)}"` : ''}>${withOwn(escape(text))}</code></pre></div>\n`;
      },
      // Comments for the tests.
      html: ({ text }) => (text.startsWith('<!--') ? '' : escape(text)),
    },
  });
  const html = groupTabs(marked.lexer(markdown))
    .map((part) => {
      if (!('tabs' in part)) return marked.parser(part.tokens);
      const panels = part.tabs.map(
        ({ id, label, tokens }) =>
          `<section data-tab="${id}" data-label="${escape(label)}">\n${marked.parser(tokens)}</section>\n`,
      );
      return `<div class="tabs">\n${panels.join('')}</div>\n`;
    })
    .join('');
  const title = headings[0]?.title ?? source;
  return { title, html, headings, sections: sectionsOf(html, headings) };
}

/** @type {(html: string, headings: Heading[]) => Section[]} */
function sectionsOf(html, headings) {
  const parts = html.split(/<h[1-6] id="[^"]*">[^]*?<\/h[1-6]>/).slice(1);
  return headings.map(({ title, anchor }, index) => ({
    title,
    anchor,
    text: textOf(parts[index] ?? '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  }));
}
