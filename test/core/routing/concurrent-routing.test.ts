import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { createKey } from '../../support/factories.ts';
import { insertCredential, insertRuleSet } from '../../support/routing.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
});

afterAll(() => app.stop());

/** Has a credential, and a rule set that leads to another one. */
async function newOrganization() {
  const { id: organizationId } = await app.services.organizations.create(`Test ${randomUUID()}`);
  const credential = await insertCredential(app.databaseUrl, organizationId, { provider: 'woovi' });
  const ruled = await insertCredential(app.databaseUrl, organizationId, { provider: 'pagarme' });
  const ruleSetId = await insertRuleSet(app.databaseUrl, organizationId, {
    ranges: [{ from: 0.01, to: 100, credential: ruled }],
    fallbacks: [credential],
  });
  const { key } = await createKey(app.services, { organizationId, mode: 'test' });
  const { post } = createClient(app.baseUrl, key);
  const payer = { name: 'Gumercindo', document: '52998224725', email: 'gumercindo@example.com' };
  const create = async (routing: object) => {
    const { status, headers, body } = await post('/v1/payments', { amount: 10, payer, ...routing });
    return status === 201 ? body.provider : headers.get('X-Error-Code');
  };
  return { credentialId: credential.id, ruleSetId, create };
}

test('payments created at once go where their own organization sends them', async () => {
  const [one, other] = await Promise.all([newOrganization(), newOrganization()]);
  const made = await Promise.all(
    [one, other].flatMap(({ create, credentialId, ruleSetId }) => [
      create({ credentialId }),
      create({ credentialId: credentialId.toUpperCase() }),
      create({ ruleSetId }),
      create({ ruleSetId: ruleSetId.toUpperCase() }),
      create({ credentialId: randomUUID() }),
      create({ credentialId: 'main' }),
      create({}),
    ]),
  );
  const expected = [
    'woovi',
    'woovi',
    'pagarme',
    'pagarme',
    'credential_not_usable',
    'credential_not_usable',
    'sandbox',
  ];
  expect(made).toEqual([...expected, ...expected]);
});

test('credentials and rule sets of others do not exist, even beside their own requests', async () => {
  const [one, other] = await Promise.all([newOrganization(), newOrganization()]);
  const made = await Promise.all([
    one.create({ credentialId: other.credentialId }),
    other.create({ credentialId: other.credentialId }),
    one.create({ ruleSetId: other.ruleSetId }),
    other.create({ ruleSetId: other.ruleSetId }),
  ]);
  expect(made).toEqual(['credential_not_usable', 'woovi', 'rule_set_not_usable', 'pagarme']);
});
