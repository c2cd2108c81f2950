import { expect, test } from '@jest/globals';
import { notFound } from '../../src/core/base/errors.ts';
import { createStatementNames } from '../../src/database/connections/statement-names.ts';
import { openDatabase } from '../../src/database/database.ts';
import { createPaymentHints } from '../../src/core/events/payment-hints.ts';
import { fromReplica } from '../../src/database/read-source.ts';
import { emptyDatabase, freshDatabase, workerDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';

test('statements have the same names in every process, whatever order they come in', () => {
  const texts = ['SELECT 1', 'SELECT 2', 'SELECT 3'];
  const [one, other] = [createStatementNames(), createStatementNames()];
  const names = texts.map((sql) => one({ sql }));
  expect(texts.toReversed().map((sql) => other({ sql }))).toEqual(names.toReversed());
  expect(new Set(names).size).toBe(3);
  // PostgreSQL cuts longer ones off.
  for (const name of names) expect(name.length).toBeLessThan(64);
});

test('what the replica does not have, or it does not tell, is read from the primary, and said once', async () => {
  const primary = openDatabase(await freshDatabase(), { maximumConnections: 1 });
  const gone = openDatabase(`postgresql://pix@127.0.0.1:${await freePort()}/pix`, { maximumConnections: 1 });
  // It replays nothing, as a standby does that was promoted by mistake.
  const apart = openDatabase(await freshDatabase(), { maximumConnections: 1 });
  try {
    for (const replica of [gone, apart]) {
      let losses = 0;
      const source = fromReplica({
        primary,
        replica,
        onLost: () => {
          losses += 1;
        },
        onRecovered: () => undefined,
      });
      const read = () => source.read((db) => Promise.resolve(db));
      expect(await Promise.all([read(), read()])).toEqual([primary, primary]);
      expect(await read()).toBe(primary);
      expect(losses).toBe(1);
      const refused = source.read(() => Promise.reject(notFound('Payment', 'unknown')));
      await expect(refused).rejects.toThrow('Payment');
    }
  } finally {
    for (const db of [primary, gone, apart]) await db.$disconnect();
  }
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
