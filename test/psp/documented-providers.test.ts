import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { providerSettings } from '../../src/psp/providers.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

const pages = [
  'README.md',
  ...readdirSync(`${project}/docs`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
];

/** The rows of the table whose header begins with `provider` and `settings`, wherever it is. */
function documentedRows(): string[] {
  for (const page of pages) {
    const [table] =
      readFileSync(`${project}/${page}`, 'utf8').match(/^\| provider +\| settings .*\n(\|.*\n)+/m) ?? [];
    if (table !== undefined) return table.trim().split('\n').slice(2);
  }
  return [];
}

const namesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

test('the table of providers in the docs lists every provider with all of its settings', () => {
  const documented = documentedRows().map((row) => {
    const [provider = '', ...names] = namesIn(row);
    return [provider, names.toSorted()];
  });
  const registered = providerSettings()
    .filter(({ provider }) => provider !== 'sandbox')
    .map(({ provider, fields }) => [
      provider,
      fields.flatMap(({ name, options }) => [name, ...options]).toSorted(),
    ]);
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(registered));
});
