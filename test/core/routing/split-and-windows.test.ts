import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type OperatorCaller, operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';
import { attemptsOf } from '../../support/live.ts';
import { insertCredential, type TestCredential } from '../../support/routing.ts';

let app: TestApp;
let caller: OperatorCaller;
let usual: TestCredential;
let second: TestCredential;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
});

beforeEach(async () => {
  caller = operatorFor((await app.services.organizations.create(`Test ${randomUUID()}`)).id, 'test');
  const { organizationId } = caller;
  usual = await insertCredential(app.databaseUrl, organizationId, { provider: 'woovi', isDefault: true });
  second = await insertCredential(app.databaseUrl, organizationId, { provider: 'pagarme' });
});

afterAll(() => app.stop());

const clientOf = async () =>
  createClient(
    app.baseUrl,
    (await createKey(app.services, { organizationId: caller.organizationId, mode: 'test' })).key,
  );

const ruleSet = (rules: object) => app.services.ruleSets.create(caller, 'Test', rules);

test('a split shares payments out, and a key that is sent again keeps its share', async () => {
  const { id: ruleSetId } = await ruleSet({ split: [{ credentialId: second.id, percent: 50 }] });
  const client = await clientOf();
  const create = async (key: string) =>
    (await client.post('/v1/payments', { amount: 10, ruleSetId }, { 'Idempotency-Key': key })).body;
  const keys = Array.from({ length: 30 }, () => randomUUID());
  const made = await Promise.all(keys.map(create));
  expect(new Set(made.map(({ provider }) => provider))).toEqual(new Set(['woovi', 'pagarme']));
  expect((await Promise.all(keys.map(create))).map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  for (const { id, provider } of made) {
    const [first, then] = await attemptsOf(app.databaseUrl, id as string);
    expect(first).toMatchObject({ provider, reason: provider === 'pagarme' ? 'split' : 'default' });
    expect(then).toMatchObject({ reason: provider === 'pagarme' ? 'default' : 'fallback' });
  }
});

test('a split asks nothing more of callers, but of the payers of a link', async () => {
  await query(app.databaseUrl, `UPDATE credential SET needs_payer = '{document}' WHERE id = $1`, [second.id]);
  const { id: ruleSetId } = await ruleSet({ split: [{ credentialId: second.id, percent: 100 }] });
  const client = await clientOf();
  const { status, body } = await client.post('/v1/payments', { amount: 10, ruleSetId });
  expect([status, body.provider]).toEqual([201, 'woovi']);
  expect(await attemptsOf(app.databaseUrl, body.id as string)).toMatchObject([
    { provider: 'pagarme', reason: 'split', outcome: 'skipped' },
    { provider: 'woovi', reason: 'default', outcome: 'created' },
  ]);
  const link = await client.post('/v1/payment-links', { amount: 10, ruleSetId });
  const page = await (await fetch(new URL(new URL(link.body.url as string).pathname, app.baseUrl))).text();
  expect(page).toContain('name="document"');
});

test('a window goes by the clock of test mode', async () => {
  const { id: ruleSetId } = await ruleSet({
    when: [{ from: '22:00', to: '06:00', credentialId: second.id }],
  });
  const client = await clientOf();
  const providerAt = async (time: string) => {
    const to = `2030-01-${time.slice(0, 2)}T${time.slice(3)}:00-03:00`;
    expect((await client.post('/v1/sandbox/clock', { to })).status).toBe(200);
    return (await client.post('/v1/payments', { amount: 10, ruleSetId })).body.provider;
  };
  expect(await providerAt('10 21:59')).toBe('woovi');
  expect(await providerAt('10 22:00')).toBe('pagarme');
  expect(await providerAt('11 05:59')).toBe('pagarme');
  expect(await providerAt('11 06:00')).toBe('woovi');
});

test('a credential stays as long as a split or a window names it', async () => {
  const split = await ruleSet({ split: [{ credentialId: second.id, percent: 1 }] });
  const problems = async () =>
    app.services.credentials.remove(caller, second.id).then(
      () => [],
      (error: unknown) => (error as { context: { problems: unknown[] } }).context.problems,
    );
  expect(await problems()).toMatchObject([{ rule: 'in_rule_sets', params: { ids: [split.id] } }]);
  const when = [{ from: '00:00', to: '00:00', days: ['sun'], credentialId: second.id }];
  await app.services.ruleSets.update(caller, split.id, { rules: { when } });
  expect(await problems()).toMatchObject([{ rule: 'in_rule_sets', params: { ids: [split.id] } }]);
  await app.services.ruleSets.update(caller, split.id, { rules: {} });
  expect(await problems()).toEqual([]);
});

test('what a split or a window may not be is named', async () => {
  const credentialId = second.id;
  const refusal = (rules: object) =>
    ruleSet(rules).then(
      () => 'none',
      (error: unknown) => (error as Error).message,
    );
  const share = (percent: number, id = credentialId) => ({ credentialId: id, percent });
  expect(await refusal({ split: [share(60), share(41, usual.id)] })).toBe(
    'split must not share out more than 100 percent',
  );
  expect(await refusal({ split: [share(10), share(10)] })).toBe('split must not have a credential twice');
  expect(await refusal({ split: [share(0.5)] })).toBe('split.0.percent must be a whole number');
  expect(await refusal({ split: [share(1, randomUUID())] })).toMatch('does not exist in this organization');
  const window = { from: '22:00', to: '06:00', credentialId };
  expect(await refusal({ when: [{ ...window, to: '24:00' }] })).toBe(
    'when.0.to must be a time such as "22:00"',
  );
  expect(await refusal({ when: [{ ...window, days: [] }] })).toBe('when.0.days must name a day');
  expect(await refusal({ when: [{ ...window, days: ['sun', 'sun'] }] })).toBe(
    'when.0.days must not have a day twice',
  );
  expect(await refusal({ when: [{ ...window, days: ['domingo'] }] })).toMatch('must be one of sun, mon');
});

test('explaining lists the shares, and what the default keeps', async () => {
  const { id } = await ruleSet({
    when: [{ from: '22:00', to: '06:00', credentialId: usual.id }],
    split: [{ credentialId: second.id, percent: 30 }],
  });
  const explained = async (time: string) =>
    (
      await app.services.ruleSets.explain(caller, id, 10, new Date(`2030-01-01T${time}-03:00`))
    ).candidates.map(({ provider, reason, percent }) => ({ provider, reason, percent }));
  expect(await explained('12:00:00')).toEqual([
    { provider: 'pagarme', reason: 'split', percent: 30 },
    { provider: 'woovi', reason: 'default', percent: 70 },
  ]);
  expect(await explained('23:00:00')).toEqual([
    { provider: 'woovi', reason: 'time_window', percent: null },
    { provider: 'pagarme', reason: 'split', percent: null },
  ]);
});
