import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Caller, operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { query } from '../../support/database.ts';

let app: TestApp;
let caller: Caller;
let clock = new Date('2026-11-21T01:00:00Z');

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' }, { now: () => clock });
});

beforeEach(async () => {
  clock = new Date('2026-11-21T01:00:00Z');
  caller = operatorFor((await app.services.organizations.create(`Test ${randomUUID()}`)).id);
});

afterAll(() => app.stop());

const add = (fees?: unknown) =>
  app.services.credentials.create(caller, {
    provider: 'woovi',
    name: 'Woovi',
    settings: { appId: 'a-secret-app-id' },
    isDefault: false,
    fees,
  });

const change = (id: string, fees: unknown) => app.services.credentials.update(caller, id, { fees });

const lastEntry = async () =>
  (await app.services.audit.list(caller, { limit: 1, cursor: undefined })).data[0];

test('fees that break a rule change nothing', async () => {
  const { id } = await add({ percent: 0.99 });
  await expect(change(id, { percent: 1, minimum: 2, maximum: 1 })).rejects.toMatchObject({
    code: 'invalid_request',
    context: { problems: [{ path: 'fees.minimum', rule: 'maximum', params: { maximum: 1 } }] },
  });
  await expect(add({ percent: 101 })).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await app.services.credentials.list(caller)).toMatchObject([{ fees: { percent: 0.99 } }]);
});

test('a credential has no fees until somebody says them', async () => {
  const { id, fees } = await add();
  expect(fees).toBeNull();
  clock = new Date('2026-11-21T01:00:01Z');
  expect(await change(id, { percent: 0.99, maximum: 10 })).toMatchObject({
    fees: { percent: 0.99, fixed: 0, minimum: null, maximum: 10, since: '2026-11-20' },
  });
  expect(await lastEntry()).toMatchObject({
    action: 'credential.update',
    details: { from: null, to: { percent: 0.99, fixed: 0, minimum: null, maximum: 10 } },
  });
});

test('fees are replaced as a whole, from that day on, and removed', async () => {
  const { id } = await add({ percent: 0.99, maximum: 10 });
  expect(await lastEntry()).toMatchObject({
    action: 'credential.create',
    details: { fees: { percent: 0.99, fixed: 0, minimum: null, maximum: 10 } },
  });
  clock = new Date('2026-11-25T12:00:00Z');
  expect(await change(id, { fixed: 0.85 })).toMatchObject({
    fees: { percent: 0, fixed: 0.85, minimum: null, maximum: null, since: '2026-11-25' },
  });
  expect(await change(id, null)).toMatchObject({ fees: null });
});

test('the same fees again leave the day since when they are', async () => {
  const { id } = await add({ percent: 0.99 });
  clock = new Date('2026-11-25T12:00:00Z');
  expect(await change(id, { percent: 0.99 })).toMatchObject({ fees: { since: '2026-11-20' } });
});

test('another name or other settings leave the fees', async () => {
  const { id } = await add({ percent: 0.99 });
  await app.services.credentials.update(caller, id, { name: 'Other', settings: { appId: 'another' } });
  expect(await app.services.credentials.list(caller)).toMatchObject([
    { name: 'Other', fees: { percent: 0.99 } },
  ]);
});

test('a credential of an older node has no fees', async () => {
  const { id } = await add({ percent: 0.99 });
  await query(app.databaseUrl, 'UPDATE credential SET fees = NULL WHERE id = $1', [id]);
  expect(await app.services.credentials.list(caller)).toMatchObject([{ fees: null }]);
});
