import { expect, test } from '@jest/globals';
import { createStatementNames } from '../../src/persistence/connections/statement-names.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import { createPaymentHints } from '../../src/persistence/payments/payment-hints.ts';
import { emptyDatabase, workerDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

test('statements have the same names in every process, whatever order they come in', () => {
  const texts = ['SELECT 1', 'SELECT 2', 'SELECT 3'];
  const [one, other] = [createStatementNames(), createStatementNames()];
  const names = texts.map((sql) => one({ sql }));
  expect(texts.toReversed().map((sql) => other({ sql }))).toEqual(names.toReversed());
  expect(new Set(names).size).toBe(3);
  // PostgreSQL cuts longer ones off.
  for (const name of names) expect(name.length).toBeLessThan(64);
});

test('a process that does not hear its own notifications says so and looks by itself', async () => {
  const db = openDatabase(await workerDatabase(), { maximumConnections: 1 });
  let isDeaf = false;
  let looks = 0;
  const hints = createPaymentHints({
    db,
    directUrl: await emptyDatabase(),
    onUnreachable: () => undefined,
    onDeaf: () => {
      isDeaf = true;
      looks = 0;
    },
    onHearing: () => undefined,
  });
  hints.subscribe((hint) => {
    if (!hint) looks += 1;
  });
  try {
    hints.listen();
    await eventually(() => {
      expect(isDeaf).toBe(true);
      expect(looks).toBeGreaterThan(1);
    });
  } finally {
    await hints.stop();
    await db.$disconnect();
  }
});
