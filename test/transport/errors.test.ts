import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { statusOfCode } from '../../src/transport/error-body.ts';

const root = join(import.meta.dirname, '../..');

test('docs/errors.md has each code with its status, cause and remedy, in the order of the list', () => {
  const text = readFileSync(join(root, 'docs/errors.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` +\| (\d{3}) +\| \S.*\S +\| \S.*\S +\|$/gm)];
  expect(rows.map(([, code, status]) => [code, Number(status)])).toEqual(Object.entries(statusOfCode));
});

test('every code is one that the service has a use for', () => {
  const source = join(root, 'src');
  const lists = ['core/base/errors.ts', 'transport/error-body.ts'].map((file) => join(source, file));
  const text = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((file) => join(source, file))
    .filter((file) => file.endsWith('.ts') && !file.includes('/dashboard/') && !lists.includes(file))
    .concat(join(source, 'core/base/errors.ts'))
    .map((file) => readFileSync(file, 'utf8').replace(/^ +\| .*$/gm, ''))
    .join('\n');
  const isThrown = (code: string) => text.includes(`'${code}'`) || code === 'internal_error';
  expect(Object.keys(statusOfCode).filter((code) => !isThrown(code))).toEqual([]);
});
