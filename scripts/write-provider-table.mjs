// Writes the table of providers in docs/providers.md. Needs the build.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { providerSettings } from '../dist/psp/providers.js';

const page = new URL('../docs/providers.md', import.meta.url).pathname;
const formats = { pem: 'PEM', base64: 'Base64' };

function described({ name, kind, options }) {
  const notes = formats[kind] ?? options.map((option) => `\`${option}\``).join(', ');
  return `\`${name}\`${notes && ` (${notes})`}`;
}

const listed = (fields) => fields.map(described).join(', ');

const rows = providerSettings()
  .filter(({ fields }) => fields.length > 0)
  .map(({ provider, displayName, fields }) => {
    const required = fields.filter(({ isRequired }) => isRequired);
    const optional = fields.filter(({ isRequired }) => !isRequired);
    return `| \`${provider}\` | ${displayName} | ${listed(required)} | ${listed(optional)} |\n`;
  });

const table = ['| provider | name | required settings | optional settings |\n', '|-|-|-|-|\n', ...rows];

const text = readFileSync(page, 'utf8');
const found = /^\| provider .*\n(\|.*\n)+/m;
if (!found.test(text)) throw new Error(`${page} has no table of providers`);
const written = text.replace(found, () => table.join(''));
writeFileSync(page, await format(written, { ...(await resolveConfig(page)), parser: 'markdown' }));
