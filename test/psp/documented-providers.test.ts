import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { providerSettings } from '../../src/psp/providers.ts';

const page = readFileSync(new URL('../../docs/providers.md', import.meta.url), 'utf8');

const namesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** The cells of each row of the table of providers. */
const rows = (/^\| provider .*\n\|.*\n((?:\|.*\n)+)/m.exec(page)?.[1] ?? '')
  .trim()
  .split('\n')
  .map((row) => row.split('|').map((cell) => cell.trim()));

test('the docs list every provider with its name and all of its settings', () => {
  const documented = rows.map(([, provider = '', name, required = '', optional = '']) => [
    namesIn(provider)[0],
    { name, required: namesIn(required), optional: namesIn(optional) },
  ]);
  const registered = providerSettings()
    .filter(({ fields }) => fields.length > 0)
    .map(({ provider, displayName, fields }) => {
      const names = (isRequired: boolean) =>
        fields
          .filter((field) => field.isRequired === isRequired)
          .flatMap(({ name, options }) => [name, ...options]);
      return [provider, { name: displayName, required: names(true), optional: names(false) }];
    });
  expect(documented).toEqual(registered);
});
