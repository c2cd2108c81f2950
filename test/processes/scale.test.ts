import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { longTest } from '../support/chance.ts';
import { dayDebitedToday } from '../support/recurrences.ts';

/** What one index of a larger table adds, and an index with a page more on the way to each of twenty rows. */
const levels = 25;

/** On a few days before holidays, none is sent. */
const debitDay = dayDebitedToday();
const debits = [
  ['claim when no recurrence is due', 60],
  ['making a debit', 300],
  ['statements for it', 25],
  ['requests to its bank', 3],
] as const;

longTest(
  'what requests read hardly grows with the table',
  async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', './test/support/typescript.js', 'bench/scale.ts'],
      {
        env: {
          ...process.env,
          BENCH_SIZES: '3000,30000',
          BENCH_DUE: '1000,10000',
          BENCH_RECURRENCES: debitDay ? '1000,10000' : '',
        },
      },
    );
    const rows = stdout
      .split('\n')
      .map(
        (line) =>
          /^\| (?<name>[^_|]+) \| (?<small>\d+) \| \d+ \| (?<large>\d+) \| \d+ \|$/.exec(line)?.groups,
      )
      .filter((row) => row !== undefined);
    expect(rows.length).toBeGreaterThan(debitDay ? 30 : 23);
    const grown = rows.filter(
      ({ name, small, large }) =>
        !/statistics|money|amount|common|all references|CPF|by creation|totals of (a due|what)|four weeks/.test(
          name ?? '',
        ) && Number(large) > Number(small) * 1.1 + levels,
    );
    expect(grown).toEqual([]);
    // They read a page for each day.
    const daily = rows.filter(
      ({ name, large }) => /statistics|money/.test(name ?? '') && Number(large) > 200,
    );
    expect(daily).toEqual([]);
    // They look at a number of rows that is bounded, wherever those lie.
    const bounded = rows.filter(
      ({ name, large }) => /amount|common|all references|CPF/.test(name ?? '') && Number(large) > 1_000,
    );
    expect(bounded).toEqual([]);
    for (const [name, limit] of [
      ['bytes of log for a check', 700],
      ['claim when none is due', 60],
      ['claim when no charge is due', 60],
      ['check of a charge', 60],
      ...(debitDay ? debits : []),
    ] as const) {
      const [, ...counts] = new RegExp(`^\\| _${name}_ \\| (\\d+) \\| +\\| (\\d+) `, 'm').exec(stdout) ?? [];
      expect([name, counts.length]).toEqual([name, 2]);
      expect(Math.max(...counts.map(Number))).toBeLessThanOrEqual(limit);
    }
    // Ten minutes where nobody else works.
  },
  1_800_000,
);
