import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { auditEntry } from '../../src/core/audit/audit.ts';
import { deafMailServer, startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { query } from '../support/database.ts';
import { createKey } from '../support/factories.ts';
import { openSession } from '../support/people.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ ...deafMailServer, TRUST_PROXY: '1', ROLE: 'api' });
});

afterAll(() => app.stop());

interface Entry {
  actor: string;
  action: string;
  subject: string;
  details: Record<string, unknown>;
}

const data = async (client: Client, text: string, variables: object = {}) => {
  const { body } = await client.graphql(text, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
};

async function entriesOf(client: Client): Promise<Entry[]> {
  const { auditLog } = await data(
    client,
    '{ auditLog(first: 100) { edges { node { actor action subject details } } } }',
  );
  return auditLog.edges.map(({ node }: { node: Entry }) => node);
}

const mutation = (call: string) => `mutation { ${call} }`;

describe('changes by people are in the log, with the person and what they changed', () => {
  type Prepare = (organizationId: string, client: Client) => Promise<string>;
  const nothing: Prepare = () => Promise.resolve('');
  const endpoint: Prepare = async (organizationId) => {
    const operator = operatorFor(organizationId, 'test');
    return (await app.services.webhookEndpoints.create(operator, { url: 'https://shop.example.com' })).id;
  };
  const credential: Prepare = async (organizationId) => {
    const sandbox = { provider: 'sandbox', name: 'x', settings: {}, isDefault: false };
    return (await app.services.credentials.create(operatorFor(organizationId), sandbox)).id;
  };
  const diverted: Prepare = async (organizationId) => {
    const caller = operatorFor(organizationId);
    const [from, to] = await Promise.all(
      ['x', 'y'].map((name) =>
        app.services.credentials.create(caller, {
          provider: 'woovi',
          name,
          settings: { appId: 'x' },
          isDefault: false,
        }),
      ),
    );
    await app.services.diversions.divert(caller, from?.id ?? '', to?.id ?? '');
    return from?.id ?? '';
  };
  const ruleSet: Prepare = async (organizationId) =>
    (await app.services.ruleSets.create(operatorFor(organizationId), 'x', {})).id;
  const key: Prepare = async (organizationId) => (await createKey(app.services, { organizationId })).id;
  const member: Prepare = async (organizationId) => {
    const invited = { email: `${randomUUID()}@example.com`, role: 'viewer' };
    return (await app.services.members.create(operatorFor(organizationId), invited)).member.userId;
  };
  const invitation: Prepare = async (organizationId) => {
    const invited = { email: `${randomUUID()}@example.com`, role: 'viewer' };
    return (await app.services.invitations.invite(operatorFor(organizationId), invited)).invitation.id;
  };
  const payment: Prepare = async (_organizationId, client) =>
    (await data(client, mutation('createTestPayment(input: { amount: 7 }) { id }'))).createTestPayment.id;
  const paidPayment: Prepare = async (organizationId, client) => {
    const id = await payment(organizationId, client);
    await data(client, mutation(`simulatePayment(id: "${id}") { id }`));
    return id;
  };
  const delivery: Prepare = async (organizationId, client) => {
    const endpointId = await endpoint(organizationId, client);
    await paidPayment(organizationId, client);
    const rows = await query<{ id: string }>(
      app.databaseUrl,
      'SELECT id FROM webhook_delivery WHERE endpoint_id = $1',
      [endpointId],
    );
    return rows[0]?.id ?? '';
  };

  const cases: [action: string, Prepare, call: (id: string) => string][] = [
    ['api_key.create', nothing, () => 'createApiKey(input: {}) { apiKey { id } }'],
    ['api_key.update', key, (id) => `updateApiKey(id: "${id}", input: { name: "y" }) { id }`],
    ['api_key.revoke', key, (id) => `revokeApiKey(id: "${id}") { id }`],
    [
      'credential.create',
      nothing,
      () => 'createCredential(input: { provider: "sandbox", name: "x", settings: {} }) { id }',
    ],
    [
      'credential.update',
      credential,
      (id) => `updateCredential(id: "${id}", input: { name: "y", settings: {} }) { id }`,
    ],
    ['credential.disable', credential, (id) => `setCredentialEnabled(id: "${id}", enabled: false) { id }`],
    ['credential.set_default', credential, (id) => `setDefaultCredential(id: "${id}") { id }`],
    ['credential.set_default_fallbacks', nothing, () => 'setDefaultFallbacks(ids: [])'],
    ['credential.end_diversion', diverted, (id) => `endCredentialDiversion(id: "${id}")`],
    ['credential.check', credential, (id) => `checkCredential(id: "${id}") { ok }`],
    ['credential.register_webhook', credential, (id) => `registerCredentialWebhook(id: "${id}") { outcome }`],
    ['rule_set.create', nothing, () => 'createRuleSet(input: { name: "x", ranges: [] }) { id }'],
    [
      'rule_set.update',
      ruleSet,
      (id) => `updateRuleSet(id: "${id}", input: { name: "y", ranges: [] }) { id }`,
    ],
    ['rule_set.delete', ruleSet, (id) => `deleteRuleSet(id: "${id}")`],
    [
      'webhook_endpoint.create',
      nothing,
      () => 'createWebhookEndpoint(input: { url: "https://shop.example.com" }) { endpoint { id } }',
    ],
    ['webhook_endpoint.update', endpoint, (id) => `updateWebhookEndpoint(id: "${id}", input: {}) { id }`],
    [
      'webhook_endpoint.disable',
      endpoint,
      (id) => `setWebhookEndpointEnabled(id: "${id}", enabled: false) { id }`,
    ],
    ['webhook_endpoint.rotate_secret', endpoint, (id) => `rotateWebhookSecret(id: "${id}") { secret }`],
    [
      'webhook_endpoint.resend_since',
      endpoint,
      (id) => `resendWebhookDeliveriesSince(endpointId: "${id}", since: "2026-01-01T00:00:00Z")`,
    ],
    ['webhook_delivery.resend', delivery, (id) => `resendWebhookDelivery(id: "${id}") { id }`],
    ['payment.create', nothing, () => 'createTestPayment(input: { amount: 7 }) { id }'],
    ['payment.simulate', payment, (id) => `simulatePayment(id: "${id}") { id }`],
    ['payment.cancel', payment, (id) => `cancelPayment(id: "${id}") { id }`],
    ['payment.refund', paidPayment, (id) => `refundPayment(id: "${id}", amount: 2) { id }`],
    [
      'member.invite',
      nothing,
      () => `inviteMember(email: "${randomUUID()}@example.com", name: "x", role: viewer) { url }`,
    ],
    ['member.revoke_invitation', invitation, (id) => `revokeInvitation(id: "${id}")`],
    ['member.set_role', member, (id) => `setMemberRole(userId: "${id}", role: support) { role }`],
    ['member.remove', member, (id) => `removeMember(userId: "${id}")`],
  ];

  test.each(cases)('%s', async (action, prepare, call) => {
    const { client, organizationId, email } = await openSession(app);
    const id = await prepare(organizationId, client);
    const before = await entriesOf(client);
    await data(client, mutation(call(id)));
    const [entry, ...rest] = await entriesOf(client);
    expect(rest).toEqual(before);
    expect(entry).toMatchObject({ actor: email, action, details: { mode: 'test' } });
    expect(entry?.subject).toEqual(id === '' ? expect.stringMatching(/^[0-9a-f-]{36}$/) : id);
  });
});

describe('the log', () => {
  test('names the operator, and records nothing that a key creates', async () => {
    const { client, email, organizationId } = await openSession(app);
    const { key } = await createKey(app.services, { organizationId });
    await createClient(app.baseUrl, key).post('/v1/payments', { amount: 1 });
    const entries = await entriesOf(client);
    expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
      ['operator', 'api_key.create'],
      [email, 'session.sign_in'],
      ['operator', 'member.create'],
    ]);
  });

  test('names what was changed as it is stored, however the caller wrote its id', async () => {
    const { client, organizationId } = await openSession(app);
    const { members, apiKeys, webhookEndpoints, invitations } = app.services;
    const operator = operatorFor(organizationId, 'test');
    const invited = { email: `${randomUUID()}@example.com`, role: 'viewer' };
    const subjects = {
      'member.set_role': (await members.create(operator, invited)).member.userId,
      'api_key.revoke': (await createKey(app.services, { organizationId })).id,
      'webhook_endpoint.disable': (
        await webhookEndpoints.create(operator, { url: 'https://shop.example.com' })
      ).id,
      'member.revoke_invitation': (
        await invitations.invite(operator, { ...invited, email: `${randomUUID()}@example.com` })
      ).invitation.id,
    };
    const upper = (action: keyof typeof subjects) => subjects[action].toUpperCase();
    await members.setRole(operator, upper('member.set_role'), 'support');
    await apiKeys.revoke(operator, upper('api_key.revoke'));
    await webhookEndpoints.setEnabled(operator, upper('webhook_endpoint.disable'), false);
    await invitations.revoke(operator, upper('member.revoke_invitation'));
    const found = (await entriesOf(client)).filter(({ action }) => action in subjects);
    expect(Object.fromEntries(found.map(({ action, subject }) => [action, subject]))).toEqual(subjects);
  });

  test('contains neither secrets nor payer data', async () => {
    const { client } = await openSession(app);
    const made = await data(client, mutation('createApiKey(input: {}) { key }'));
    const settings = '{ appId: "a-secret-app-id" }';
    const input = `{ provider: "woovi", name: "x", settings: ${settings} }`;
    await data(client, mutation(`createCredential(input: ${input}) { id }`));
    const payer = '{ name: "Beltrana", document: "12345678909" }';
    await data(client, mutation(`createTestPayment(input: { amount: 1, payer: ${payer} }) { id }`));
    const log = JSON.stringify(await entriesOf(client));
    for (const secret of [made.createApiKey.key, 'a-secret-app-id', 'Beltrana', '12345678909']) {
      expect(log).not.toContain(secret);
    }
  });

  test('records nothing of refused changes', async () => {
    const owner = await openSession(app);
    const viewer = await openSession(app, { organizationId: owner.organizationId, role: 'viewer' });
    const before = await entriesOf(owner.client);
    await viewer.client.graphql(mutation('createApiKey(input: {}) { key }'));
    await owner.client.graphql(mutation(`cancelPayment(id: "${randomUUID()}") { id }`));
    expect(await entriesOf(owner.client)).toEqual(before);
  });

  test('is listed in pages, newest first', async () => {
    const { client } = await openSession(app);
    for (const name of ['a', 'b', 'c']) {
      await data(client, mutation(`createRuleSet(input: { name: "${name}", ranges: [] }) { id }`));
    }
    const page = `query ($after: String) { auditLog(first: 2, after: $after, kind: changes) {
      edges { node { details } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`;
    const names = (answer: { auditLog: { edges: { node: Entry }[] } }) =>
      answer.auditLog.edges.map(({ node }) => node.details['name'] ?? node.details['role']);
    const first = await data(client, page);
    expect(names(first)).toEqual(['c', 'b']);
    expect(first.auditLog.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const second = await data(client, page, { after: first.auditLog.pageInfo.endCursor });
    expect(names(second)).toEqual(['a', 'owner']);
    expect(second.auditLog.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  test('gives the entries of a time, page by page', async () => {
    const { client, organizationId } = await openSession(app);
    const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];
    await app.services.auditQueue.drain();
    app.services.auditQueue.add(
      days.map((day) => {
        const at = new Date(`${day}T00:00:00Z`);
        return auditEntry(operatorFor(organizationId), 'restore.check', null, { day }, at);
      }),
    );
    await app.services.auditQueue.drain();
    const page = `query ($after: String, $from: DateTime) {
      auditLog(first: 1, after: $after, from: $from, to: "2026-03-04T00:00:00Z") {
        edges { node { details } } pageInfo { endCursor hasNextPage } } }`;
    const from = '2026-03-02T00:00:00Z';
    const { auditLog: first } = await data(client, page, { from });
    const { auditLog: second } = await data(client, page, { from, after: first.pageInfo.endCursor });
    expect([...first.edges, ...second.edges]).toEqual([
      { node: { details: { mode: 'live', day: '2026-03-03' } } },
      { node: { details: { mode: 'live', day: '2026-03-02' } } },
    ]);
    expect(second.pageInfo.hasNextPage).toBe(false);
    const before = await data(client, page, { from: '2026-03-04T00:00:00Z' });
    expect(before.auditLog.edges).toEqual([]);
  });

  test('is filtered by actor, group and subject, also together', async () => {
    const { client, organizationId, userId } = await openSession(app);
    const { key, id: keyId } = await createKey(app.services, { organizationId });
    const { body } = await createClient(app.baseUrl, key).post('/v1/payments', { amount: 1 });
    await createClient(app.baseUrl, key).post(`/v1/payments/${body.id}/cancel`);
    const created = await data(client, mutation('createTestPayment(input: { amount: 7 }) { id }'));
    const { id } = created.createTestPayment;
    await data(client, mutation(`cancelPayment(id: "${id}") { id }`));
    await data(client, mutation('createRuleSet(input: { name: "x", ranges: [] }) { id }'));
    const actions = async (filter: string) => {
      const text = `{ auditLog(${filter}) { edges { node { action } } } }`;
      const { edges } = (await data(client, text)).auditLog;
      return edges.map(({ node }: { node: Entry }) => node.action);
    };
    expect(await actions(`actor: "${keyId}"`)).toEqual(['payment.cancel']);
    const own = ['rule_set.create', 'payment.cancel', 'payment.create', 'session.sign_in'];
    expect(await actions(`actor: "${userId}"`)).toEqual(own);
    expect(await actions('actor: "operator"')).toEqual(['api_key.create', 'member.create']);
    expect(await actions('actor: "unknown"')).toEqual([]);
    expect(await actions('group: payments')).toEqual(['payment.cancel', 'payment.create', 'payment.cancel']);
    expect(await actions(`subject: "${id.toUpperCase()}"`)).toEqual(['payment.cancel', 'payment.create']);
    expect(await actions(`actor: "${userId}", group: rules`)).toEqual(['rule_set.create']);
    expect(await actions(`actor: "${keyId}", subject: "${id}"`)).toEqual([]);
    expect(await actions(`subject: "${userId}", group: access, kind: sign_ins`)).toEqual(['session.sign_in']);
    expect(await actions('group: keys, kind: views')).toEqual([]);
    const other = await openSession(app);
    const { auditLog } = await data(other.client, `{ auditLog(subject: "${id}") { edges { cursor } } }`);
    expect(auditLog.edges).toEqual([]);
  });

  test.each([
    ['actor: "ana@example.com"', 'actor must be the id of a user or API key, operator or unknown'],
    ['subject: "order-1"', 'subject must be the id of what was acted on'],
  ])('refuses %s', async (filter, message) => {
    const { client } = await openSession(app);
    const { body } = await client.graphql(`{ auditLog(${filter}) { edges { cursor } } }`);
    expect(body.errors[0]).toMatchObject({ message, extensions: { code: 'BAD_USER_INPUT' } });
  });

  test.each(['{ auditLog(first: 0) { edges { cursor } } }', '{ auditLog(after: "x") { edges { cursor } } }'])(
    'refuses %s',
    async (text) => {
      const { client } = await openSession(app);
      const { body } = await client.graphql(text);
      expect(body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    },
  );
});

describe('the file of the log', () => {
  const fileOf = async (cookie: string, parameters: Record<string, string>) => {
    const response = await fetch(
      `${app.baseUrl}/dashboard/audit-log.csv?${String(new URLSearchParams(parameters))}`,
      {
        headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
      },
    );
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  test('has all entries in plain words and the time of the organization, and no formulas', async () => {
    const { cookie, organizationId } = await openSession(app);
    const operator = operatorFor(organizationId, 'test');
    await app.services.organizationProfile.update(operator, { timeZone: 'America/Noronha' });
    const { key } = await app.services.apiKeys.create(operator, { name: '=cmd' });
    const { body } = await createClient(app.baseUrl, key).post('/v1/payments', { amount: 1 });
    const { id } = body;
    await createClient(app.baseUrl, key).post(`/v1/payments/${id}/cancel`);
    const at = new Date('2026-03-01T12:00:00Z');
    app.services.auditQueue.add(
      Array.from({ length: 130 }, () => auditEntry(operator, 'restore.check', null, { payments: 2 }, at)),
    );
    await app.services.auditQueue.drain();
    const { headers, text } = await fileOf(cookie, { organization: organizationId, locale: 'pt' });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/filename="auditoria-\d{4}-\d\d-\d\d\.csv"/);
    const lines = text.split('\r\n');
    expect(lines[0]).toBe('ID;Quando;Quem;ID de quem;Ação;Nome da ação;ID do objeto;Modo;Detalhes');
    expect(lines.find((line) => line.includes('payment.cancel'))).toMatch(
      new RegExp(`;'=cmd \\([^;]*;[^;]*;Cancelou uma cobrança;payment.cancel;${id};Teste;$`),
    );
    const checks = lines.filter((line) => line.includes('restore.check'));
    expect(checks).toHaveLength(130);
    expect(checks[0]).toMatch(/;01\/03\/2026 10:00:00;Operador do serviço;;.*;Teste;"{""payments"":2}"$/);
  });

  test('has the entries that pass the filters, and is itself recorded with them', async () => {
    const { organizationId, client } = await openSession(app);
    const { cookie } = await openSession(app, { organizationId, role: 'viewer' });
    await data(client, mutation('createRuleSet(input: { name: "x", ranges: [] }) { id }'));
    const filter = { group: 'rules', from: '2026-01-01T00:00:00Z' };
    const { text } = await fileOf(cookie, { organization: organizationId, locale: 'en', ...filter });
    expect(text.split('\r\n').map((line) => line.split(',')[5])).toEqual([
      'Action name',
      'rule_set.create',
      undefined,
    ]);
    const [entry] = await entriesOf(client);
    expect(entry).toMatchObject({
      action: 'audit.export',
      details: { group: 'rules', from: '2026-01-01T00:00:00.000Z' },
    });
  });

  test('is refused to others, and with unknown filters', async () => {
    const { organizationId, cookie } = await openSession(app);
    const other = await openSession(app);
    const wanted = { organization: organizationId, locale: 'en' };
    expect((await fileOf(other.cookie, wanted)).status).toBe(403);
    expect((await fileOf('', wanted)).status).toBe(401);
    const { status, text } = await fileOf(cookie, { ...wanted, group: 'refunds', from: 'May' });
    expect(status).toBe(400);
    expect(text).toMatch(
      /group must be one of payments, .*; from must be an ISO 8601 instant such as 2026-11-21T00:00:00Z/,
    );
  });
});
