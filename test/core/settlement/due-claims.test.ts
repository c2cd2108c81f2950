import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createDueClaims, type Room } from '../../../src/core/settlement/reconciliation/due-claims.ts';
import { dueKinds, findDue } from '../../../src/core/settlement/store/due.ts';
import { type Database, openDatabase } from '../../../src/database/database.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { explain, pagesOf } from '../../support/explain.ts';

let databaseUrl: string;
let db: Database;
let clock: Date;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  db = openDatabase(databaseUrl, { maximumConnections: 4 });
});

beforeEach(async () => {
  clock = new Date('2026-11-22T12:00:00Z');
  await query(databaseUrl, 'TRUNCATE payment, payment_check, credential_traffic CASCADE');
});

afterAll(() => db.$disconnect());

const pass = (ms: number): void => {
  clock = new Date(clock.getTime() + ms);
};

const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

/** Payments of each credential that have been looked up before, all due at one time, `afterMs` from now. */
const insert = (credentialIds: string | string[], count: number, afterMs = 0) =>
  query(
    databaseUrl,
    `INSERT INTO payment_check (payment_id, credential_id, next_check_at)
     SELECT gen_random_uuid(), id, $3 FROM unnest($1::uuid[]) AS id, generate_series(1, $2::int)`,
    [[credentialIds].flat(), count, new Date(clock.getTime() + afterMs)],
  );

/** What a worker claims, and how many of each credential. */
function worker(slotsOf: Room['slotsOf'] = () => 16) {
  const claim = createDueClaims({ db, now: () => clock }).continueClaims('payment');
  return async (limit = 512) => {
    const { items, isMore } = await claim({ limit, slotsOf });
    const of: Record<string, number> = {};
    for (const { credentialId } of items) of[String(credentialId)] = (of[String(credentialId)] ?? 0) + 1;
    return { of, isMore };
  };
}

describe('a worker', () => {
  test.each([
    ['have been looked up before', 'payment_check'],
    ['have not been looked up yet', 'payment'],
  ])(
    'reads 60 pages at most beside 3,000 credentials whose payments %s and are not due',
    async (_, table) => {
      const waiting = ids(3_000);
      if (table === 'payment_check') await insert(waiting, 1, 60_000);
      else
        await query(
          databaseUrl,
          `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, credential_id, created_at,
           expires_at, next_check_at)
         SELECT gen_random_uuid(), id, 'live', 'pending', 100, 'woovi', id, $2, $2, $2::timestamptz + interval '1 minute'
         FROM unnest($1::uuid[]) AS id`,
          [waiting, clock],
        );
      const pagesOfClaim = async (expected: Record<string, number>) => {
        const next = worker();
        const plans = await explain(databaseUrl, /next_check_at/, async () => {
          expect((await next()).of).toEqual(expected);
        });
        return pagesOf(plans);
      };
      expect(await pagesOfClaim({})).toBeLessThanOrEqual(60);
      await query(databaseUrl, `VACUUM ANALYZE ${table}`);
      expect(await pagesOfClaim({})).toBeLessThanOrEqual(60);
      const due = randomUUID();
      await insert(due, 1);
      expect(await pagesOfClaim({ [due]: 1 })).toBeLessThanOrEqual(60);
    },
  );

  test('claims from each of many credentials that are due at one time, a part of them at once', async () => {
    const due = ids(500);
    await insert(due, 2);
    const next = worker();
    const counts: Record<string, number> = {};
    let claims = 0;
    for (let isMore = true; isMore; claims++) {
      const claimed = await next();
      expect(Object.keys(claimed.of).length).toBeLessThanOrEqual(2 * 64 + 16);
      for (const [id, count] of Object.entries(claimed.of)) counts[id] = (counts[id] ?? 0) + count;
      ({ isMore } = claimed);
    }
    expect(counts).toEqual(Object.fromEntries(due.map((id) => [id, 2])));
    expect(claims).toBeLessThan(20);
  });

  test('finds another credential beside thousands of payments that are due at one that takes no more', async () => {
    const [full = '', other = '', late = ''] = ids(3);
    const next = worker((lane) => (lane === full ? 0 : 16));
    for (let each = 0; each < 40; each++) await insert(full, 50, -each * 60_000);
    await insert(other, 1);
    expect((await next()).of).toEqual({ [other]: 1 });
    await insert(other, 1, 1_000);
    pass(1_000);
    expect((await next()).of).toEqual({ [other]: 1 });
    // It was given a time that has been looked at.
    await insert(late, 1, -30 * 60_000);
    await eventually(async () => expect((await next()).of).toEqual({ [late]: 1 }), 60_000);
  });

  test('fills the slots of a credential as they become free', async () => {
    const credential = randomUUID();
    await insert(credential, 40);
    let slots = 16;
    const next = worker(() => slots);
    expect((await next()).of).toEqual({ [credential]: 16 });
    slots = 0;
    pass(10_000);
    expect((await next()).of).toEqual({});
    slots = 3;
    expect((await next()).of).toEqual({ [credential]: 3 });
    slots = 30;
    expect((await next()).of).toEqual({ [credential]: 21 });
    expect((await next()).of).toEqual({});
  });

  test('goes on with a credential once its pause is over', async () => {
    const [paused = '', other = ''] = ids(2);
    await insert([paused, other], 5);
    await query(databaseUrl, 'INSERT INTO credential_traffic (credential_id, paused_until) VALUES ($1, $2)', [
      paused,
      new Date(clock.getTime() + 3_600_000),
    ]);
    const next = worker();
    expect((await next()).of).toEqual({ [other]: 5 });
    pass(3_599_999);
    expect((await next()).of).toEqual({ [other]: 5 });
    pass(1);
    expect((await next()).of).toEqual({ [paused]: 5 });
  });

  test('claims what was due before it began, and nothing before its time', async () => {
    const [early = '', late = ''] = ids(2);
    await insert(early, 1, -86_400_000);
    await insert(late, 1, 1);
    const next = worker();
    expect((await next()).of).toEqual({ [early]: 1 });
    expect((await next()).of).toEqual({});
    pass(1);
    expect((await next()).of).toEqual({ [late]: 1 });
    pass(30_000 - 1);
    expect((await next()).of).toEqual({ [early]: 1 });
  });
});

test.each(dueKinds)('an index finds what is due of the kind %s', async (kind) => {
  const edge = { at: clock, lane: randomUUID() };
  // The planner would read the empty tables as a whole.
  const url = `${databaseUrl}?options=-c%20enable_seqscan%3Doff`;
  for (const part of [{ after: edge }, { before: edge }]) {
    const plans = await explain(url, /next_check_at/, () =>
      findDue(db, kind, { until: clock, ...part, limit: 64 }),
    );
    const names = [...JSON.stringify(plans).matchAll(/"Index Name":"(\w+)"/g)].map(([, name]) => name);
    expect(names.filter((name) => name?.endsWith('_by_time_idx'))).toHaveLength(kind === 'payment' ? 2 : 1);
    expect(JSON.stringify(plans)).not.toContain('Seq Scan');
  }
});
