import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '../../../src/database/database.ts';
import {
  claimDeliveries,
  findDueEndpoints,
  longestDueDeliverySince,
} from '../../../src/core/webhooks/store/delivery-claims.ts';
import { hastenOverdueDeliveries } from '../../../src/core/webhooks/store/webhook-endpoints.ts';
import { createDeliveryClaims } from '../../../src/core/webhooks/delivery-claims.ts';
import { freshDatabase, openTransaction, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { explain, pagesOf } from '../../support/explain.ts';

const secondMs = 1_000;
const none = new Map<string, number>();
const firstId = '00000000-0000-0000-0000-000000000000';

let databaseUrl: string;
let db: Database;
let clock: Date;
let sequence = 0;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  db = openDatabase(databaseUrl, { maximumConnections: 4 });
});

beforeEach(async () => {
  clock = new Date('2026-11-22T12:00:00Z');
  await query(databaseUrl, 'TRUNCATE webhook_endpoint, event CASCADE');
});

afterAll(() => db.$disconnect());

const pass = (ms: number): void => {
  clock = new Date(clock.getTime() + ms);
};

async function addEndpoint(organizationId?: string): Promise<string> {
  const id = randomUUID();
  await query(
    databaseUrl,
    `INSERT INTO webhook_endpoint (id, organization_id, mode, url, sealed_secret, created_at)
     VALUES ($1, $2, 'test', 'https://shop.example/', 'sealed', $3)`,
    [id, organizationId ?? id, clock],
  );
  return id;
}

/** Deliveries for each endpoint, a millisecond apart, the last of them due at the given time. */
const insertSql = `WITH happened AS (
    INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, body, created_at)
    SELECT gen_random_uuid(), e, 'test', $2::int + n, 'payment_completed', gen_random_uuid(), '{}', $4
    FROM unnest($1::uuid[]) AS e, generate_series(1, $3::int) AS n RETURNING id, organization_id, sequence)
  INSERT INTO webhook_delivery (event_id, endpoint_id, next_attempt_at, created_at)
  SELECT id, organization_id, $4::timestamptz - ($2 + $3 - sequence) * interval '1 ms', $4 FROM happened`;

async function insert(endpoints: string | string[], count: number, due = clock): Promise<void> {
  sequence += count;
  await query(databaseUrl, insertSql, [[endpoints].flat(), sequence - count, count, due]);
}

/** What workers do: a lease, and then nothing left to do. */
async function deliverAll(): Promise<void> {
  const waiting = 'WHERE next_attempt_at IS NOT NULL';
  await query(databaseUrl, `UPDATE webhook_delivery SET next_attempt_at = $1, holder = 1 ${waiting}`, [
    new Date(clock.getTime() + 30 * secondMs),
  ]);
  await query(
    databaseUrl,
    `UPDATE webhook_delivery SET next_attempt_at = NULL, attempt_count = 1, status = 'delivered' ${waiting}`,
  );
}

const claimsOf = () => createDeliveryClaims({ db, now: () => clock });

/** A worker that has looked everywhere and continues from there. */
async function continuing() {
  const claim = claimsOf().continueClaims();
  const take = async (limit = 256, sending: ReadonlyMap<string, number> = none) =>
    (await claim(limit, sending)).items.map(({ id }) => id);
  await take(0);
  return take;
}

const idsOf = async (endpointId: string): Promise<string[]> =>
  (
    await query<{ id: string }>(
      databaseUrl,
      'SELECT d.id FROM webhook_delivery d JOIN event ON event.id = event_id WHERE endpoint_id = $1 ORDER BY event.sequence',
      [endpointId],
    )
  ).map(({ id }) => id);

describe('a worker that continues claims', () => {
  test('takes what is new, retried, abandoned or sent again, once it is due', async () => {
    const endpoint = await addEndpoint();
    const take = await continuing();
    await insert(endpoint, 1);
    const [id = ''] = await idsOf(endpoint);
    expect(await take()).toEqual([id]);
    expect(await take()).toEqual([]);
    pass(30 * secondMs - 1);
    expect(await take()).toEqual([]);
    pass(1);
    expect(await take()).toEqual([id]);
    await query(databaseUrl, 'UPDATE webhook_delivery SET next_attempt_at = $1', [
      new Date(clock.getTime() + 3_600 * secondMs),
    ]);
    pass(3_600 * secondMs - 1);
    expect(await take()).toEqual([]);
    pass(1);
    expect(await take()).toEqual([id]);
    await query(databaseUrl, 'UPDATE webhook_delivery SET next_attempt_at = $1', [clock]);
    expect(await take()).toEqual([id]);
  });

  test('goes on with endpoints that have more due than they may be sent, longest due first', async () => {
    const [busy, slow] = [await addEndpoint(), await addEndpoint()];
    const take = await continuing();
    await insert(busy, 90);
    await insert(slow, 2, new Date(clock.getTime() - 40));
    pass(3 * secondMs);
    const all = [...(await idsOf(slow)), ...(await idsOf(busy))];
    const taken: string[] = [];
    while (taken.length < all.length) {
      await eventually(async () => {
        const next = await take(256, new Map([[slow, taken.length === 0 ? 20 : 0]]));
        expect(next.length).toBeGreaterThan(0);
        expect(next.length).toBeLessThanOrEqual(22);
        taken.push(...next);
      });
    }
    expect(taken.slice(0, 20).sort()).toEqual((await idsOf(busy)).slice(0, 20).sort());
    expect(taken.toSorted()).toEqual(all.toSorted());
  });

  test('takes all of many endpoints although only a few fit at a time', async () => {
    const endpoints = await Promise.all(Array.from({ length: 12 }, addEndpoint));
    const take = await continuing();
    await insert(endpoints, 9);
    const taken: string[] = [];
    for (let next = await take(10); next.length > 0; next = await take(10)) taken.push(...next);
    expect(new Set(taken).size).toBe(12 * 9);
  });

  test('goes on with an organization that had its share', async () => {
    const organizationId = randomUUID();
    const [one, two] = [await addEndpoint(organizationId), await addEndpoint(organizationId)];
    const take = await continuing();
    await insert([one, two], 3);
    expect(await take(4)).toHaveLength(4);
    expect(
      await take(
        4,
        new Map([
          [one, 3],
          [two, 1],
        ]),
      ),
    ).toEqual([]);
    pass(3 * secondMs);
    expect(await take(4, new Map([[one, 2]]))).toHaveLength(2);
  });

  test('shares with other workers, each delivery to one of them', async () => {
    const endpoints = await Promise.all(Array.from({ length: 3 }, addEndpoint));
    const workers = await Promise.all([continuing(), continuing(), continuing()]);
    const taken: string[] = [];
    for (let round = 0; round < 10; round++) {
      await insert(endpoints, 15);
      pass(100);
      taken.push(...(await Promise.all(workers.map((take) => take(30)))).flat());
    }
    await eventually(async () => {
      taken.push(...(await Promise.all(workers.map((take) => take()))).flat());
      expect(taken).toHaveLength(450);
    });
    expect(new Set(taken).size).toBe(450);
  });

  test('finds what another one had locked and did not take', async () => {
    const endpoint = await addEndpoint();
    const take = await continuing();
    await insert(endpoint, 3);
    await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM webhook_delivery FOR UPDATE`;
      expect(await take()).toEqual([]);
    });
    pass(3_600 * secondMs);
    await eventually(async () => expect(await take()).toHaveLength(3));
  });

  test('finds what was committed long after its time', async () => {
    const endpoint = await addEndpoint();
    const take = await continuing();
    await db.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(
        insertSql
          .replaceAll('$1', `'{${endpoint}}'`)
          .replaceAll('$2', '0')
          .replaceAll('$3', '2')
          .replaceAll('$4', '$1::timestamptz'),
        clock,
      );
      pass(4 * secondMs);
      expect(await take()).toEqual([]);
    });
    await eventually(async () => expect(await take()).toHaveLength(2));
  });

  test('finds what was given a time long past', async () => {
    const endpoint = await addEndpoint();
    const take = await continuing();
    await insert(endpoint, 2, new Date(clock.getTime() + 86_400 * secondMs));
    pass(secondMs);
    expect(await take()).toEqual([]);
    await query(databaseUrl, `UPDATE webhook_delivery SET next_attempt_at = '2026-01-01T00:00:00Z'`);
    await eventually(async () => expect(await take()).toHaveLength(2));
  });

  test('leaves a disabled endpoint alone, and finds what waited there once it is enabled', async () => {
    const endpoint = await addEndpoint();
    const take = await continuing();
    await insert(endpoint, 50);
    expect(await take()).toHaveLength(20);
    await query(databaseUrl, 'UPDATE webhook_endpoint SET enabled = false');
    for (let each = 0; each < 3; each++) {
      pass(secondMs);
      expect(await take()).toEqual([]);
    }
    await query(databaseUrl, 'UPDATE webhook_endpoint SET enabled = true');
    await eventually(async () => expect(await take()).toHaveLength(20));
    expect(await take()).toHaveLength(10);
  });

  test('finds all that waited at an endpoint that is enabled, beside thousands that wait at a disabled one', async () => {
    const [endpoint, disabled] = [await addEndpoint(), await addEndpoint()];
    await query(databaseUrl, 'UPDATE webhook_endpoint SET enabled = false');
    const take = await continuing();
    await insert(endpoint, 30);
    pass(3_600 * secondMs);
    await insert(disabled, 5_000);
    pass(600 * secondMs);
    expect(await take()).toEqual([]);
    await query(databaseUrl, 'UPDATE webhook_endpoint SET enabled = true WHERE id = $1', [endpoint]);
    await hastenOverdueDeliveries(db, endpoint, clock);
    const taken: string[] = [];
    // A part of the others at a time.
    for (let claims = 0; claims < 100 && taken.length < 30; claims++) taken.push(...(await take()));
    expect(taken).toHaveLength(30);
  });

  test('goes on when the clock is set back', async () => {
    const endpoint = await addEndpoint();
    const take = await continuing();
    pass(-3_600 * secondMs);
    expect(await take()).toEqual([]);
    await insert(endpoint, 1);
    expect(await take()).toHaveLength(1);
  });
});

describe('what a claim reads', () => {
  /** Claims twice; two endpoints' worth must be due. */
  const pagesOfClaim = async (
    expected: number,
    behind = new Map<string, Date>(),
    sending = none,
  ): Promise<number> => {
    const after = { at: new Date(clock.getTime() - 500), lane: firstId };
    const leasedUntil = new Date(clock.getTime() + 30 * secondMs);
    const limits = { limit: 20, endpointLimit: 20, failingEndpointLimit: 2 };
    const claim = async () => {
      const found = await findDueEndpoints(db, { until: clock, after, limit: 64 });
      const sinces = new Map([...found.toReversed().map(({ lane, at }) => [lane, at] as const), ...behind]);
      const endpoints = [...sinces].map(([lane, at]) => ({ lane, at, since: at }));
      if (endpoints.length === 0 && expected === 0) return;
      const { claimed } = await claimDeliveries(db, {
        now: clock,
        leasedUntil,
        ...limits,
        sending,
        endpoints,
      });
      expect(claimed).toHaveLength(expected);
    };
    return pagesOf(await explain(databaseUrl, /webhook_delivery/, claim));
  };

  const measure = async (endpoint: string) => {
    pass(2 * secondMs);
    const idle = await pagesOfClaim(0);
    await insert(endpoint, 40);
    const taking = await pagesOfClaim(20);
    await deliverAll();
    pass(60 * secondMs);
    return { idle, taking };
  };

  test.each([1, 20])(
    'does not grow with 20,000 deliveries to %i endpoints whose versions PostgreSQL has to keep',
    async (count) => {
      const endpoints = await Promise.all(Array.from({ length: count }, addEndpoint));
      const [endpoint = ''] = endpoints;
      await insert(endpoints, 2_000 / count);
      await deliverAll();
      pass(60 * secondMs);
      await query(databaseUrl, 'VACUUM ANALYZE webhook_delivery, event');
      const before = await measure(endpoint);
      expect(before.idle).toBeLessThanOrEqual(60);
      const reader = await openTransaction(databaseUrl, 'REPEATABLE READ');
      try {
        await reader.query('SELECT count(*) FROM webhook_delivery');
        for (let part = 0; part < 4; part++) {
          await insert(endpoints, 5_000 / count);
          await deliverAll();
          pass(60 * secondMs);
        }
        const held = await measure(endpoint);
        expect(held.idle).toBeLessThanOrEqual(60);
        expect(held.taking).toBeLessThanOrEqual(before.taking * 1.5);
        // The statistics are of moments in which nothing waits, and in which all that waits is due.
        await query(databaseUrl, 'ANALYZE');
        expect((await measure(endpoint)).taking).toBeLessThanOrEqual(before.taking * 1.5);
        await insert(endpoint, 40);
        await query(databaseUrl, 'ANALYZE');
        expect(await pagesOfClaim(20)).toBeLessThanOrEqual(before.taking * 1.5);
      } finally {
        await reader.end();
      }
    },
    120_000,
  );

  test('does not grow with 100,000 that wait, for one endpoint or for a thousand', async () => {
    const [endpoint, hanging] = [await addEndpoint(), await addEndpoint()];
    await query(
      databaseUrl,
      `INSERT INTO webhook_endpoint (id, organization_id, mode, url, sealed_secret, created_at)
       SELECT gen_random_uuid(), gen_random_uuid(), 'test', 'https://shop.example/', 'sealed', $1 FROM generate_series(1, 1000)`,
      [clock],
    );
    const all = await query<{ id: string }>(databaseUrl, 'SELECT id FROM webhook_endpoint');
    await insert(hanging, 50_000);
    await insert(
      all.map(({ id }) => id),
      50,
    );
    await query(databaseUrl, 'UPDATE webhook_delivery SET next_attempt_at = NULL');
    await query(databaseUrl, 'VACUUM ANALYZE webhook_delivery, event, webhook_endpoint');
    const before = await measure(endpoint);
    const since = new Date(clock.getTime() - 3_600 * secondMs);
    await query(
      databaseUrl,
      `UPDATE webhook_delivery SET next_attempt_at = CASE endpoint_id WHEN $1 THEN $2::timestamptz ELSE $2 + interval '1 day' END`,
      [hanging, since],
    );
    await query(databaseUrl, 'VACUUM ANALYZE webhook_delivery');
    pass(2 * secondMs);
    expect(await pagesOfClaim(0)).toBeLessThanOrEqual(60);
    expect(await pagesOfClaim(20, new Map([[hanging, since]]))).toBeLessThanOrEqual(before.taking * 1.5);
    const others = all.map(({ id }) => id).filter((id) => id !== hanging);
    const sending = new Map(others.slice(0, 256).map((id) => [id, 1]));
    const pages = await pagesOfClaim(20, new Map([[hanging, since]]), sending);
    expect(pages).toBeLessThanOrEqual(before.taking * 1.5 + sending.size * 3);
  });
});

test('beside 3,000 endpoints whose deliveries wait for a later time, a claim that looks everywhere reads 60 pages at most', async () => {
  const endpoint = await addEndpoint();
  await query(
    databaseUrl,
    `INSERT INTO webhook_endpoint (id, organization_id, mode, url, sealed_secret, created_at)
     SELECT gen_random_uuid(), gen_random_uuid(), 'test', 'https://shop.example/', 'sealed', $1 FROM generate_series(1, 3000)`,
    [clock],
  );
  const all = await query<{ id: string }>(databaseUrl, 'SELECT id FROM webhook_endpoint');
  await insert(
    all.map(({ id }) => id),
    1,
    new Date(clock.getTime() + 3_600 * secondMs),
  );
  const pages = async (expected: number) =>
    pagesOf(
      await explain(databaseUrl, /webhook_delivery/, async () => {
        expect((await claimsOf().continueClaims()(256, none)).items).toHaveLength(expected);
      }),
    );
  expect(await pages(0)).toBeLessThanOrEqual(60);
  await query(databaseUrl, 'VACUUM ANALYZE webhook_delivery, webhook_endpoint');
  expect(await pages(0)).toBeLessThanOrEqual(60);
  await insert(endpoint, 1);
  expect(await pages(1)).toBeLessThanOrEqual(60);
});

test('the longest overdue delivery is that of an enabled endpoint, wherever it is', async () => {
  const [one, two] = [await addEndpoint(), await addEndpoint()];
  expect(await longestDueDeliverySince(db, clock)).toBeNull();
  await insert(one, 1, new Date(clock.getTime() + 1));
  expect(await longestDueDeliverySince(db, clock)).toBeNull();
  await insert(two, 5);
  expect(await longestDueDeliverySince(db, clock)).toEqual(new Date(clock.getTime() - 4));
  await query(databaseUrl, 'UPDATE webhook_endpoint SET enabled = false WHERE id = $1', [two]);
  expect(await longestDueDeliverySince(db, clock)).toBeNull();
});

describe('places that are free go', () => {
  const countBy = (claimed: readonly { endpointId: string }[]) =>
    Object.fromEntries(
      claimed.map(({ endpointId: id }) => [id, claimed.filter((each) => each.endpointId === id).length]),
    );

  test('to an endpoint with nothing in flight before those that are slow', async () => {
    const slow = await Promise.all(Array.from({ length: 13 }, () => addEndpoint()));
    const healthy = await addEndpoint();
    await insert(slow, 40, new Date(clock.getTime() - 60 * secondMs));
    await insert(healthy, 1);
    const claim = claimsOf().continueClaims();
    const { items: first } = await claim(256, none);
    expect(first).toHaveLength(256);
    const sending = new Map(Object.entries(countBy(first)));
    // One of them has ended: its place is free.
    const [{ endpointId } = { endpointId: '' }] = first;
    sending.set(endpointId, (sending.get(endpointId) ?? 0) - 1);
    pass(secondMs);
    expect(countBy((await claim(1, sending)).items)).toEqual({ [healthy]: 1 });
  });

  test('to the organization with the fewest in flight, and within it to the endpoint with the fewest', async () => {
    const large = randomUUID();
    const slow = await Promise.all([addEndpoint(large), addEndpoint(large), addEndpoint(large)]);
    const [idle, small] = [await addEndpoint(large), await addEndpoint()];
    await insert([...slow, idle], 9, new Date(clock.getTime() - 60 * secondMs));
    await insert(small, 2);
    const sending = new Map([...slow, small].map((id) => [id, 1]));
    const claim = claimsOf().claim;
    expect(countBy(await claim(2, sending))).toEqual({ [small]: 1 });
    expect(countBy(await claim(5, sending))).toEqual({ [small]: 1, [idle]: 2 });
  });

  test('to an organization until it has as many as are given at once, whatever it has due', async () => {
    const organizationId = randomUUID();
    const endpoints = await Promise.all(Array.from({ length: 4 }, () => addEndpoint(organizationId)));
    const [first = ''] = endpoints;
    await insert(endpoints, 20);
    const { claim } = claimsOf();
    expect(await claim(30, new Map([[first, 18]]))).toHaveLength(12);
    expect(
      await claim(
        30,
        new Map([
          [first, 20],
          [endpoints[1] ?? '', 10],
        ]),
      ),
    ).toEqual([]);
  });
});
