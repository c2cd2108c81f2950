import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signPaymentToken } from '../../src/core/live/rules/payment-token.ts';
import { startTestApp, testKeyRing, type TestApp } from '../support/app.ts';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { expectError } from '../support/error-shape.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { allPayments, onePayment, shows, transports } from '../support/subscribe.ts';

const page = 'https://checkout.example';
const minuteMs = 60_000;

let app: TestApp;
/** When it is, for one service that can be moved on. */
let now = new Date();
let later: TestApp;
let owner: TestKey;
let client: Client;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
  later = await startTestApp({ ROLE: 'api' }, { now: () => now });
  owner = await createKey(app.services);
  client = createClient(app.baseUrl, owner.key);
});

afterAll(() => Promise.all([app.stop(), later.stop()]));

async function createPayment(its = client): Promise<{ id: string; expiresAt: string }> {
  const body = {
    amount: 7,
    payer: { name: 'Fulano', document: '12345678909', email: 'fulano@example.com' },
    metadata: { secret: 'plan' },
    expirationMinutes: 20,
  };
  return (await its.post('/v1/payments', body)).body;
}

async function tokenOf(id: string, its = client): Promise<string> {
  const { status, body } = await its.post(`/v1/payments/${id}/token`);
  expect(status).toBe(200);
  return body.token;
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}`, Origin: page });

const withToken = (path: string, token: string, to = app): Promise<Answer> =>
  createClient(to.baseUrl).get(path, bearer(token));

const graphqlWithToken = (text: string, token: string, id?: string): Promise<Answer> =>
  createClient(app.baseUrl).graphql(text, { id }, bearer(token));

describe('a payment token', () => {
  test('reads its payment without payer data and metadata, over REST and GraphQL, from any page', async () => {
    const { id, expiresAt } = await createPayment();
    const { body } = await client.post(`/v1/payments/${id}/token`);
    expect(body).toEqual({ token: expect.stringMatching(/^pt_[\w-]{94}$/), expiresAt: expect.any(String) });
    const lateness = new Date(body.expiresAt).getTime() - new Date(expiresAt).getTime() - 10 * minuteMs;
    expect(Math.abs(lateness)).toBeLessThan(1_000);

    const rest = await withToken(`/v1/payments/${id}`, body.token);
    expect(rest.status).toBe(200);
    const whole = (await client.get(`/v1/payments/${id}`)).body;
    const { payerName, payerDocument, payerEmail, metadata, ...rest1 } = whole;
    expect([payerName, payerDocument, payerEmail, metadata]).not.toContain(undefined);
    expect(rest.body).toEqual(rest1);
    expect(rest.headers.get('access-control-allow-origin')).toBe('*');
    expect(rest.headers.get('access-control-allow-credentials')).toBeNull();
    expect(rest.headers.get('access-control-expose-headers')).toContain('Date');
    expect(rest.headers.get('ratelimit-policy')).toContain('q=120;');

    const text =
      'query ($id: ID!) { payment(id: $id) { id status payerName payerDocument payerEmail metadata } }';
    const graphql = await graphqlWithToken(text, body.token, id);
    expect(graphql.headers.get('access-control-allow-origin')).toBe('*');
    expect(graphql.body.data.payment).toEqual({
      id,
      status: 'pending',
      payerName: null,
      payerDocument: null,
      payerEmail: null,
      metadata: null,
    });
  });

  test('is also created over GraphQL, and is the same on every node', async () => {
    const { id } = await createPayment();
    const { body } = await client.graphql('query ($id: ID!) { paymentToken(id: $id) { token } }', { id });
    expect(body.data.paymentToken.token).toBe(await tokenOf(id));
    expect((await withToken(`/v1/payments/${id}`, body.data.paymentToken.token, later)).status).toBe(200);
  });

  test('of a live payment works in a browser, where its key does not', async () => {
    const live = await createKey(app.services, { mode: 'live' });
    const token = signPaymentToken(testKeyRing, {
      organizationId: live.organizationId,
      mode: 'live',
      paymentId: randomUUID(),
      expiresAt: new Date(Date.now() + minuteMs),
    });
    expect((await withToken(`/v1/payments/${randomUUID()}`, token)).status).toBe(403);
    const withKey = await createClient(app.baseUrl, live.key).get('/v1/payments', { Origin: page });
    expectError(withKey, 403, 'Forbidden');
  });

  test.each(transports)('watches its payment over %s, and no other', async (_name, subscribe) => {
    const [{ id }, other] = [await createPayment(), await createPayment()];
    const credentials = { Authorization: `Bearer ${await tokenOf(id)}` };
    const subscribed = subscribe(app.baseUrl, credentials, onePayment, { id });
    await shows(subscribed, ['pending']);
    await client.post(`/v1/sandbox/payments/${id}/pay`);
    await shows(subscribed, ['pending', 'completed']);
    for (const { data } of subscribed.results) {
      expect(data.paymentUpdated).toMatchObject({ payerName: null, metadata: null });
    }
    const refused = [
      subscribe(app.baseUrl, credentials, onePayment, { id: other.id }),
      subscribe(app.baseUrl, credentials, allPayments),
    ];
    for (const each of refused) {
      await each.ended;
      expect(each.results[0].errors[0].extensions).toMatchObject({ code: 'FORBIDDEN', statusCode: 403 });
    }
    for (const each of [subscribed, ...refused]) each.close();
  });

  test.each(transports)('stops watching over %s when it expires', async (_name, subscribe) => {
    now = new Date();
    const { id } = await createPayment();
    const credentials = { Authorization: `Bearer ${await tokenOf(id)}` };
    const subscribed = subscribe(later.baseUrl, credentials, onePayment, { id });
    await shows(subscribed, ['pending']);
    now = new Date(now.getTime() + 31 * minuteMs);
    expect(['complete', 4401]).toContain(await subscribed.ended);
    expectError(
      await withToken(`/v1/payments/${id}`, credentials.Authorization.slice(7), later),
      401,
      'Unauthorized',
    );
    const lateClient = createClient(later.baseUrl, owner.key);
    expectError(await lateClient.post(`/v1/payments/${id}/token`), 409, 'Conflict');
    subscribed.close();
    now = new Date();
  });

  test('is refused everywhere else with 403', async () => {
    const [{ id }, other] = [await createPayment(), await createPayment()];
    const token = await tokenOf(id);
    const its = createClient(app.baseUrl);
    const refused = [
      await withToken(`/v1/payments/${other.id}`, token),
      await withToken(`/v1/payments/${randomUUID()}`, token),
      await withToken('/v1/payments', token),
      await withToken('/v1/events', token),
      await its.post('/v1/payments', { amount: 1 }, bearer(token)),
      await its.post(`/v1/payments/${id}/cancel`, undefined, bearer(token)),
      await its.post(`/v1/payments/${id}/refunds`, undefined, bearer(token)),
      await its.post(`/v1/payments/${id}/token`, undefined, bearer(token)),
      await its.post(`/v1/sandbox/payments/${id}/pay`, undefined, bearer(token)),
      await its.post(`/v1/sandbox/payments/${id}/expire`, undefined, bearer(token)),
    ];
    for (const answer of refused) expectError(answer, 403, 'Forbidden');
    const onlyReads = [
      ['query ($id: ID!) { payment(id: $id) { id } }', other.id],
      ['{ payments { edges { cursor } } }'],
      ['{ events { edges { cursor } } }'],
      ['{ webhookEndpoints { id } }'],
      ['query ($id: ID!) { paymentToken(id: $id) { token } }', id],
      ['mutation { createPayment(input: { amount: 1 }) { id } }'],
      ['mutation ($id: ID!) { cancelPayment(id: $id) { id } }', id],
      ['mutation ($id: ID!) { refundPayment(id: $id) { id } }', id],
    ];
    for (const [text = '', variable] of onlyReads) {
      const { body } = await graphqlWithToken(text, token, variable);
      expect([text, body.errors?.[0].extensions.statusCode]).toEqual([text, 403]);
    }
  });

  test('that is forged, truncated, altered, expired or from another ring gets 401', async () => {
    const { id } = await createPayment();
    const token = await tokenOf(id);
    const bytes = Buffer.from(token.slice(3), 'base64url');
    const altered = [0, 1, 2, 20, 36, 40, 69].map((index) => {
      const copy = Buffer.from(bytes);
      copy.writeUInt8((copy[index] ?? 0) ^ 1, index);
      return `pt_${copy.toString('base64url')}`;
    });
    const claims = {
      organizationId: owner.organizationId,
      mode: 'test' as const,
      paymentId: id,
      expiresAt: new Date(Date.now() + minuteMs),
    };
    const wrong = [
      ...altered,
      token.slice(0, -1),
      'pt_',
      `pt_${randomBytes(70).toString('base64url')}`,
      signPaymentToken([{ id: 'x', key: randomBytes(32) }], claims),
      signPaymentToken(testKeyRing, { ...claims, expiresAt: new Date(Date.now() - 1_000) }),
    ];
    for (const each of wrong) {
      const answer = await withToken(`/v1/payments/${id}`, each);
      expectError(answer, 401, 'Unauthorized');
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
    const withKeyOfOld = signPaymentToken(testKeyRing, claims);
    expect((await withToken(`/v1/payments/${id}`, withKeyOfOld)).status).toBe(200);
    expect((await createClient(app.baseUrl, token).get(`/v1/payments/${id}`)).status).toBe(401);
  });

  test('is limited to 120 requests a minute, apart from its key', async () => {
    const { id } = await createPayment();
    const token = await tokenOf(id);
    const answers = await Promise.all(
      Array.from({ length: 125 }, () => withToken(`/v1/payments/${id}`, token)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
    expectError(answers.find(({ status }) => status === 429) ?? answers[0]!, 429, 'TooManyRequests');
    expect((await client.get(`/v1/payments/${id}`)).status).toBe(200);
  });

  test("can only be created for the key's own payments", async () => {
    const { id } = await createPayment();
    const stranger = createClient(app.baseUrl, (await createKey(app.services)).key);
    expectError(await stranger.post(`/v1/payments/${id}/token`), 404, 'NotFound');
  });
});

describe('a preflight', () => {
  const preflight = (path: string, headers: string, method = 'GET') =>
    fetch(app.baseUrl + path, {
      method: 'OPTIONS',
      headers: {
        Origin: page,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': headers,
      },
    });

  test.each([
    ['/v1/payments/018f4c9e-0000-7000-8000-000000000000', 'GET'],
    ['/graphql', 'POST'],
  ])('for a token is granted at %s', async (path, method) => {
    const { status, headers } = await preflight(path, 'authorization,content-type', method);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toBe(method);
    expect(headers.get('access-control-allow-headers')).toContain('authorization');
  });

  test.each([
    ['/v1/payments', 'authorization'],
    ['/v1/events', 'authorization'],
    ['/v1/payments/x/token', 'authorization'],
    ['/v1/payments/x', 'x-api-key'],
    ['/v1/payments/x', 'authorization,x-api-key'],
    ['/graphql', 'x-api-key,content-type'],
  ])('at %s from %s is not', async (path, asked) => {
    const { status, headers } = await preflight(path, asked);
    expect(status).toBe(405);
    expect(headers.has('access-control-allow-origin')).toBe(false);
  });
});
