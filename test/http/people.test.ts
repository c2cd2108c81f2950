import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/services/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { createKey } from '../support/factories.ts';
import { createPerson, openSession, postSignIn, signIn } from '../support/people.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1', ROLE: 'api' });
});

afterAll(() => app.stop());

const payer = { name: 'Fulano de Tal', document: '123.456.789-09', email: 'fulano@example.com' };

/** A paid payment with a payer, made with a key. */
async function paidPayment(organizationId: string): Promise<string> {
  const { key } = await createKey(app.services, { organizationId });
  const client = createClient(app.baseUrl, key);
  const { body } = await client.post('/v1/payments', { amount: 19.9, externalId: 'order-1', payer });
  await client.post(`/v1/sandbox/payments/${body.id}/pay`);
  return body.id as string;
}

const data = async (client: Client, text: string, variables: object = {}) => {
  const { body } = await client.graphql(text, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
};

const codeOf = async (client: Client, text: string, variables: object = {}): Promise<string | undefined> =>
  (await client.graphql(text, variables)).body.errors?.[0].extensions.code;

describe('a payer', () => {
  const fields = 'payerName payerDocument payerEmail';
  const texts = (id: string) => `{
    payment(id: "${id}") { ${fields} }
    payments { edges { node { ${fields} } } }
    events { edges { node { data { ${fields} } } } }
    searchPayments(text: "order-1") { ${fields} }
    paymentDetail(id: "${id}") { payment { ${fields} } events { data { ${fields} } } }
  }`;

  test('is masked for a viewer, wherever a payment is shown', async () => {
    const { client, organizationId } = await openSession(app, { role: 'viewer' });
    const shown = JSON.stringify(await data(client, texts(await paidPayment(organizationId))));
    for (const secret of ['de Tal', '123', '456', '789', 'fulano@']) expect(shown).not.toContain(secret);
    expect(shown.match(/"payerDocument":"\*+09"/g)).toHaveLength(6);
    expect(shown.match(/"payerName":"Fulano \*\*\*"/g)).toHaveLength(6);
    expect(shown.match(/"payerEmail":"f\*\*\*@example.com"/g)).toHaveLength(6);
  });

  test('is not to be found by a viewer who guesses the document', async () => {
    const { client, organizationId } = await openSession(app, { role: 'viewer' });
    await paidPayment(organizationId);
    const found = await data(client, '{ searchPayments(text: "12345678909") { id } }');
    expect(found).toEqual({ searchPayments: [] });
  });

  test('is shown to support', async () => {
    const { client, organizationId } = await openSession(app, { role: 'support' });
    const shown = JSON.stringify(await data(client, texts(await paidPayment(organizationId))));
    expect(shown.match(/"payerDocument":"123.456.789-09"/g)).toHaveLength(6);
  });
});

describe('the search', () => {
  const search = async (client: Client, text: string): Promise<string[]> => {
    const found = await data(client, 'query ($text: String!) { searchPayments(text: $text) { id } }', {
      text,
    });
    return found.searchPayments.map((payment: { id: string }) => payment.id);
  };

  test.each([
    ['its external id', 'order-1'],
    ['the document as it was sent', payer.document],
    ['the document without punctuation', '12345678909'],
    ['the amount', '19.90'],
    ['the amount with a comma', '19,9'],
    ['the amount as people write it', 'R$ 19,90'],
  ])('finds a payment by %s', async (_name, text) => {
    const { client, organizationId } = await openSession(app);
    const id = await paidPayment(organizationId);
    expect(await search(client, ` ${text} `)).toEqual([id]);
  });

  test('finds a payment by its id, in the mode and organization that one works in', async () => {
    const { client, organizationId } = await openSession(app);
    const stranger = await openSession(app);
    const id = await paidPayment(organizationId);
    expect(await search(client, id.toUpperCase())).toEqual([id]);
    expect(await search(stranger.client, id)).toEqual([]);
    const text = `{ searchPayments(text: "${id}") { id } }`;
    const { body } = await client.graphql(text, {}, { 'X-Mode': 'live' });
    expect(body.data.searchPayments).toEqual([]);
  });

  test.each(['', '   ', 'x'.repeat(256), 'a\u0000b'])('refuses %j', async (text) => {
    const { client } = await openSession(app);
    const query = 'query ($text: String!) { searchPayments(text: $text) { id } }';
    expect(await codeOf(client, query, { text })).toBe('BAD_USER_INPUT');
  });

  test.each(['%', "'", '99999999999999', '19.999', 'order'])('finds nothing by %j', async (text) => {
    const { client, organizationId } = await openSession(app);
    await paidPayment(organizationId);
    expect(await search(client, text)).toEqual([]);
  });
});

describe('statistics', () => {
  const text = `query ($from: DateTime!, $to: DateTime!) { statistics(from: $from, to: $to) {
    created completed volume conversion medianSecondsToPay
    buckets { start created completed volume medianSecondsToPay } } }`;
  const hour = 3_600_000;
  const around = (hours: number) => {
    const from = new Date(Date.now() - hour / 2);
    return { from: from.toISOString(), to: new Date(from.getTime() + hours * hour).toISOString() };
  };

  test('count what was created and paid, in hours', async () => {
    const { client, organizationId } = await openSession(app);
    await paidPayment(organizationId);
    await data(client, 'mutation { createTestPayment(input: { amount: 5 }) { id } }');
    const range = around(3);
    const { statistics } = await data(client, text, range);
    const counts = { created: 2, completed: 1, volume: 19.9, medianSecondsToPay: expect.any(Number) };
    expect(statistics).toMatchObject({ ...counts, conversion: 0.5 });
    const empty = { created: 0, completed: 0, volume: 0, medianSecondsToPay: null };
    const start = (hours: number) => new Date(Date.parse(range.from) + hours * hour).toISOString();
    expect(statistics.buckets).toEqual([
      { start: range.from, ...counts },
      { start: start(1), ...empty },
      { start: start(2), ...empty },
    ]);
  });

  test('are of the own organization and mode', async () => {
    const { client } = await openSession(app);
    await paidPayment((await createPerson(app)).organizationId);
    const { statistics } = await data(client, text, around(1));
    expect(statistics).toMatchObject({ created: 0, conversion: 0, medianSecondsToPay: null });
  });

  test('come in days beyond two days', async () => {
    const { client } = await openSession(app);
    expect((await data(client, text, around(92 * 24))).statistics.buckets).toHaveLength(92);
    expect((await data(client, text, around(48))).statistics.buckets).toHaveLength(48);
  });

  test.each([0, -1, 92 * 24 + 1])('refuse a time of %d hours', async (hours) => {
    const { client } = await openSession(app);
    expect(await codeOf(client, text, around(hours))).toBe('BAD_USER_INPUT');
  });
});

describe('one payment', () => {
  const detail = `query ($id: ID!) { paymentDetail(id: $id) {
    payment { status } paidLate duplicatePayment
    attempts { position provider reason outcome } events { type sequence }
    deliveries { eventType status } refunds { amount status } } }`;

  test('is told with its tries, events, deliveries and refunds', async () => {
    const { client, organizationId } = await openSession(app);
    const endpoint = { url: 'https://shop.example.com/hook' };
    await app.services.webhookEndpoints.create(operatorFor(organizationId, 'test'), endpoint);
    const id = await paidPayment(organizationId);
    await data(client, 'mutation ($id: ID!) { refundPayment(id: $id, amount: 5) { id } }', { id });
    expect((await data(client, detail, { id })).paymentDetail).toEqual({
      payment: { status: 'completed' },
      paidLate: false,
      duplicatePayment: false,
      attempts: [{ position: 0, provider: 'sandbox', reason: 'no_credential', outcome: 'created' }],
      events: [{ type: 'payment_completed', sequence: 1 }],
      deliveries: [{ eventType: 'payment_completed', status: 'pending' }],
      refunds: [{ amount: 5, status: 'completed' }],
    });
  });

  test('of others is not there, nor what is no id', async () => {
    const { client } = await openSession(app);
    const id = await paidPayment((await createPerson(app)).organizationId);
    for (const other of [id, randomUUID(), 'x']) {
      expect(await codeOf(client, detail, { id: other })).toBe('NOT_FOUND');
    }
  });
});

describe('organizations are apart', () => {
  test("nobody manages another's keys, credentials, rules, webhooks or members", async () => {
    const { client } = await openSession(app);
    const other = await createPerson(app);
    const operator = operatorFor(other.organizationId, 'test');
    const { apiKeys, credentials, ruleSets, webhookEndpoints } = app.services;
    const key = await apiKeys.create(operator);
    const sandbox = { provider: 'sandbox', name: 'x', settings: {}, isDefault: true };
    const credential = await credentials.create(operator, sandbox);
    const ruleSet = await ruleSets.create(operator, 'x', { defaultCredentialId: credential.id });
    const endpoint = await webhookEndpoints.create(operator, { url: 'https://shop.example.com' });
    const texts = [
      `mutation { revokeApiKey(id: "${key.id}") { id } }`,
      `mutation { setCredentialEnabled(id: "${credential.id}", enabled: false) { id } }`,
      `mutation { setDefaultCredential(id: "${credential.id}") { id } }`,
      `mutation { checkCredential(id: "${credential.id}") { ok } }`,
      `{ explainRuleSet(id: "${ruleSet.id}", amount: 1) { provider } }`,
      `mutation { rotateWebhookSecret(id: "${endpoint.id}") { secret } }`,
      `mutation { setMemberRole(userId: "${other.userId}", role: viewer) { role } }`,
      `mutation { removeMember(userId: "${other.userId}") }`,
    ];
    for (const text of texts) expect(await codeOf(client, text)).toBe('NOT_FOUND');
    const input = { name: 'x', ranges: [], defaultCredentialId: credential.id };
    const create = 'mutation ($input: CreateRuleSetInput!) { createRuleSet(input: $input) { id } }';
    expect(await codeOf(client, create, { input })).toBe('BAD_USER_INPUT');
    const lists =
      '{ apiKeys { id } credentials { id } ruleSets { id } webhookEndpoints { id } members { email } }';
    const seen = await data(client, lists);
    expect(seen).toMatchObject({ apiKeys: [], credentials: [], ruleSets: [], webhookEndpoints: [] });
    expect(seen.members).toHaveLength(1);
  });
});

describe('members', () => {
  const invite = `mutation ($email: String!, $role: Role!) {
    inviteMember(email: $email, name: "Sicrana", role: $role) { member { userId role } temporaryPassword } }`;

  test('are invited with a password that opens a session', async () => {
    const { client } = await openSession(app);
    const email = `${randomUUID()}@Example.com`;
    const { inviteMember } = await data(client, invite, { email, role: 'viewer' });
    const password = inviteMember.temporaryPassword as string;
    expect((await postSignIn(app, '/sign-in/email', { email, password })).status).toBe(200);
    expect(await codeOf(client, invite, { email, role: 'owner' })).toBe('CONFLICT');
  });

  test('of another organization join with the password they have', async () => {
    const { client } = await openSession(app);
    const known = await createPerson(app);
    const { inviteMember } = await data(client, invite, { email: known.email, role: 'support' });
    expect(inviteMember).toEqual({
      member: { userId: known.userId, role: 'support' },
      temporaryPassword: '',
    });
    await signIn(app, known);
  });

  test.each(['x', 'a@b', '', `${'x'.repeat(250)}@example.com`])('need an address: %j', async (email) => {
    const { client } = await openSession(app);
    expect(await codeOf(client, invite, { email, role: 'viewer' })).toBe('BAD_USER_INPUT');
  });

  test('keep at least one owner', async () => {
    const { client, userId, organizationId } = await openSession(app);
    const demote = 'mutation ($userId: ID!) { setMemberRole(userId: $userId, role: viewer) { role } }';
    const remove = 'mutation ($userId: ID!) { removeMember(userId: $userId) }';
    expect(await codeOf(client, demote, { userId })).toBe('CONFLICT');
    expect(await codeOf(client, remove, { userId })).toBe('CONFLICT');
    await createPerson(app, { organizationId });
    expect(await codeOf(client, demote, { userId })).toBeUndefined();
    expect(await codeOf(client, remove, { userId })).toBe('FORBIDDEN');
  });
});

describe('a viewer', () => {
  test('sees credentials without the token of their notification address', async () => {
    const owner = await openSession(app);
    const viewer = await openSession(app, { organizationId: owner.organizationId, role: 'viewer' });
    const create = `mutation { createCredential(input: { provider: "sandbox", name: "x", settings: {} }) { notificationUrl } }`;
    const { createCredential } = await data(owner.client, create);
    const { credentials } = await data(viewer.client, '{ credentials { notificationUrl } }');
    expect(createCredential.notificationUrl).toMatch(/\/psp\/sandbox\/[\w-]{32}$/);
    expect(credentials).toEqual([{ notificationUrl: expect.stringMatching(/\/psp\/sandbox\/\*\*\*$/) }]);
  });
});
