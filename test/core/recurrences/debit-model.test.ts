import { expect, test } from '@jest/globals';
import { isLong, times } from '../../support/chance.ts';
import { findings } from '../../support/debit-model/findings.ts';

// MODEL_SEED and MODEL_RUNS try others; MODEL_ONLY with the seed and the index that a failure prints plays that recurrence alone.
const seed = Number(process.env['MODEL_SEED'] ?? 1);
const count = Number(process.env['MODEL_RUNS'] ?? times(4, 1_000));
const only = process.env['MODEL_ONLY'] === undefined ? undefined : Number(process.env['MODEL_ONLY']);

test(
  'over years of faults, each cycle of a recurrence is debited once, or fails for the right reason',
  async () => {
    const startedAt = Date.now();
    const found = await findings({
      seed,
      count,
      only,
      tell(progress, wrong) {
        const lines = wrong.map(
          ({ index, differences }) =>
            `  MODEL_SEED=${seed} MODEL_ONLY=${index ?? ''}: ${differences.join('; ')}`,
        );
        if (isLong) lines.unshift(progress);
        // Past the console of jest, which shows nothing until the end.
        if (lines.length > 0) process.stderr.write(`${lines.join('\n')}\n`);
      },
    });
    const perMinute = Math.round(count / ((Date.now() - startedAt) / 60_000));
    if (isLong)
      process.stderr.write(`${count} recurrences, ${found.length} debited wrongly, ${perMinute} a minute\n`);
    expect({ seed, found: found.slice(0, 3) }).toEqual({ seed, found: [] });
  },
  6 * 3_600_000,
);
