import { expect, test } from '@jest/globals';
import { createKnownWeights } from '../../src/graphql/limits/known-weights.ts';

const value = { cost: 1, kind: 'query', name: undefined, fields: ['c'] } as const;
const createCache = () => createKnownWeights({ maximumBytes: 100_000 });

test('the end of a name is not taken for the beginning of a document', () => {
  const cache = createCache();
  cache.set({ operationName: 'A', query: 'B{c}' }, value);
  expect(cache.get({ operationName: 'A', query: 'B{c}' })).toBe(value);
  expect(cache.get({ operationName: 'AB', query: '{c}' })).toBeUndefined();
  expect(cache.get({ query: 'AB{c}' })).toBeUndefined();
});

test.each([
  ['document', { query: 'x'.repeat(20_000) }],
  ['name', { operationName: 'x'.repeat(20_000), query: '{c}' }],
])('a long %s is not kept, and takes the place of no other', (_what, text) => {
  const cache = createCache();
  cache.set({ query: '{c}' }, value);
  for (let time = 0; time < 10; time++) cache.set({ ...text, query: `${text.query}${time}` }, value);
  expect(cache.get({ ...text, query: `${text.query}0` })).toBeUndefined();
  expect(cache.get({ query: '{c}' })).toBe(value);
});
