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

test('whether a create is refused for what is missing of the payer is no matter of chance', async () => {
  await query(app.databaseUrl, `UPDATE credential SET needs_payer = '{document}' WHERE id = $1`, [usual.id]);
  const third = await insertCredential(app.databaseUrl, caller.organizationId, { provider: 'woovi' });
  await query(app.databaseUrl, `UPDATE credential SET needs_payer = '{document}' WHERE id = $1`, [third.id]);
  const client = await clientOf();
  const outcomesOf = async (rules: object) => {
    const { id: ruleSetId } = await ruleSet(rules);
    const create = () => client.post('/v1/payments', { amount: 10, ruleSetId });
    const made = await Promise.all(Array.from({ length: 20 }, create));
    return [...new Set(made.map(({ status, body }) => `${status} ${body.provider}`))];
  };
  const half = { credentialId: second.id, percent: 50 };
  expect(await outcomesOf({ split: [half] })).toEqual(['201 pagarme']);
  const demanding = { credentialId: third.id, percent: 40 };
  expect(await outcomesOf({ split: [half, demanding] })).toEqual(['201 pagarme']);
  const shares = [
    { credentialId: usual.id, percent: 50 },
    { credentialId: third.id, percent: 50 },
  ];
  expect(await outcomesOf({ split: shares, fallbackCredentialIds: [second.id] })).toEqual(['201 pagarme']);
  expect(await outcomesOf({ split: shares })).toEqual(['400 undefined']);
});

test('hours ask nothing more of callers', async () => {
  await query(app.databaseUrl, `UPDATE credential SET needs_payer = '{document}' WHERE id = $1`, [second.id]);
  const when = [{ from: '00:00', to: '00:00', credentialId: second.id }];
  const { id: ruleSetId } = await ruleSet({ when });
  const client = await clientOf();
  const { status, body } = await client.post('/v1/payments', { amount: 10, ruleSetId });
  expect([status, body.provider]).toEqual([201, 'woovi']);
  const payer = { document: '529.982.247-25' };
  const known = await client.post('/v1/payments', { amount: 10, ruleSetId, payer });
  expect([known.status, known.body.provider]).toEqual([201, 'pagarme']);
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
  const unknown = await refusal({ split: [share(1), share(1, randomUUID())] });
  expect(unknown).toMatch(/^split\.1\.credentialId names credential .*does not exist in this organization/);
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

test('explaining says who is tried first where shares or ranges are skipped, diverted or without a default', async () => {
  const { organizationId } = caller;
  const off = await insertCredential(app.databaseUrl, organizationId, { provider: 'asaas', enabled: false });
  const explained = async (rules: object) => {
    const { id } = await ruleSet(rules);
    const { candidates } = await app.services.ruleSets.explain(caller, id, 10);
    return candidates.map(({ credentialId, percent }) => {
      const names: Record<string, string> = { [usual.id]: 'usual', [second.id]: 'second', [off.id]: 'off' };
      return `${names[credentialId]} ${percent}`;
    });
  };
  const share = ({ id }: TestCredential, percent: number) => ({ credentialId: id, percent });
  expect(
    await explained({ ranges: [{ from: 1, to: 100, credentialId: off.id }], split: [share(second, 30)] }),
  ).toEqual(['off null', 'second 30', 'usual 70']);
  expect(await explained({ split: [share(off, 29), share(second, 30)] })).toEqual([
    'off null',
    'second 59',
    'usual 41',
  ]);
  await app.services.diversions.divert(caller, second.id, usual.id);
  expect(await explained({ split: [share(second, 30)] })).toEqual(['usual 100', 'second null']);
  await app.services.diversions.end(caller, second.id);
  await query(app.databaseUrl, 'UPDATE organization SET default_credential_id = NULL WHERE id = $1', [
    organizationId,
  ]);
  expect(await explained({ split: [share(second, 30), share(usual, 20)] })).toEqual([
    'second 30',
    'usual 70',
  ]);
});
