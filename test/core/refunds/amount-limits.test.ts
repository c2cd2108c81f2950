import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Mode } from '../../../src/core/base/mode.ts';
import { type OperatorCaller, operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';
import { insertCredential, insertRuleSet, type TestCredential } from '../../support/routing.ts';

let app: TestApp;
let caller: OperatorCaller;
let asaas: TestCredential;
let woovi: TestCredential;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
});

beforeEach(async () => {
  caller = operatorFor((await app.services.organizations.create(`Test ${randomUUID()}`)).id, 'test');
  const { organizationId } = caller;
  asaas = await insertCredential(app.databaseUrl, organizationId, { provider: 'asaas' });
  woovi = await insertCredential(app.databaseUrl, organizationId, { provider: 'woovi' });
});

afterAll(() => app.stop());

const post = async (mode: Mode, body: object) => {
  const { key } = await createKey(app.services, { organizationId: caller.organizationId, mode });
  return createClient(app.baseUrl, key).post('/v1/payments', body);
};

const rules = (
  ranges: [from: number, to: number, credential: TestCredential][],
  fallbacks: TestCredential[],
) =>
  insertRuleSet(app.databaseUrl, caller.organizationId, {
    ranges: ranges.map(([from, to, credential]) => ({ from, to, credential })),
    fallbacks,
  });

const rule = 'amount must be at least 5.00: asaas requires it';

describe.each(['test', 'live'] as const)(
  'an amount below the minimum of its provider, in %s mode',
  (mode) => {
    test('is refused for the named credential, with the field, the limit and the rule', async () => {
      const answer = await post(mode, { amount: 4.99, credentialId: asaas.id });
      expect(answer).toMatchObject({ status: 400, body: { error: 'BadRequest', message: rule } });
      expect(answer.headers.get('X-Error-Code')).toBe('amount_not_accepted');
    });

    test('is refused when no candidate accepts it, and nothing is stored', async () => {
      const ruleSetId = await rules([[0.01, 100, asaas]], [asaas]);
      expect(await post(mode, { amount: 1, ruleSetId })).toMatchObject({
        status: 400,
        body: { message: rule },
      });
      const { organizationId } = caller;
      const stored = 'SELECT id FROM payment WHERE organization_id = $1';
      expect(await query(app.databaseUrl, stored, [organizationId])).toEqual([]);
    });
  },
);

test('a disabled candidate is no reason to change the amount', async () => {
  const off = await insertCredential(app.databaseUrl, caller.organizationId, {
    provider: 'asaas',
    enabled: false,
  });
  const ruleSetId = await rules([[0.01, 100, off]], []);
  const answer = await post('test', { amount: 1, ruleSetId });
  expect(answer.headers.get('X-Error-Code')).toBe('no_usable_credential');
});

test('the minimum itself is accepted', async () => {
  const payer = { name: 'Gumercindo', document: '52998224725' };
  expect((await post('test', { amount: 5, credentialId: asaas.id, payer })).status).toBe(201);
});

test('a candidate whose provider does not accept the amount is skipped, and the attempt says why', async () => {
  const ruleSetId = await rules([[0.01, 100, asaas]], [woovi]);
  const answer = await post('test', { amount: 4.99, ruleSetId });
  expect(answer).toMatchObject({ status: 201, body: { provider: 'woovi' } });
  const attempts = await query(
    app.databaseUrl,
    'SELECT provider, outcome::text, error FROM payment_attempt WHERE payment_id = $1 ORDER BY position',
    [answer.body.id],
  );
  expect(attempts).toEqual([
    { provider: 'asaas', outcome: 'skipped', error: 'amount_too_small' },
    { provider: 'woovi', outcome: 'created', error: null },
  ]);
});

test('a routing trial and the warnings of the rule set say the same', async () => {
  const id = await rules([[0.01, 100, asaas]], []);
  const skippedAt = async (amount: number) =>
    (await app.services.ruleSets.explain(caller, id, amount)).candidates.map(({ skipped }) => skipped);
  expect(await skippedAt(4.99)).toEqual(['amount_too_small']);
  expect(await skippedAt(5)).toEqual([null]);
  const [listed] = await app.services.ruleSets.list(caller);
  expect(listed?.warnings.map(({ message }) => message)).toEqual([
    'no enabled credential takes 0.01 to 4.99',
    'no enabled credential takes 100.01 to 9999999999.99',
    `credential ${asaas.id} will be skipped for 0.01 to 4.99: its provider requires at least 5.00`,
  ]);
});
