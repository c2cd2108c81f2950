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
    .map(
      (line) => /^\| (?<name>[^_|]+) \| (?<small>\d+) \| \d+ \| (?<large>\d+) \| \d+ \|$/.exec(line)?.groups,
    )
    .filter((row) => row !== undefined);
  expect(rows.length).toBeGreaterThan(15);
  const grown = rows.filter(
    ({ name, small, large }) =>
      !/statistics|money|amount|common|all references|CPF/.test(name ?? '') &&
      Number(large) > Number(small) * 1.1 + levels,
  );
  expect(grown).toEqual([]);
  // They read a page for each day.
  const daily = rows.filter(({ name, large }) => /statistics|money/.test(name ?? '') && Number(large) > 200);
  expect(daily).toEqual([]);
  // They look at a number of rows that is bounded, wherever those lie.
  const bounded = rows.filter(
    ({ name, large }) => /amount|common|all references|CPF/.test(name ?? '') && Number(large) > 1_000,
  );
  expect(bounded).toEqual([]);
  const written = [...stdout.matchAll(/^\| _bytes of log for a check_ \| (\d+) \| +\| (\d+) /gm)]
    .flat()
    .slice(1);
  expect(written).toHaveLength(2);
  for (const bytes of written) expect(Number(bytes)).toBeLessThanOrEqual(700);
}, 600_000);
