import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Mode } from '../../src/core/base/mode.ts';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { deliverWebhooks } from '../support/deliver-webhooks.ts';
import { createKey } from '../support/factories.ts';
import { openSession } from '../support/people.ts';
import {
  hostRefusal,
  isSignedWith,
  receiverHost,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

const path = '/v1/webhook-endpoints';
const url = 'https://shop.example.com/pix';

let app: TestApp;
let receiver: WebhookReceiver;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api', TRUST_PROXY: '1', WEBHOOK_ALLOWED_HOSTS: receiverHost });
  receiver = await startWebhookReceiver();
});

afterAll(async () => {
  await receiver.stop();
  await app.stop();
});

interface Program {
  client: Client;
  organizationId: string;
  keyId: string;
}

async function newProgram(mode: Mode = 'test', permissions = ['webhooks:manage']): Promise<Program> {
  const { id, key, organizationId } = await createKey(app.services, { mode, permissions });
  return { client: createClient(app.baseUrl, key), organizationId, keyId: id };
}

async function create({ client }: Program, input: object = {}): Promise<{ id: string; secret: string }> {
  const { status, body } = await client.post(path, { url, ...input });
  expect(status).toBe(201);
  return body;
}

const everyRequest = (id: string): [string, (client: Client) => ReturnType<Client['get']>][] => [
  ['list', (client) => client.get(path)],
  ['create', (client) => client.post(path, { url })],
  ['get', (client) => client.get(`${path}/${id}`)],
  ['update', (client) => client.patch(`${path}/${id}`, { url })],
  ['enable', (client) => client.post(`${path}/${id}/enable`)],
  ['disable', (client) => client.post(`${path}/${id}/disable`)],
  ['rotate', (client) => client.post(`${path}/${id}/rotate-secret`)],
  ['test', (client) => client.post(`${path}/${id}/test`)],
  ['delete', (client) => client.delete(`${path}/${id}`)],
];

test('a key has the permission only if somebody gave it to it', async () => {
  const { id, key, organizationId } = await createKey(app.services);
  const client = createClient(app.baseUrl, key);
  const { body, status } = await client.get(path);
  expect({ status, message: body.message }).toEqual({
    status: 403,
    message: 'This API key lacks the permission webhooks:manage',
  });
  await app.services.apiKeys.update(operatorFor(organizationId, 'test'), id, {
    permissions: ['payments:create', 'webhooks:manage'],
  });
  expect(await client.get(path)).toMatchObject({ status: 200, body: { data: [] } });
  await app.services.apiKeys.update(operatorFor(organizationId, 'test'), id, { permissions: [] });
  expect(await client.get(path)).toMatchObject({ status: 403 });
});

test.each(everyRequest(randomUUID()))('without it, a key cannot %s', async (_name, send) => {
  const { client } = await newProgram('test', ['payments:create', 'payments:cancel', 'payments:refund']);
  const { status, headers } = await send(client);
  expect([status, headers.get('X-Error-Code')]).toEqual([403, 'permission_denied']);
});

test('an endpoint is made, changed, disabled, enabled and deleted, and its secret shown once', async () => {
  const program = await newProgram();
  const { client } = program;
  const { secret, ...made } = await create(program, { name: ' Shop ', events: ['payment_completed'] });
  expect(secret).toMatch(/^whsec_/);
  expect(made).toEqual({
    id: expect.any(String),
    name: 'Shop',
    url,
    events: ['payment_completed'],
    enabled: true,
    isTest: true,
    createdAt: expect.any(String),
  });
  const one = `${path}/${made.id}`;
  expect(await client.get(one)).toMatchObject({ status: 200, body: made });
  expect((await client.get(path)).body).toEqual({ data: [made] });
  const { body: changed } = await client.patch(one, { name: '', events: [], url: `${url}/2` });
  const { name: _name, ...rest } = { ...made, name: undefined };
  expect(changed).toEqual({ ...rest, events: [], url: `${url}/2` });
  expect((await client.post(`${one}/disable`)).body).toEqual({ ...changed, enabled: false });
  expect((await client.post(`${one}/enable`)).body).toEqual(changed);
  const { body: rotated } = await client.post(`${one}/rotate-secret`);
  expect(rotated).toEqual({ ...changed, rotatingUntil: expect.any(String), secret: expect.any(String) });
  expect(rotated.secret).not.toBe(secret);
  expect((await client.get(one)).body).not.toHaveProperty('secret');
  expect((await client.delete(one)).body).toEqual({ id: made.id, deleted: true });
  expect(await client.get(one)).toMatchObject({ status: 404 });
  expect((await client.get(path)).body).toEqual({ data: [] });
});

test('the audit log says what the key did', async () => {
  const program = await newProgram();
  const { client, organizationId, keyId } = program;
  const { id } = await create(program, { url: receiver.url });
  await client.post(`${path}/${id}/rotate-secret`);
  await client.post(`${path}/${id}/test`);
  await client.delete(`${path}/${id}`);
  const { data } = await app.services.audit.list(operatorFor(organizationId, 'test'), {
    limit: 100,
    cursor: undefined,
    subject: id,
  });
  expect(data.map(({ action, apiKeyId, userId }) => [action, apiKeyId, userId])).toEqual(
    ['delete', 'test', 'rotate_secret', 'create'].map((what) => [`webhook_endpoint.${what}`, keyId, null]),
  );
});

test('events of the key\u2019s mode are sent there, signed with the secret', async () => {
  const program = await newProgram('test', ['webhooks:manage', 'payments:create', 'payments:cancel']);
  const { client } = program;
  const { id, secret } = await create(program, { url: receiver.url, events: ['payment_cancelled'] });
  const { body: payment } = await client.post('/v1/payments', { amount: 1 });
  await client.post(`/v1/payments/${payment.id}/cancel`);
  await deliverWebhooks(app.services.webhookSender);
  const sent = receiver.requests.filter(({ body }) => body.includes(payment.id));
  expect(sent.map((request) => isSignedWith(secret, request))).toEqual([true]);
  const { body: tested } = await client.post(`${path}/${id}/test`);
  expect(tested).toEqual({
    statusCode: 204,
    answer: '',
    latencyMs: expect.any(Number),
    startedAt: expect.any(String),
  });
});

describe('what people may not do, keys may not either', () => {
  test.each([
    ['live', 'http://shop.example.com/pix', 'url must be https'],
    ['live', 'https://169.254.169.254/', hostRefusal('169.254.169.254')],
    ['test', 'http://localhost:9/', hostRefusal('localhost')],
  ] as const)('in %s mode %s is refused', async (mode, refused, message) => {
    const program = await newProgram(mode);
    const made = await program.client.post(path, { url: refused });
    expect({ status: made.status, message: made.body.message }).toEqual({ status: 400, message });
    const { id } = await create(program);
    const changed = await program.client.patch(`${path}/${id}`, { url: refused });
    expect({ status: changed.status, message: changed.body.message }).toEqual({ status: 400, message });
  });

  test('every violation is named', async () => {
    const { client } = await newProgram();
    const { status, body } = await client.post(path, { name: 'x'.repeat(101), events: ['payment_paid'] });
    expect(status).toBe(400);
    expect(body.message).toMatch(
      /^name must be at most 100 characters; url is required; events.0 must be one of payment_updated/,
    );
  });

  test('endpoints of others and of the other mode do not exist', async () => {
    const program = await newProgram();
    const { id } = await create(program);
    const live = await createKey(app.services, {
      organizationId: program.organizationId,
      mode: 'live',
      permissions: ['webhooks:manage'],
    });
    const others = [(await newProgram()).client, createClient(app.baseUrl, live.key)];
    for (const [name, send] of everyRequest(id).slice(2))
      for (const client of others) expect([name, (await send(client)).status]).toEqual([name, 404]);
    expect((await program.client.get(`${path}/${id}`)).body).toMatchObject({ url, enabled: true });
  });

  test('there are at most a hundred', async () => {
    const program = await newProgram();
    const caller = operatorFor(program.organizationId, 'test');
    for (let made = 0; made < 90; made += 1) await app.services.webhookEndpoints.create(caller, { url });
    const atOnce = await Promise.all(Array.from({ length: 30 }, () => program.client.post(path, { url })));
    expect(atOnce.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = await program.client.post(path, { url });
    expect(refused.status).toBe(400);
    const { body } = await program.client.get(path);
    expect(body.data).toHaveLength(100);
    await program.client.delete(`${path}/${body.data[0].id}`);
    await create(program);
  });
});

describe('where changes need approval', () => {
  test('what a key asks for in live mode happens once somebody approves it, and the rest at once', async () => {
    const program = await newProgram('live');
    const { client, organizationId } = program;
    const { id } = await create(program);
    const operator = operatorFor(organizationId);
    const { client: owner } = await openSession(app, { organizationId });
    await openSession(app, { organizationId });
    await app.services.organizationSettings.update(operator, { changesNeedApproval: true });
    const waiting = [
      () => client.post(path, { url: `${url}/new` }),
      () => client.patch(`${path}/${id}`, { url: `${url}/moved` }),
    ];
    // Programs ask again and again, also at once.
    for (const send of waiting) {
      for (const { status, headers } of [...(await Promise.all([send(), send(), send()])), await send()])
        expect([status, headers.get('X-Error-Code')]).toEqual([409, 'approval_required']);
    }
    expect((await client.get(path)).body.data).toMatchObject([{ url }]);
    const { data: requests } = await app.services.approvals.list(operator, {
      pendingOnly: true,
      limit: 10,
      cursor: undefined,
    });
    expect(requests.map(({ action, requestedBy }) => [action, requestedBy])).toEqual([
      ['webhook_endpoint.update', expect.stringContaining('live key')],
      ['webhook_endpoint.create', expect.stringContaining('live key')],
    ]);
    const approve = 'mutation ($id: ID!) { approveRequest(id: $id) { secret request { status } } }';
    for (const request of requests) {
      const { body } = await owner.graphql(approve, { id: request.id }, { 'X-Mode': 'live' });
      expect(body.data.approveRequest.request).toEqual({ status: 'approved' });
    }
    const { body } = await client.get(path);
    expect(body.data.map((endpoint: { url: string }) => endpoint.url)).toEqual([
      `${url}/moved`,
      `${url}/new`,
    ]);
    expect(await client.patch(`${path}/${id}`, { events: ['payment_completed'] })).toMatchObject({
      status: 200,
    });
    expect(await client.post(`${path}/${id}/disable`)).toMatchObject({ status: 200 });
    expect(await client.post(`${path}/${id}/enable`)).toMatchObject({ status: 409 });
  });
});

test('GraphQL does the same for the key', async () => {
  const program = await newProgram();
  const { id } = await create(program, { name: 'Shop' });
  const { body } = await program.client.graphql(
    '{ webhookEndpoints { id name url events enabled isTest disabledReason failingSince rotatingUntil createdAt } }',
  );
  const { body: rest } = await program.client.get(`${path}/${id}`);
  expect(body.data.webhookEndpoints).toEqual([
    { disabledReason: null, failingSince: null, rotatingUntil: null, ...rest },
  ]);
  const made = await program.client.graphql(
    'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { secret endpoint { id } } }',
    { input: { url } },
  );
  expect(made.body.data.createWebhookEndpoint.secret).toMatch(/^whsec_/);
  const resent = await program.client.graphql(
    'mutation ($id: ID!) { resendUndeliveredWebhooks(endpointId: $id) }',
    { id },
  );
  expect(resent.body.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
});
