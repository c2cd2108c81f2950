import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { checkReasons } from '../../src/core/providers/rules/check-reasons.ts';
import { presetNames, presetOf } from '../../src/psp/bacen/account/presets.ts';
import { providerSettings } from '../../src/psp/providers.ts';

const namesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** The cells of each row of the page's table that begins with this column. */
const rowsOf = (page: string, column: string): string[][] => {
  const text = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');
  return (new RegExp(`^\\| ${column} .*\\n\\|.*\\n((?:\\|.*\\n)+)`, 'm').exec(text)?.[1] ?? '')
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()));
};

const providers = providerSettings().filter(({ fields }) => fields.length > 0);

test('the docs list every provider with its name and the settings that people need', () => {
  const documented = rowsOf('providers', 'provider').map(
    ([, provider = '', name, required = '', optional = '']) => [
      namesIn(provider)[0],
      { name, required: namesIn(required), optional: namesIn(optional) },
    ],
  );
  const registered = providers.map(({ provider, displayName, fields }) => {
    const names = (isRequired: boolean) =>
      fields
        .filter((field) => field.isRequired === isRequired && !field.isAdvanced)
        .flatMap(({ name, options }) => [name, ...options]);
    return [provider, { name: displayName, required: names(true), optional: names(false) }];
  });
  expect(documented).toEqual(registered);
});

test('the docs list the banks of the API Pix and the settings that override their presets', () => {
  const fields = providers.find(({ provider }) => provider === 'bacen')?.fields ?? [];
  const banks = rowsOf('banks', 'preset').map(([, preset = '']) => namesIn(preset)[0]);
  expect(banks).toEqual(fields.find(({ name }) => name === 'preset')?.options);
  const withDueDates = rowsOf('banks', 'preset').flatMap((cells) =>
    cells.at(-3) === 'yes' ? namesIn(cells[1] ?? '')[0] : [],
  );
  expect(withDueDates).toEqual(presetNames.filter((name) => presetOf(name).hasDueDates));
  const settings = rowsOf('banks', 'setting').map(([, setting = '']) => namesIn(setting)[0]);
  expect(settings).toEqual(fields.filter(({ isAdvanced }) => isAdvanced).map(({ name }) => name));
});

test('every provider and bank has a row and a page about going live', () => {
  const documented = rowsOf('going-live/README', 'provider, preset').map(([, names = '', page = '']) => {
    const [, file = ''] = /\]\((.+)\)/.exec(page) ?? [];
    const text = readFileSync(new URL(`../../docs/going-live/${file}`, import.meta.url), 'utf8');
    const [provider = '', preset = provider] = namesIn(names);
    return [provider, ...namesIn(names).slice(1), text.includes(`\`${preset}\``)].join(' ');
  });
  const registered = providers.flatMap(({ provider, fields }) =>
    provider === 'bacen'
      ? (fields.find(({ name }) => name === 'preset')?.options ?? []).map((preset) => `bacen ${preset} true`)
      : [`${provider} true`],
  );
  expect(documented.toSorted()).toEqual(registered.toSorted());
});

test('the docs explain every reason that a check gives', () => {
  const page = readFileSync(new URL('../../docs/going-live/checking.md', import.meta.url), 'utf8');
  expect(Object.keys(checkReasons).filter((reason) => !page.includes(`\`${reason}\``))).toEqual([]);
  const rows = rowsOf('going-live/checking', 'reason').map(([, reason = '']) => namesIn(reason)[0] ?? '');
  expect(rows.filter((reason) => !(reason in checkReasons))).toEqual([]);
});
