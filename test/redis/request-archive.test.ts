import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createRequestArchive } from '../../src/redis/request-archive.ts';
import { eventually } from '../support/eventually.ts';

test('a node without Redis forgets those that have asked for nothing for longest', async () => {
  const isItem = (value: unknown): value is { at: string } => typeof value === 'object';
  const archive = createRequestArchive({ redis: undefined, isItem });
  const kindOf = (organizationId: string) => ({ organizationId, mode: 'test' as const, isRefused: true });
  const add = async (organizationId: string) => {
    archive.add(kindOf(organizationId), { at: new Date().toISOString() });
    await eventually(async () => expect(await archive.read(kindOf(organizationId))).not.toEqual([]));
  };
  const [first, ...others] = Array.from({ length: 41 }, () => randomUUID());
  await add(first ?? '');
  await Promise.all(others.map(add));
  expect(await archive.read(kindOf(first ?? ''))).toEqual([]);
  expect(await archive.read(kindOf(others.at(-1) ?? ''))).toHaveLength(1);
});
