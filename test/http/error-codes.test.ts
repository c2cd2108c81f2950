import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createExpress } from '../../src/http/base/create-express.ts';
import { handleErrors } from '../../src/http/base/errors.ts';
import { jsonBody } from '../../src/http/base/json-body.ts';
import { listen } from '../../src/http/connections/listen.ts';
import { traceRequests } from '../../src/http/base/request-context.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { noTracing } from '../../src/observability/tracing.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { expectError } from '../support/error-shape.ts';
import { createKey } from '../support/factories.ts';
import { rawRequest, sendRaw } from '../support/raw-request.ts';

let app: TestApp;
let client: Client;
let live: Client;
let reading: Client;
let anonymous: Client;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
  const { organizationId, key } = await createKey(app.services);
  client = createClient(app.baseUrl, key);
  live = createClient(app.baseUrl, (await createKey(app.services, { mode: 'live', organizationId })).key);
  reading = createClient(
    app.baseUrl,
    (await createKey(app.services, { organizationId, permissions: [] })).key,
  );
  anonymous = createClient(app.baseUrl);
});

afterAll(() => app.stop());

async function created(amount = 5): Promise<string> {
  return (await client.post('/v1/payments', { amount })).body.id as string;
}

async function paid(): Promise<string> {
  const id = await created();
  await client.post(`/v1/sandbox/payments/${id}/pay`);
  return id;
}

const scripted = (sandbox: string) => client.post('/v1/payments', { amount: 1, metadata: { sandbox } });

const cases: [code: string, ask: () => Promise<Answer>][] = [
  ['invalid_request', () => client.post('/v1/payments', {})],
  ['malformed_json', () => client.post('/v1/payments', '{broken')],
  ['invalid_cursor', () => client.get('/v1/payments?cursor=x')],
  ['invalid_idempotency_key', () => client.post('/v1/payments', { amount: 1 }, { 'Idempotency-Key': '' })],
  ['credential_not_usable', () => client.post('/v1/payments', { amount: 1, credentialId: 'x' })],
  ['rule_set_not_usable', () => client.post('/v1/payments', { amount: 1, ruleSetId: randomUUID() })],
  ['no_usable_credential', () => live.post('/v1/payments', { amount: 1 })],
  ['unauthorized', () => anonymous.get('/v1/payments')],
  ['permission_denied', () => reading.post('/v1/payments', {})],
  ['test_mode_only', () => live.post(`/v1/sandbox/payments/${randomUUID()}/pay`)],
  ['live_key_in_browser', () => live.get('/v1/payments', { Origin: 'https://shop.example.com' })],
  ['payment_not_found', () => client.get(`/v1/payments/${randomUUID()}`)],
  ['route_not_found', () => client.get('/v1/nothing')],
  ['method_not_allowed', () => rawRequest(app.baseUrl, 'PUT /v1/payments')],
  ['payment_not_cancellable', async () => client.post(`/v1/payments/${await paid()}/cancel`)],
  ['payment_not_refundable', async () => client.post(`/v1/payments/${await created()}/refunds`)],
  [
    'payment_disputed',
    async () => {
      const id = await paid();
      await client.post(`/v1/sandbox/payments/${id}/dispute`);
      return client.post(`/v1/payments/${id}/refunds`);
    },
  ],
  ['refund_exceeds_amount', async () => client.post(`/v1/payments/${await paid()}/refunds`, { amount: 6 })],
  ['payment_not_pending', async () => client.post(`/v1/sandbox/payments/${await paid()}/expire`)],
  ['body_too_large', () => client.post('/v1/payments', { description: 'x'.repeat(66_000) })],
  ['unsupported_media_type', () => client.post('/v1/payments', 'x', { 'Content-Type': 'text/plain' })],
  [
    'headers_too_large',
    () => rawRequest(app.baseUrl, 'GET /v1/payments', [['X-Padding', 'x'.repeat(17_000)]]),
  ],
  ['malformed_request', () => sendRaw(app.baseUrl, 'hello\r\n\r\n')],
  ['no_provider_available', () => scripted('unavailable')],
];

describe('X-Error-Code', () => {
  test.each(cases)('is %s', async (code, ask) => {
    const { headers, body } = await ask();
    expect({ code: headers.get('X-Error-Code'), body }).toMatchObject({
      code,
      body: { statusCode: expect.any(Number) },
    });
    expect(JSON.stringify(body)).not.toContain(code);
  });

  test('is absent on success', async () => {
    expect((await client.get('/v1/payments')).headers.has('X-Error-Code')).toBe(false);
  });

  test('is extensions.reason for what GraphQL refuses before execution', async () => {
    const { headers, body } = await anonymous.graphql('{ me { name } }');
    expect(headers.get('X-Error-Code')).toBe('unauthorized');
    expect(body.errors[0].extensions).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'unauthorized' });
  });

  test('is invalid_graphql in extensions.reason for an operation that GraphQL cannot execute', async () => {
    const { body } = await client.graphql('{ nothing }');
    expect(body.errors[0].extensions.reason).toBe('invalid_graphql');
  });
});

describe('a request that does not arrive in time', () => {
  test.each([
    ['body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'],
    ['headers', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Ty'],
  ])('gets 408 in the usual shape: its %s', async (_name, bytes) => {
    const logger = createLogger('silent', process.stdout);
    const slow = createExpress(false);
    slow.use(traceRequests(logger, createMetrics(), noTracing));
    slow.post('/', ...jsonBody, (_request, response) => {
      response.json({});
    });
    slow.use(handleErrors(logger, () => new Date()));
    const patience = { requestMs: 100, headersMs: 50, checkEveryMs: 20 };
    const listener = await listen(slow, { host: '127.0.0.1', port: 0, logger, patience });
    try {
      const answer = await sendRaw(`http://127.0.0.1:${listener.port}`, bytes);
      expectError(answer, 408, 'RequestTimeout');
      expect(answer.headers.get('X-Error-Code')).toBe('request_timeout');
    } finally {
      await listener.stop(0);
    }
  });
});
