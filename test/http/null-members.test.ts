import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { permissions } from '../../src/core/base/key-permissions.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { createKey } from '../support/factories.ts';

interface Schema {
  properties?: Record<string, Schema>;
  required?: string[];
  $ref?: string;
}

let app: TestApp;
let client: Client;
let schemas: Record<string, Schema>;

beforeAll(async () => {
  app = await startTestApp();
  const { key } = await createKey(app.services, { permissions: [...permissions] });
  client = createClient(app.baseUrl, key);
  const { components } = (await (await fetch(`${app.baseUrl}/openapi.json`)).json()) as {
    components: { schemas: Record<string, Schema> };
  };
  schemas = components.schemas;
});

afterAll(() => app.stop());

const schemaOf = (schema: Schema): Schema => schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;

/** The body with null for every documented member that it leaves out, at every level. */
function withNulls(schema: Schema, body: Record<string, unknown>): Record<string, unknown> {
  const nulls = Object.keys(schemaOf(schema).properties ?? {}).map((name) => [name, null]);
  const given = Object.entries(body).map(([name, value]) => {
    const below = schemaOf(schema).properties?.[name];
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [name, below && isObject ? withNulls(below, value as Record<string, unknown>) : value];
  });
  return { ...Object.fromEntries(nulls), ...Object.fromEntries(given) };
}

const payer = { name: 'João Souza', document: '52998224725' };
const recurrence = {
  payer,
  contract: '63100862',
  frequency: 'monthly',
  startDate: new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10),
  authorization: 'qr',
};
const url = 'https://shop.example.com/pix';

const newPayment = async (body: object = { amount: 10 }) =>
  String((await client.post('/v1/payments', body)).body['id']);
const paid = async () => {
  const id = await newPayment();
  await client.post(`/v1/sandbox/payments/${id}/pay`);
  return id;
};
const newEndpoint = async () =>
  String(
    (await client.post('/v1/webhook-endpoints', { url, name: 'Shop', events: ['payment_completed'] })).body[
      'id'
    ],
  );

test.each<[schema: string, path: () => Promise<string>, body: Record<string, unknown>, status: number]>([
  ['CreatePayment', async () => '/v1/payments', { amount: 10 }, 201],
  ['CreatePayment', async () => '/v1/payments', { amount: 10, payer }, 201],
  ['CreatePayment', async () => '/v1/payments', { amount: 10, payer, due: { date: '2030-01-31' } }, 201],
  ['CreatePaymentLink', async () => '/v1/payment-links', { amount: 10 }, 201],
  ['CreateRefund', async () => `/v1/payments/${await paid()}/refunds`, {}, 201],
  ['CreateWebhookEndpoint', async () => '/v1/webhook-endpoints', { url }, 201],
  ['SandboxPay', async () => `/v1/sandbox/payments/${await newPayment()}/pay`, {}, 200],
  ['SandboxDispute', async () => `/v1/sandbox/payments/${await paid()}/dispute`, {}, 200],
  ['CreateRecurrence', async () => '/v1/recurrences', recurrence, 201],
  ['SandboxReverse', async () => `/v1/sandbox/payments/${await paid()}/reverse`, {}, 200],
])('null is as good as nothing in %s', async (schema, pathOf, body, status) => {
  const [path, same] = [await pathOf(), await pathOf()];
  const sent = withNulls(schemas[schema] ?? {}, body);
  expect(Object.values(sent)).toContain(null);
  const [withNothing, answer] = [await client.post(path, body), await client.post(same, sent)];
  expect({ status: answer.status, message: answer.body['message'] }).toEqual({ status });
  expect(Object.keys(answer.body)).toEqual(Object.keys(withNothing.body));
});

test('null changes nothing of a payment', async () => {
  const made = {
    amount: 10,
    description: 'Ticket',
    metadata: { shop: null },
    payer,
    due: { date: '2030-01-31' },
  };
  const id = await newPayment(made);
  const before = (await client.get(`/v1/payments/${id}`)).body;
  const changes = withNulls(schemas['UpdatePayment'] ?? {}, { description: 'Two tickets' });
  const { status } = await client.patch(`/v1/payments/${id}`, changes);
  expect(status).toBe(200);
  const after = (await client.get(`/v1/payments/${id}`)).body;
  expect(after).toMatchObject({
    amount: 10,
    description: 'Two tickets',
    metadata: { shop: null },
    revision: 1,
  });
  expect(after.due).toEqual(before.due);
});

test('null changes nothing of a webhook endpoint', async () => {
  const id = await newEndpoint();
  const changes = withNulls(schemas['UpdateWebhookEndpoint'] ?? {}, { name: 'Store' });
  const { status, body } = await client.patch(`/v1/webhook-endpoints/${id}`, changes);
  expect(status).toBe(200);
  expect(body).toMatchObject({ url, name: 'Store', events: ['payment_completed'] });
});

test.each<[string, string, object]>([
  ['amount', '/v1/payments', { amount: null }],
  ['url', '/v1/webhook-endpoints', { url: null }],
])('null is no value for %s, which is required', async (name, path, body) => {
  const { status, body: refusal } = await client.post(path, body);
  expect(status).toBe(400);
  expect(refusal['message']).toContain(name);
});
