import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

/** Of one index of a larger table, and of an index that has a page more on the way to each of twenty rows. */
const levels = 25;

test('what requests read hardly grows with the table', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', './test/support/typescript.js', 'bench/scale.ts'],
    { env: { ...process.env, BENCH_SIZES: '3000,30000' } },
  );
  const rows = stdout
    .split('\n')
    .map((line) => /^\| (?<name>[^_|].*) \| (?<small>\d+) \| (?<large>\d+) \|$/.exec(line)?.groups)
    .filter((row) => row !== undefined);
  expect(rows.length).toBeGreaterThan(15);
  // Hours in which nothing is paid have no row: there are more hours to read of more payments, up to all of them.
  const keyed = rows.filter(({ name }) => !/statistics|money|amount/.test(name ?? ''));
  const grown = keyed.filter(({ small, large }) => Number(large) > Number(small) * 1.1 + levels);
  expect(grown).toEqual([]);
}, 600_000);
