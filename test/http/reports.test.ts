import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { Unavailable } from '../../src/core/base/errors.ts';
import type { Database } from '../../src/database/database.ts';
import { createSingleFlight } from '../../src/core/base/pacing/single-flight.ts';
import { fromPrimary } from '../../src/database/read-source.ts';
import { createReports } from '../../src/database/reports.ts';
import { boundMs } from '../support/chance.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { createKey } from '../support/factories.ts';
import { openSession } from '../support/people.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), TRUST_PROXY: '1' });
});

afterAll(() => app.stop());

/** What reports read, locked as if it took for ever to read. */
async function stall(): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: app.databaseUrl });
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE payment_hour, audit_entry');
  return async () => {
    await holder.query('ROLLBACK');
    await holder.end();
  };
}

const day = (of: number) => new Date(Date.UTC(2026, 0, of)).toISOString();

/** A single request for so many different times. */
const statistics = (count: number, first: number): string =>
  `{ ${Array.from(
    { length: count },
    (_, at) => `s${at}: statistics(from: "${day(first + at)}", to: "${day(first + at + 80)}") { created }`,
  ).join(' ')} }`;

test('reports that take too long are refused, and payments continue meanwhile', async () => {
  const viewer = await openSession(app, { role: 'viewer' });
  const owner = await openSession(app);
  const shop = createClient(app.baseUrl, (await createKey(app.services)).key);
  const release = await stall();
  try {
    const asked = [1, 40].map((first) => viewer.client.graphql(statistics(15, first)));
    const log = owner.client.graphql('{ auditLog { edges { node { action } } } }');
    const reports = Promise.all([...asked, log]);
    let isOver = false;
    void reports.finally(() => (isOver = true));
    const took: number[] = [];
    do {
      const startedAt = performance.now();
      expect((await shop.post('/v1/payments', { amount: 1 })).status).toBe(201);
      took.push(performance.now() - startedAt);
    } while (!isOver);
    expect(took.length).toBeGreaterThan(20);
    expect(Math.max(...took)).toBeLessThan(boundMs(2_000));
    for (const { body, headers } of await reports) {
      for (const { message, extensions } of body.errors) {
        expect(message).toMatch(/^This report takes too long right now: narrow its period/);
        expect(extensions).toMatchObject({ statusCode: 503, error: 'ServiceUnavailable' });
      }
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
  } finally {
    await release();
  }
  const { body } = await viewer.client.graphql(statistics(15, 1));
  expect(body.errors).toBeUndefined();
});

const db = {} as Database;

/** Work that ends when the test says so. */
function openWork() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    work: () => ended,
    end: () => {
      end();
    },
  };
}

test("an organization uses up its own slots, not others'", async () => {
  const reports = createReports(fromPrimary(db), {
    slotsPerOrganization: 1,
    maximumWaiting: 1,
    patienceMs: 60_000,
  });
  const first = openWork();
  const running = reports.read('a', first.work);
  const waiting = reports.read('a', () => Promise.resolve('waited'));
  await expect(reports.read('a', () => Promise.resolve())).rejects.toThrow(Unavailable);
  expect(await reports.read('b', () => Promise.resolve('own place'))).toBe('own place');
  first.end();
  await running;
  expect(await waiting).toBe('waited');
  expect(await reports.read('a', () => Promise.resolve('free again'))).toBe('free again');
});

test('a caller that waits too long is refused, and takes no slot', async () => {
  const reports = createReports(fromPrimary(db), {
    slotsPerOrganization: 1,
    maximumWaiting: 5,
    patienceMs: 1,
  });
  const first = openWork();
  const running = reports.read('a', first.work);
  await expect(reports.read('a', () => Promise.resolve())).rejects.toThrow(/takes too long/);
  first.end();
  await running;
  expect(await reports.read('a', () => Promise.resolve('free again'))).toBe('free again');
});

test('identical queries during a read share one more read', async () => {
  const once = createSingleFlight<number>();
  let reads = 0;
  const first = openWork();
  const read = async () => {
    reads += 1;
    const read = reads;
    if (read === 1) await first.work();
    return read;
  };
  const asked = [1, 2, 3, 4].map(() => once('same', read));
  const other = once('other', () => Promise.resolve(0));
  expect(await other).toBe(0);
  first.end();
  expect(await Promise.all(asked)).toEqual([1, 2, 2, 2]);
  expect(await once('same', read)).toBe(3);
});
