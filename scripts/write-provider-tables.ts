// Writes the tables of providers in docs/providers.md and of banks in docs/banks.md, and in docs/going-live who was seen to work.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import type { ProviderSettings, SettingField } from '../src/core/providers/rules/setting-field.ts';
import { presetNames, presetOf } from '../src/psp/bacen/account/presets.ts';
import { providerSettings } from '../src/psp/providers.ts';
import { verifiedAt } from '../src/psp/verified.ts';

const formats: Partial<Record<SettingField['kind'], string>> = {
  pem: 'PEM',
  base64: 'Base64',
  number: 'a number',
  boolean: '`true` or `false`',
  pairs: 'an object of strings',
};

const code = (text: string) => `\`${text}\``;
function statusOf(provider: string, preset: string | null = null): string {
  const seen = verifiedAt(provider).find((each) => each.preset === preset);
  return seen ? `verified on ${seen.day} with ${seen.version}, by [report](${seen.report})` : 'emulated only';
}

const listed = (texts: readonly string[]) => texts.map(code).join(', ');

function described({ name, kind, options }: SettingField): string {
  const notes = formats[kind] ?? listed(options);
  return code(name) + (notes && ` (${notes})`);
}

function providerRow({ provider, displayName, fields: settings }: ProviderSettings): string[] {
  const required = settings.filter(({ isRequired }) => isRequired);
  const optional = settings.filter(({ isRequired, isAdvanced }) => !isRequired && !isAdvanced);
  return [
    code(provider),
    displayName,
    required.map(described).join(', '),
    optional.map(described).join(', '),
    provider === 'bacen' ? '[by bank](banks.md)' : statusOf(provider),
  ];
}

const providers = providerSettings().filter(({ fields }) => fields.length > 0);
const fields = providers.find(({ provider }) => provider === 'bacen')?.fields ?? [];
const presets = fields.find(({ name }) => name === 'preset');

/** The value that a bank's preset gives a setting. */
const valueOf = (preset: string, setting: string): string | undefined =>
  fields.find(({ name }) => name === setting)?.presets.find((each) => each.preset === preset)?.defaultValue ??
  undefined;

const pairsOf = (preset: string, setting: string): string[] =>
  Object.entries(JSON.parse(valueOf(preset, setting) ?? '{}') as Record<string, string>).map(
    ([name, value]) => `${name}: ${value}`,
  );

const signIns: Readonly<Record<string, string>> = {
  basic: '`Authorization: Basic`',
  form: 'id and secret in the form',
  none: 'id in the form, no secret',
};

function bankRow(preset: string, index: number): string[] {
  const required = fields.filter((field) =>
    field.presets.some((each) => each.preset === preset && each.isRequired && !each.defaultValue),
  );
  const named = required.map(({ name }) => name).filter((name) => name !== 'clientSecret');
  const idHeader = valueOf(preset, 'requestIdHeader');
  const sent = [
    ...pairsOf(preset, 'headers').map((pair) => `header ${code(pair)}`),
    ...pairsOf(preset, 'query').map((pair) => `query ${code(pair.replace(': ', '='))}`),
    ...(idHeader ? [`header ${code(idHeader)}: a new UUID`] : []),
  ];
  const scope = valueOf(preset, 'scope');
  const patch = valueOf(preset, 'patchBaseUrl');
  const limit = valueOf(preset, 'requestsPerMinute');
  const other = [
    ...(named.length > 0 ? [`needs ${listed(named)}`] : []),
    ...(patch ? [`cancels at ${code(new URL(patch).pathname)}`] : []),
    ...(valueOf(preset, 'compareKey') === 'false' ? ['does not compare `chave`'] : []),
    ...(limit ? [`${limit} requests a minute`] : []),
  ];
  const signIn = [
    signIns[valueOf(preset, 'clientAuth') ?? ''] ?? '',
    ...(valueOf(preset, 'tokenBody') === 'json' ? ['as JSON'] : []),
    ...(scope ? ['with scopes'] : []),
  ].join(', ');
  const addresses = ['baseUrl', 'tokenUrl'].map((name) => code(valueOf(preset, name) ?? '')).join(', ');
  return [
    code(preset),
    presets?.optionLabels[index]?.en ?? preset,
    addresses,
    signIn,
    sent.join(', '),
    other.join(', '),
    presetNames.some((name) => name === preset && presetOf(name).hasDueDates) ? 'yes' : '',
    statusOf('bacen', preset),
  ];
}

const withoutPreset = (field: SettingField): string | null | undefined =>
  field.presets.find(({ preset }) => preset === null)?.defaultValue;

function settingRow(field: SettingField): string[] {
  const value = withoutPreset(field);
  return [described(field), `${field.label.en}. ${field.help?.en ?? ''}`, value ? code(value) : ''];
}

const rowOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
const tableOf = (head: readonly string[], rows: readonly string[][]) =>
  [rowOf(head), rowOf(head.map(() => '-')), ...rows.map(rowOf)].join('');

/** Replaces the table that begins with this column. */
async function write(name: string, head: readonly string[], rows: readonly string[][]): Promise<void> {
  const page = new URL(`../docs/${name}.md`, import.meta.url).pathname;
  const text = readFileSync(page, 'utf8');
  const found = new RegExp(`^\\| ${head[0] ?? ''} .*\\n(\\|.*\\n)+`, 'm');
  if (!found.test(text)) throw new Error(`${page} has no table of ${head[0] ?? ''}`);
  const written = text.replace(found, () => tableOf(head, rows));
  writeFileSync(page, await format(written, { ...(await resolveConfig(page)), parser: 'markdown' }));
}

await write(
  'providers',
  ['provider', 'name', 'required settings', 'optional settings', '[seen to work](going-live/conformance.md)'],
  providers.map(providerRow),
);
await write(
  'banks',
  [
    'preset',
    'bank',
    'production: API and sign-in',
    'signs in with',
    'sends with every request',
    'besides',
    'due dates',
    '[seen to work](going-live/conformance.md)',
  ],
  (presets?.options ?? []).map(bankRow),
);
await write(
  'banks',
  ['setting', 'what it is', 'default without a preset'],
  fields.filter(({ isAdvanced }) => isAdvanced).map(settingRow),
);

/** A row of the table of pages, such as `bacen`, `efi` and its page. */
const row = /^\| `(\w+)`(?:, `([\w-]+)`)? +\| \[.*?\]\(([\w-]+\.md)\) .*\|$/gm;

async function rewrite(page: string, change: (text: string) => string): Promise<void> {
  const path = new URL(`../docs/going-live/${page}`, import.meta.url).pathname;
  const written = change(readFileSync(path, 'utf8'));
  writeFileSync(path, await format(written, { ...(await resolveConfig(path)), parser: 'markdown' }));
}

const linesOfPages = new Map<string, string[]>();
await rewrite('README.md', (text) =>
  text.replaceAll(row, (line, provider: string, preset: string | undefined, page: string) => {
    const status = statusOf(provider, preset);
    const names = preset ? listed([provider, preset]) : code(provider);
    linesOfPages.set(page, [...(linesOfPages.get(page) ?? []), `${names}: ${status}.`]);
    return line.replace(/[^|]*\|$/, () => ` ${status} |`);
  }),
);
for (const [page, lines] of linesOfPages)
  await rewrite(page, (text) =>
    text.replace(
      /^\*\*\[Seen to work\].*(\n.+)*/m,
      () => `**[Seen to work](conformance.md)?** ${lines.join(' ')}`,
    ),
  );
