import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '../../../src/database/database.ts';
import { createDueClaims } from '../../../src/core/settlement/reconciliation/due-claims.ts';
import {
  claimAbandoned,
  claimDue,
  type DueClaim,
  findDue,
  longestDueSince,
} from '../../../src/core/settlement/store/due.ts';
import { changePayment } from '../../../src/core/payments/store/payment-changes.ts';
import {
  recordWatched,
  scheduleCheck,
  schedulePendingCheck,
} from '../../../src/core/payments/store/payment-checks.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { explain, pagesOf } from '../../support/explain.ts';

const now = new Date('2026-11-22T12:00:00Z');
const leasedUntil = new Date('2026-11-22T12:00:30Z');

let databaseUrl: string;
let db: Database;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  db = openDatabase(databaseUrl, { maximumConnections: 4 });
});

beforeEach(() => query(databaseUrl, 'TRUNCATE payment, payment_check CASCADE'));

afterAll(() => db.$disconnect());

/** Payments that are due a second apart, the last of them now. */
const insert = (credentialId: string | null, count: number, status = 'pending', due = now) =>
  query(
    databaseUrl,
    `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, credential_id, created_at,
       expires_at, next_check_at)
     SELECT gen_random_uuid(), gen_random_uuid(), 'live', $3::"PaymentStatus", 100, 'bacen', $1::uuid, $4, $4,
       $4::timestamptz - (n - 1) * interval '1 second'
     FROM generate_series(1, $2::int) n`,
    [credentialId, count, status, due],
  );

async function claim(changes: Partial<DueClaim & { slots: number }> = {}) {
  const { now: until = now, slots = 3, slotsOf } = changes;
  const due = await findDue(db, 'payment', { until, limit: 100_000 });
  const lanes = new Map(due.map(({ lane }) => [lane, slotsOf?.get(lane) ?? slots]));
  const of = { now, leasedUntil, limit: 100, ...changes, slotsOf: lanes };
  return (await claimDue(db, 'payment', of)).claimed;
}

const countBy = (rows: readonly { credentialId: string | null }[]) =>
  Object.fromEntries(
    [...new Set(rows.map(({ credentialId }) => credentialId))].map((id) => [
      String(id),
      rows.filter(({ credentialId }) => credentialId === id).length,
    ]),
  );

describe('due work', () => {
  test('is claimed from every credential, up to its number of slots', async () => {
    const [many, few, busy, full] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    for (const [id, count] of [
      [many, 50],
      [few, 2],
      [busy, 5],
      [full, 5],
      [null, 5],
    ] as const) {
      await insert(id, count);
    }
    const slotsOf = new Map([
      [busy, 1],
      [full, 0],
      [null, 4],
    ]);
    expect(countBy(await claim({ slotsOf }))).toEqual({ [many]: 3, [few]: 2, [busy]: 1, null: 4 });
    expect(countBy(await claim({ slotsOf: new Map([[many, 40]]) }))).toEqual({
      [many]: 40,
      [busy]: 3,
      [full]: 3,
      null: 1,
    });
  });

  test('is claimed from each credential in turn, longest due first, when not all of it fits', async () => {
    const [late, early] = [randomUUID(), randomUUID()];
    await insert(late, 3);
    await insert(early, 3, 'pending', new Date(now.getTime() - 60_000));
    expect(countBy(await claim({ limit: 3 }))).toEqual({ [early]: 2, [late]: 1 });
  });

  test('is claimed first from a credential with nothing in flight', async () => {
    const [busy, idle] = [randomUUID(), randomUUID()];
    await insert(busy, 30, 'pending', new Date(now.getTime() - 60_000));
    await insert(idle, 1);
    const claimed = await claim({ limit: 1, slots: 16, slotsOf: new Map([[busy, 1]]) });
    expect(countBy(claimed)).toEqual({ [idle]: 1 });
  });

  test('is claimed once, by whichever worker', async () => {
    await Promise.all([insert(randomUUID(), 10), insert(null, 10)]);
    const claims = await Promise.all(Array.from({ length: 4 }, () => claim({ slots: 20 })));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids, ...(await claim({ slots: 20 })).map(({ id }) => id)]).toHaveLength(20);
  });

  test('is not claimed before its time or after its end', async () => {
    await insert(randomUUID(), 1, 'pending', new Date(now.getTime() + 1));
    await insert(randomUUID(), 1, 'completed');
    await insert(null, 1, 'creating');
    expect(await claim()).toEqual([]);
    expect(await claimAbandoned(db, { now, leasedUntil, limit: 9 })).toHaveLength(1);
    expect(await claimAbandoned(db, { now, leasedUntil, limit: 9 })).toEqual([]);
  });
});

describe('a payment that has been claimed', () => {
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

  test('is claimed again once its lease is over, as after the end of its worker', async () => {
    const credentialId = randomUUID();
    await insert(credentialId, 1);
    const [claimed] = await claim();
    expect(claimed?.credentialId).toBe(credentialId);
    expect(await claim({ now: later(29) })).toEqual([]);
    expect(await claim({ now: leasedUntil, leasedUntil: later(60) })).toEqual([claimed]);
    expect(await claim({ now: leasedUntil })).toEqual([]);
  });

  test('is claimed again when it is planned', async () => {
    await insert(randomUUID(), 2);
    await insert(null, 2);
    for (const { id } of await claim()) await scheduleCheck(db, id, later(90));
    expect(await claim({ now: later(89) })).toEqual([]);
    expect(await longestDueSince(db, 'payment', later(95))).toEqual(later(90));
    expect(await claim({ now: later(90) })).toHaveLength(4);
  });

  test('shares the slots of its credential with those that have not, longest due first', async () => {
    const [both, again] = [randomUUID(), randomUUID()];
    await insert(both, 4);
    await insert(again, 5);
    await insert(null, 3);
    const claimed = await claim({ slots: 5 });
    await insert(both, 4, 'pending', later(-10));
    await insert(null, 2, 'pending', later(-10));
    for (const { id } of claimed) await scheduleCheck(db, id, later(-5));
    const slotsOf = new Map([[null, 3]]);
    const taken = await claim({ slotsOf });
    expect(countBy(taken)).toEqual({ [both]: 3, [again]: 3, null: 3 });
    const isNew = ({ id }: { id: string }) => !claimed.some((each) => each.id === id);
    expect(countBy(taken.filter(isNew))).toEqual({ [both]: 3, null: 2 });
    expect(await claim({ slots: 9, slotsOf: new Map([[null, 9]]), limit: 4 })).toHaveLength(4);
    expect(await longestDueSince(db, 'payment', now)).not.toBeNull();
    expect(await claim({ slots: 9, slotsOf: new Map([[null, 9]]) })).toHaveLength(18 - 9 - 4);
  });

  test('is planned as one that is watched if it turned out meanwhile that somebody waits for it', async () => {
    await insert(randomUUID(), 2);
    const [watched, unwatched] = await claim();
    const seen = { now: later(1), since: later(-89), checkBy: later(16) };
    await recordWatched(db, [watched?.id ?? ''], seen);
    const plans = { nextAt: later(270), watched: { since: now, nextAt: later(17) } };
    for (const each of [watched, unwatched]) await schedulePendingCheck(db, each?.id ?? '', plans);
    expect(await claim({ now: later(17) })).toEqual([watched]);
    expect(await claim({ now: later(270), leasedUntil: later(300) })).toHaveLength(2);
  });

  test('is due soon once somebody waits for it, and only the first time', async () => {
    await insert(randomUUID(), 1);
    const [claimed] = await claim();
    const id = claimed?.id ?? '';
    await scheduleCheck(db, id, later(270));
    await recordWatched(db, [id], { now, since: later(-90), checkBy: later(15) });
    expect(await longestDueSince(db, 'payment', later(300))).toEqual(later(15));
    await scheduleCheck(db, id, later(270));
    await recordWatched(db, [id], { now: later(30), since: later(-60), checkBy: later(45) });
    expect(await longestDueSince(db, 'payment', later(300))).toEqual(later(270));
    await recordWatched(db, [id], { now: later(150), since: later(60), checkBy: later(165) });
    expect(await longestDueSince(db, 'payment', later(300))).toEqual(later(165));
  });

  test('is not checked for somebody who waits for one that has ended', async () => {
    await insert(randomUUID(), 1, 'completed');
    const [row] = await query<{ id: string }>(databaseUrl, 'SELECT id FROM payment');
    await recordWatched(db, [row?.id ?? ''], { now, since: later(-90), checkBy: later(15) });
    expect(await claim({ now: later(60) })).toEqual([]);
  });

  test('is not claimed any more when its status has changed', async () => {
    await insert(null, 2);
    const [paid, pending] = await claim();
    await changePayment(db, paid?.id ?? '', { status: 'completed', confirmedAt: now });
    await changePayment(db, pending?.id ?? '', { disputed: true });
    await scheduleCheck(db, paid?.id ?? '', now);
    expect(await claim({ now: later(60) })).toEqual([pending]);
    expect(await query(databaseUrl, 'SELECT FROM payment_check')).toHaveLength(1);
  });
});

test.each(['payment', 'payment_attempt', 'refund', 'psp_notification'] as const)(
  'an empty table of %s has nothing due',
  async (kind) => {
    const slotsOf = new Map([
      [null, 1],
      [randomUUID(), 9],
    ]);
    expect((await claimDue(db, kind, { now, leasedUntil, limit: 9, slotsOf })).claimed).toEqual([]);
    expect(await createDueClaims({ db, now: () => now }).claim(kind, { limit: 9, slotsOf: () => 9 })).toEqual(
      [],
    );
  },
);

/** Pages that the statements of `work` touch when they are run once more. */
const pagesOfAll = async (work: () => Promise<unknown>): Promise<number> =>
  pagesOf(await explain(databaseUrl, /next_check_at/, work));

test('next to 30,000 rows waiting for one credential, a claim reads no more than it takes', async () => {
  const hanging = randomUUID();
  await insert(hanging, 30_000);
  await insert(randomUUID(), 1);
  await insert(null, 5_000);
  await query(databaseUrl, 'VACUUM ANALYZE payment');
  const next = createDueClaims({ db, now: () => now }).continueClaims('payment');
  const claimed = await pagesOfAll(async () => {
    expect((await next({ limit: 100, slotsOf: () => 2 })).items).toHaveLength(5);
  });
  expect(claimed).toBeGreaterThan(0);
  expect(claimed).toBeLessThan(250);
  const abandoned = await pagesOfAll(() => claimAbandoned(db, { now, leasedUntil, limit: 50 }));
  expect(abandoned).toBeGreaterThan(0);
  expect(abandoned).toBeLessThan(20);
});

describe('the longest overdue row', () => {
  const overdueSince = () => longestDueSince(db, 'payment', now);

  test('is none while nothing is due', async () => {
    await insert(randomUUID(), 1, 'pending', new Date(now.getTime() + 1));
    expect(await overdueSince()).toBeNull();
  });

  test('is that of whichever credential waits longest, or of the sandbox', async () => {
    await insert(randomUUID(), 3);
    await insert(randomUUID(), 5);
    expect(await overdueSince()).toEqual(new Date(now.getTime() - 4_000));
    await insert(null, 7);
    expect(await overdueSince()).toEqual(new Date(now.getTime() - 6_000));
    await claim({ slots: 9 });
    expect(await overdueSince()).toBeNull();
  });
});
