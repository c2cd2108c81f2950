import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import type * as Zod from 'zod';
import { descriptionsOf } from '../../src/graphql/base/descriptions.ts';
import { importNatively } from '../support/import-natively.ts';

const { z } = await importNatively<typeof Zod>('zod');

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** The descriptions that are literals in the files of a folder. */
const writtenIn = (folder: string): string[] =>
  readdirSync(`${source}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const text = readFileSync(`${source}/${folder}/${path}`, 'utf8');
      return [...text.matchAll(/\bdescription:\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)];
    })
    .map(([, , description = '']) => description);

const inGraphql = writtenIn('graphql');

test('GraphQL writes no description that a schema of the core has', () => {
  const ofCore = new Set(writtenIn('core').map((text) => text.toLowerCase()));
  expect(ofCore.size).toBeGreaterThan(30);
  expect(inGraphql.filter((text) => ofCore.has(text.toLowerCase()))).toEqual([]);
});

test('no description of GraphQL is written twice', () => {
  expect(inGraphql.length).toBeGreaterThan(200);
  expect(inGraphql.filter((text, index) => inGraphql.indexOf(text) !== index)).toEqual([]);
});

test('a description is found behind what makes a field optional', () => {
  const schema = z.object({
    plain: z.string().meta({ description: 'Plain.' }),
    optional: z.iso.datetime().meta({ description: 'Optional.' }).optional(),
  });
  expect(descriptionsOf(schema)).toEqual({ plain: 'Plain.', optional: 'Optional.' });
});

test('a field without a description is refused', () => {
  expect(() => descriptionsOf(z.object({ silent: z.string() }))).toThrow('silent has no description');
});
