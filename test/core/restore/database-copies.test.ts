import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_URL: await freshDatabase() });
});

afterAll(() => app.stop());

interface Numbered {
  sequence: number;
  epoch: number;
}

/** The number of an event that happens now. */
async function numberOfNext(key: string): Promise<Numbered> {
  const client = createClient(app.baseUrl, key);
  const { body } = await client.post('/v1/payments', { amount: 10 });
  await client.post(`/v1/payments/${body.id}/cancel`);
  const { body: events } = await client.get('/v1/events?limit=100');
  const { sequence, epoch } = (events.data as Numbered[]).at(-1) ?? { sequence: 0, epoch: 0 };
  return { sequence, epoch };
}

/** Makes it look as if the nodes before had worked on another copy, of which this one was restored. */
const pretendAnotherCopy = () =>
  query(app.databaseUrl, `UPDATE database_copy SET identity = '1/00000001/1', checked_at = NULL`);

const markChecked = () => query(app.databaseUrl, 'UPDATE database_copy SET checked_at = now()');

test('a database that nodes first work on is in its first epoch, and stays there', async () => {
  const { key } = await createKey(app.services);
  const { databaseCopies: copies } = app.services;
  expect(await copies.notice()).toMatchObject({ lostSince: null });
  expect(await copies.lostSince()).toBeNull();
  expect(await numberOfNext(key)).toEqual({ sequence: 1, epoch: 1 });
  await app.stop();
  app = await startTestApp({ DATABASE_URL: app.databaseUrl });
  expect(await numberOfNext(key)).toEqual({ sequence: 2, epoch: 1 });
});

test('of another copy, no number is used again, whichever node notices first', async () => {
  const { key } = await createKey(app.services);
  const { key: silent } = await createKey(app.services);
  await numberOfNext(key);
  await pretendAnotherCopy();
  const noticed = await Promise.all(Array.from({ length: 4 }, () => app.services.databaseCopies.notice()));
  expect(new Set(noticed.map((copy) => copy?.id)).size).toBe(1);
  expect(await numberOfNext(key)).toEqual({ sequence: 2_000_001, epoch: 2 });
  // One whose only events were in the lost time.
  expect(await numberOfNext(silent)).toEqual({ sequence: 2_000_001, epoch: 2 });
  await pretendAnotherCopy();
  await app.services.databaseCopies.notice();
  expect(await numberOfNext(key)).toEqual({ sequence: 4_000_001, epoch: 3 });
});

test('the numbers leave room for a million events in every minute of the lost time', async () => {
  const { key } = await createKey(app.services);
  await numberOfNext(key);
  const since = new Date(Date.now() - 59.5 * 60_000);
  await markChecked();
  await app.services.databaseCopies.declare(since);
  expect(await numberOfNext(key)).toEqual({ sequence: 61_000_001, epoch: 2 });
});

test('a moment that is given for a copy that was noticed begins no second epoch', async () => {
  const { key } = await createKey(app.services);
  await pretendAnotherCopy();
  const copies = app.services.databaseCopies;
  await copies.notice();
  const [first, second] = [new Date(Date.now() - 60_000), new Date(Date.now() - 30_000)];
  for (const since of [first, first, second]) await copies.declare(since);
  expect(await copies.lostSince()).toEqual(second);
  expect((await numberOfNext(key)).epoch).toBe(2);
  // The next restore, of a snapshot that looks like the copy before.
  await markChecked();
  await copies.declare(first);
  expect((await numberOfNext(key)).epoch).toBe(3);
});

test('a moment in the future is refused', async () => {
  await expect(app.services.databaseCopies.declare(new Date(Date.now() + 60_000))).rejects.toThrow('future');
});
