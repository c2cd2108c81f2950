import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type OperatorCaller, operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';
import { attemptsOf } from '../../support/live.ts';
import { insertCredential } from '../../support/routing.ts';

let app: TestApp;
let caller: OperatorCaller;
let percent: string;
let fixed: string;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
});

const add = async (provider: string, fees: unknown) => {
  const { id } = await insertCredential(app.databaseUrl, caller.organizationId, { provider });
  await app.services.credentials.update(caller, id, { fees });
  return id;
};

beforeEach(async () => {
  caller = operatorFor((await app.services.organizations.create(`Test ${randomUUID()}`)).id, 'test');
  percent = await add('woovi', { percent: 1 });
  fixed = await add('pagarme', { fixed: 0.5 });
});

afterAll(() => app.stop());

const rules = () => ({
  ranges: [percent, fixed].map((credentialId) => ({ from: 0.01, to: 1_000, credentialId })),
  defaultCredentialId: percent,
  prefer: 'cheapest',
});

const client = async () =>
  createClient(
    app.baseUrl,
    (await createKey(app.services, { organizationId: caller.organizationId, mode: 'test' })).key,
  );

const routed = async (ruleSetId: string, amount: number) => {
  const { status, body } = await (await client()).post('/v1/payments', { amount, ruleSetId });
  expect(status).toBe(201);
  const attempts = await attemptsOf(app.databaseUrl, body.id as string);
  return attempts.map(({ provider, reason }) => `${provider} ${reason}`);
};

test('a preference that does not exist is refused', async () => {
  await expect(
    app.services.ruleSets.create(caller, 'Test', { ...rules(), prefer: 'nearest' }),
  ).rejects.toThrow('prefer must be cheapest');
});

test('a payment goes to the cheapest, and keeps that as the reason of its order', async () => {
  const { id } = await app.services.ruleSets.create(caller, 'Test', rules());
  expect(await routed(id, 100)).toEqual(['pagarme cheapest', 'woovi price_range']);
  expect(await routed(id, 10)).toEqual(['woovi price_range', 'pagarme price_range']);
});

test('other fees count from the next payment on, and none change nothing', async () => {
  const { id, warnings } = await app.services.ruleSets.create(caller, 'Test', rules());
  expect(warnings).toEqual([]);
  await app.services.credentials.update(caller, fixed, { fees: { fixed: 5 } });
  expect((await routed(id, 100))[0]).toBe('woovi price_range');
  await app.services.credentials.update(caller, fixed, { fees: null });
  expect((await routed(id, 100))[0]).toBe('woovi price_range');
  const [listed] = await app.services.ruleSets.list(caller);
  expect(listed?.warnings.map(({ kind }) => kind)).toContain('no_fees');
});

test('the cheapest asks no more of callers', async () => {
  await query(app.databaseUrl, `UPDATE credential SET needs_payer = '{document}' WHERE id = $1`, [fixed]);
  const { id } = await app.services.ruleSets.create(caller, 'Test', rules());
  const { status, body } = await (await client()).post('/v1/payments', { amount: 100, ruleSetId: id });
  expect(status).toBe(201);
  expect(await attemptsOf(app.databaseUrl, body.id as string)).toMatchObject([
    { provider: 'pagarme', outcome: 'skipped' },
    { provider: 'woovi', reason: 'price_range' },
  ]);
});

test('what is explained, listed and replaced has the preference', async () => {
  const { id, prefer } = await app.services.ruleSets.create(caller, 'Test', rules());
  expect(prefer).toBe('cheapest');
  expect((await app.services.ruleSets.explain(caller, id, 100)).candidates).toMatchObject([
    { credentialId: fixed, reason: 'cheapest' },
    { credentialId: percent, reason: 'price_range' },
  ]);
  const { prefer: _prefer, ...others } = rules();
  expect(await app.services.ruleSets.update(caller, id, { rules: others })).toMatchObject({ prefer: null });
  const [entry] = (await app.services.audit.list(caller, { limit: 1, cursor: undefined })).data;
  expect(entry).toMatchObject({ details: { from: { prefer: 'cheapest' }, to: { prefer: null } } });
});
