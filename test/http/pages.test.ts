import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { Agent, get as httpGet, type IncomingMessage, METHODS } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import { dashboardPages } from '../../src/http/routes/dashboard.ts';
import { statusOfCode } from '../../src/transport/error-body.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { sentStatements } from '../support/statements.ts';
import { freshDatabase, query } from '../support/database.ts';
import { documentedSchema } from '../support/documented.ts';
import { expectError } from '../support/error-shape.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { rawRequest } from '../support/raw-request.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';

let app: TestApp;
let anonymous: Client;
let client: Client;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api', PUBLIC_URL: 'https://pay.example.com' });
  anonymous = createClient(app.baseUrl);
  client = createClient(app.baseUrl, (await createKey(app.services)).key);
});

afterAll(() => app.stop());

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

describe('/healthz and /readyz', () => {
  test('need no key and are not cached', async () => {
    const live = await anonymous.get('/healthz');
    expect(live).toMatchObject({ status: 200, body: { status: 'ok' } });
    const ready = await anonymous.get('/readyz');
    expect(ready).toMatchObject({
      status: 200,
      body: { status: 'ready', database: 'up', redis: 'memory' },
    });
    for (const { headers } of [live, ready]) expect(headers.get('cache-control')).toBe('no-store');
  });

  test('report the service as live but not ready without the database', async () => {
    const databaseUrl = await freshDatabase();
    const broken = await startTestApp({ ROLE: 'api', DATABASE_URL: databaseUrl });
    try {
      const admin = new URL(databaseUrl);
      admin.pathname = '/postgres';
      await query(admin.href, `DROP DATABASE "${databaseUrl.split('/').at(-1)}" WITH (FORCE)`);
      const its = createClient(broken.baseUrl);
      expect((await its.get('/healthz')).status).toBe(200);
      expect(await its.get('/readyz')).toMatchObject({
        status: 503,
        body: { status: 'not ready', database: 'down', redis: 'memory' },
      });
    } finally {
      await broken.stop();
    }
  });

  test('ask the database once a second, however many ask without a key', async () => {
    const startedAt = performance.now();
    const sent = await sentStatements(async () => {
      await Promise.all(Array.from({ length: 200 }, () => anonymous.get('/readyz')));
    });
    const checks = sent.filter(({ text }) => text.includes('transaction_read_only')).length;
    expect(checks).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 1_000);
  });

  test('report it as not ready while stopping, on a connection opened before', async () => {
    const own = await startTestApp({ ROLE: 'api' });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (path: string) => {
      const request = httpGet(own.baseUrl + path, { agent });
      const [response] = await once(request, 'response');
      return { status: response.statusCode, headers: response.headers, body: await json(response) };
    };
    expect((await ask('/readyz')).status).toBe(200);
    const stopped = own.stop();
    // The connection is closed once the server is asked to stop, which may be a moment later.
    let last;
    do {
      last = await ask('/readyz');
      expect(last).toMatchObject({ status: 503, body: { status: 'not ready', database: 'up' } });
    } while (last.headers.connection !== 'close');
    agent.destroy();
    await stopped;
    await expect(fetch(`${own.baseUrl}/healthz`)).rejects.toThrow();
  });
});

describe('/metrics', () => {
  const metrics = async (baseUrl = app.baseUrl): Promise<string> =>
    (await fetch(`${baseUrl}/metrics`)).text();

  test('uses the Prometheus text format', async () => {
    const response = await fetch(`${app.baseUrl}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const sample = /^[a-z_][a-z0-9_]*(\{([a-z_]+="[^"\n]*",?)+\})? (-?[0-9.e+-]+|\+Inf|NaN)( \d+)?$/i;
    const lines = (await response.text()).split('\n').filter((line) => line && !line.startsWith('# '));
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter((line) => !sample.test(line))).toEqual([]);
  });

  test('counts requests by route pattern, method and status, never by id', async () => {
    const { body } = await client.post('/v1/payments', { amount: 1 });
    await client.get(`/v1/payments/${body.id}`);
    await client.get(`/v1/payments/${'0'.repeat(36)}`);
    await client.get('/v1/nowhere/a');
    await client.get('/v1/nowhere/b');
    await fetch(`${app.baseUrl}/docs/reference/swagger-ui.css`);
    await anonymous.post('/psp/woovi/nobodys-token', {});
    await anonymous.post('/psp/bacen/nobodys-token/pix', {});
    // A request is measured when its connection is done with it, which may be after the client has its answer.
    await eventually(async () => {
      const text = await metrics();
      const counted = text.match(/^pix_http_request_seconds_count\{.*(?=\} [1-9])/gm);
      expect(counted).toEqual(
        expect.arrayContaining(
          [
            'route="/v1/payments",method="POST",status="201"',
            'route="/v1/payments/:id",method="GET",status="200"',
            'route="/v1/payments/:id",method="GET",status="404"',
            'route="unmatched",method="GET",status="404"',
            'route="/docs/reference/*",method="GET",status="200"',
            'route="/psp/:provider/:token{/pix}",method="POST",status="404"',
          ].map((labels) => `pix_http_request_seconds_count{${labels}`),
        ),
      );
      expect(text).toMatch(/^pix_http_request_seconds_bucket\{le="0.1",route="\/v1\/payments",/m);
      for (const label of [body.id, 'nowhere', 'nobodys-token']) expect(text.includes(label)).toBe(false);
    });
  });

  test('describes the process', async () => {
    expect(await metrics()).toMatch(/^process_resident_memory_bytes \d+$/m);
  });
});

describe('in production', () => {
  let redis: RedisServer;
  let production: TestApp;
  let its: Client;
  let metricsUrl: string;

  beforeAll(async () => {
    redis = await startRedisServer();
    const port = await freePort();
    metricsUrl = `http://127.0.0.1:${port}`;
    production = await startTestApp({
      ROLE: 'api',
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      REDIS_URL: redis.url,
      METRICS_PORT: String(port),
      STOP_DELAY_SECONDS: '0',
      PUBLIC_URL: 'https://pay.example.com',
    });
    its = createClient(production.baseUrl);
  });

  afterAll(async () => {
    await production.stop();
    await redis.stop();
  });

  test.each([
    '/v1/payments',
    '/graphql',
    '/docs/',
    '/dashboard/',
    '/auth/get-session',
    '/healthz',
    '/nowhere',
  ])('browsers are forced to https when the service is reached over it: %s', async (path) => {
    const { headers } = await fetch(production.baseUrl + path);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  test('metrics have a separate port, and the API has none', async () => {
    expectError(await its.get('/metrics'), 404, 'NotFound');
    expect((await fetch(`${metricsUrl}/metrics`)).status).toBe(200);
    const metricsClient = createClient(metricsUrl);
    expect((await metricsClient.get('/healthz')).status).toBe(200);
    expect((await metricsClient.get('/readyz')).status).toBe(200);
    expectError(await metricsClient.get('/v1/payments'), 404, 'NotFound');
    const answer = await metricsClient.post('/metrics');
    expectError(answer, 405, 'MethodNotAllowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });

  test('there is no explorer: GET /graphql leads browsers to the reference, and programs get 405', async () => {
    expectError(await its.get('/explorer/'), 404, 'NotFound');
    const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const opened = await fetch(`${production.baseUrl}/graphql`, { headers, redirect: 'manual' });
    expect([opened.status, opened.headers.get('location')]).toEqual([302, '/docs/graphql']);
    const answer = await its.get('/graphql');
    expectError(answer, 405, 'MethodNotAllowed');
    expect(answer.headers.get('allow')).toBe('POST');
  });

  test('the address alone leads browsers to the dashboard, as outside of production', async () => {
    const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const { baseUrl } of [production, app]) {
      const opened = await fetch(`${baseUrl}/`, { headers });
      expect([opened.status, new URL(opened.url).pathname]).toEqual([200, '/dashboard/']);
      expect(await opened.text()).toContain('<div id="root">');
    }
  });

  test('Redis is reported as up, then down, which is not fatal', async () => {
    expect((await its.get('/readyz')).body).toEqual({ status: 'ready', database: 'up', redis: 'up' });
    const { key } = await createKey(production.services);
    const keyed = createClient(production.baseUrl, key);
    expect((await keyed.get('/v1/payments')).status).toBe(200);
    await redis.kill();
    expect((await keyed.get('/v1/payments')).status).toBe(200);
    expect(await its.get('/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ready', database: 'up', redis: 'down' },
    });
  });
});

type Json = Record<string, unknown>;

describe('/openapi.json', () => {
  // Parsed JSON: a test knows what it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  let document: any;
  let operations: [name: string, operation: Json & { responses: Json; operationId: string }][];

  beforeAll(async () => {
    document = (await anonymous.get('/openapi.json')).body;
    operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): (typeof operations)[number] => [
        `${method.toUpperCase()} ${path}`,
        operation as (typeof operations)[number][1],
      ]),
    );
  });

  const operation = (name: string) => operations.find(([each]) => each === name)?.[1];
  const schema = (name: string) => document.components.schemas[name];
  const inPlace = (name: string) => name.replace('{id}', randomUUID());

  /** What it says or, where it is a reference, what is referred to. */
  // oxlint-disable-next-line typescript/no-explicit-any
  const resolved = (said: any): any =>
    said.$ref === undefined
      ? said
      : said.$ref
          .split('/')
          .slice(1)
          .reduce((node: Json, part: string) => node[part], document);

  /** The only type of a body. */
  const typeIn = (content: object) =>
    Object.values(content)[0] as { schema: { $ref: string }; example: unknown };

  const { version: installed } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { version: string };

  test('is OpenAPI 3.1.0 for the release that is installed at the public URL, with the key in X-API-Key', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: expect.any(String), version: installed },
      servers: [{ url: 'https://pay.example.com' }],
      components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
    });
  });

  test('contains no dangling references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) =>
      String(to),
    );
    expect(references.length).toBeGreaterThan(10);
    for (const reference of new Set(references)) {
      const path = reference.replace(/^#\//, '').split('/');
      const target = path.reduce<unknown>((node, part) => (node as Json | undefined)?.[part], document);
      expect({ reference, target }).toEqual({ reference, target: expect.any(Object) });
    }
  });

  test('gives every operation a unique id, a success response and errors in the usual shape', () => {
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
    for (const [name, { responses }] of operations) {
      const statuses = Object.keys(responses);
      expect({ name, statuses }).toEqual({ name, statuses: expect.arrayContaining(['401', '429', '500']) });
      expect(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1);
      for (const [status, response] of Object.entries(responses)) {
        const expected = status.startsWith('2') ? /schemas\/(?!Error)/ : /schemas\/Error$/;
        const { description, content } = resolved(response);
        expect(description).toMatch(/^[A-Z].+\.$/);
        expect(typeIn(content).schema.$ref).toMatch(expected);
      }
    }
  });

  test('has only operations that are served, to nobody without a key', async () => {
    expect(operations.length).toBeGreaterThan(0);
    for (const [name] of operations) {
      const { status } = await rawRequest(app.baseUrl, inPlace(name));
      expect({ name, status }).toEqual({ name, status: 401 });
    }
  });

  test('names every method of its paths: the others get 405, with those in Allow', async () => {
    for (const [path, item] of Object.entries<Json>(document.paths)) {
      const named = Object.keys(item).flatMap((method) =>
        method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
      );
      for (const method of METHODS.filter((each) => each !== 'CONNECT' && !named.includes(each))) {
        const { status, headers } = await rawRequest(app.baseUrl, inPlace(`${method} ${path}`));
        const allow = headers.get('allow');
        expect({ method, path, status, allow }).toEqual({
          method,
          path,
          status: 405,
          allow: named.sort().join(', '),
        });
      }
    }
  });

  test('declares every parameter of its paths', () => {
    for (const [name, { parameters = [] }] of operations) {
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      const declared = (parameters as { name: string; in: string; required: boolean }[])
        .filter((parameter) => parameter.in === 'path' && parameter.required)
        .map((parameter) => parameter.name);
      expect(declared).toEqual(inPath);
    }
  });

  test('documents the operations of the specification with all their statuses', () => {
    expect(Object.keys(operation('POST /v1/payments')?.responses ?? {})).toEqual(
      expect.arrayContaining(['201', '400', '401', '403', '500']),
    );
    expect(Object.keys(operation('GET /v1/payments/{id}')?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '401', '404', '500']),
    );
  });

  test('documents the 400 of a bad Idempotency-Key and the 403 of a live key in a browser', () => {
    for (const [name, { responses, parameters = [] }] of operations) {
      const keys = (parameters as { name: string }[]).filter((each) => each.name === 'Idempotency-Key');
      expect({ name, statuses: Object.keys(responses) }).toEqual({
        name,
        statuses: expect.arrayContaining(['403', ...(keys.length > 0 ? ['400', '409', '422'] : [])]),
      });
    }
  });

  test('says what a thing is, and not what it goes beyond', () => {
    expect(JSON.stringify(document)).not.toMatch(/beyond the specification/i);
    const known = document.tags.map((tag: { name: string }) => tag.name);
    for (const [name, { summary = '', description = '', tags = [] }] of operations) {
      expect({ name, summary, description }).toEqual({
        name,
        summary: expect.stringMatching(/\w/),
        description: expect.stringMatching(/\w/),
      });
      expect({ name, known }).toEqual({ name, known: expect.arrayContaining(tags as string[]) });
    }
  });

  test('has the create request of the specification', () => {
    const { type, required, properties } = schema('CreatePayment');
    expect({ type, required }).toEqual({ type: 'object', required: ['amount'] });
    expect(Object.keys(properties)).toEqual([
      'amount',
      'credentialId',
      'ruleSetId',
      'description',
      'externalId',
      // Beyond the specification.
      'fiscalDocument',
      'payer',
      'expirationMinutes',
      'metadata',
      'returnUrl',
      'due',
    ]);
    expect(properties).toMatchObject({
      amount: { type: 'number', minimum: 0.01, maximum: 9_999_999_999.99 },
      credentialId: { type: 'string' },
      ruleSetId: { type: 'string', format: 'uuid' },
      description: { type: 'string' },
      externalId: { type: 'string' },
      payer: { type: 'object' },
      expirationMinutes: { type: 'number', minimum: 5, maximum: 43_200 },
      metadata: { type: 'object' },
    });
    expect(Object.keys(properties.payer.properties)).toEqual([
      'name',
      'document',
      'email',
      'phone',
      // Beyond the specification.
      'address',
    ]);
    expect(properties.payer.required ?? []).toEqual([]);
  });

  test('gives the limits and formats of the texts in a create request', () => {
    const { credentialId, ruleSetId, description, externalId, payer } = schema('CreatePayment').properties;
    expect([credentialId, description, externalId].map(({ maxLength }) => maxLength)).toEqual([
      255, 500, 255,
    ]);
    expect(payer.properties).toMatchObject({
      name: { maxLength: 200 },
      document: { maxLength: 40 },
      email: { maxLength: 254, format: 'email' },
      phone: { maxLength: 30 },
    });
    // Letters of either case are right, which a pattern without flags could not say.
    expect(ruleSetId).toMatchObject({ type: 'string', format: 'uuid' });
    expect(ruleSetId).not.toHaveProperty('pattern');
  });

  test('describes the default of expirationMinutes in words, because generators make defaults mandatory', () => {
    const { expirationMinutes } = schema('CreatePayment').properties;
    expect(expirationMinutes).not.toHaveProperty('default');
    expect(expirationMinutes.description).toContain('Defaults to 30');
  });

  test('contains each schema once', () => {
    expect(schema('PaymentPage').properties.data.items).toEqual({ $ref: '#/components/schemas/Payment' });
    expect(schema('EventPage').properties.data.items).toEqual({ $ref: '#/components/schemas/Event' });
    expect(schema('Event').properties.data).toMatchObject({ $ref: '#/components/schemas/Payment' });
    expect(JSON.stringify(document)).not.toMatch(/"\$(id|schema)"/);
  });

  test('lets responses gain members', () => {
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
  });

  test('declares the headers of every response, including Retry-After', () => {
    const limited = ['RateLimit', 'RateLimit-Policy'];
    const beforeAnyKey = ['401', '405', '408', '431'];
    for (const [name, { responses }] of operations) {
      for (const [status, response] of Object.entries(responses)) {
        const declared = Object.keys(resolved(response).headers);
        const expected = [
          'X-Trace-Id',
          ...(beforeAnyKey.includes(status) ? [] : limited),
          ...(Number(status) >= 400 ? ['X-Error-Code'] : []),
          ...(status === '405' ? ['Allow'] : []),
          ...(['409', '429', '503'].includes(status) ? ['Retry-After'] : []),
        ];
        expect({ name, status, declared }).toEqual({
          name,
          status,
          declared: expect.arrayContaining(expected),
        });
      }
    }
    expect(document.components.responses.Unauthorized.headers).not.toHaveProperty('RateLimit');
  });

  test('has a valid example for every request and response', () => {
    const { event, recurrenceEvent } = document.webhooks;
    const withBody = [...operations.map(([, each]) => each), event.post, recurrenceEvent.post];
    const requests = withBody.flatMap(({ requestBody }) => (requestBody ? [requestBody] : []));
    const answers = operations.flatMap(([, { responses }]) => Object.values(responses).map(resolved));
    expect(requests).toHaveLength(20);
    for (const { content } of [...requests, ...answers]) {
      const { schema: referred, example } = typeIn(content);
      const { error } = documentedSchema(referred.$ref.split('/').at(-1) ?? '').safeParse(example);
      expect(error?.message).toBeUndefined();
    }
  });

  test('has an example create request that is accepted', async () => {
    const { example } = resolved(operation('POST /v1/payments')?.['requestBody']).content['application/json'];
    const { status, body } = await client.post('/v1/payments', example);
    expect({ status, metadata: body.metadata }).toEqual({ status: 201, metadata: example.metadata });
  });

  test("names the service's rate limit", () => {
    expect(document.info.description).toContain('Each key may send 100000 requests a minute,');
  });

  test('has no multipleOf, by which validators would refuse 19.9 as no multiple of 0.01', () => {
    expect(JSON.stringify(schema('CreatePayment'))).not.toContain('multipleOf');
  });

  test("has the specification's error", () => {
    expect(schema('Error')).toMatchObject({
      type: 'object',
      required: ['statusCode', 'error', 'message', 'timestamp'],
      properties: { details: { properties: { resource: {}, id: {} } }, traceId: { type: 'string' } },
    });
  });

  // That no answer holds anything else is seen to by the client of every test.
  test('has no member that is never returned', async () => {
    const address = { street: 'Rua A', number: '1', city: 'Recife', state: 'PE', postalCode: '50000000' };
    const payer = { name: 'Fulano', document: '12345678909', email: 'fulano@example.com', address };
    const fiscalDocument = '35261112345678000195550010000010421123456782';
    const input = { amount: 1, description: 'a', externalId: 'b', fiscalDocument, payer, metadata: { a: 1 } };
    const due = { date: '2030-01-02' };
    const created = await client.post('/v1/payments', { ...input, due });
    await query(app.databaseUrl, 'UPDATE payment SET overdue = true WHERE id = $1', [created.body.id]);
    const pending = await client.get(`/v1/payments/${created.body.id}`);
    const paid = await client.post(`/v1/sandbox/payments/${created.body.id}/pay`, {
      payer: { name: 'Fulana', document: payer.document },
    });
    const simulate = (what: string, amount: number) =>
      client.post(`/v1/sandbox/payments/${created.body.id}/${what}`, { amount });
    await simulate('reverse', 0.25);
    await client.post(`/v1/payments/${created.body.id}/refunds`, { amount: 0.25 });
    await simulate('dispute', 0.25);
    const refunded = await client.get(`/v1/payments/${created.body.id}`);
    const other = await client.post('/v1/payments', { amount: 1 });
    const cancelled = await client.post(`/v1/payments/${other.body.id}/cancel`);
    const everything = { ...cancelled.body, ...pending.body, ...refunded.body };
    const ofDebits = ['debit', 'dueDate', 'recurrenceId'];
    const ofAll = Object.keys(schema('Payment').properties).filter((name) => !ofDebits.includes(name));
    expect(Object.keys(everything).sort()).toEqual(ofAll.sort());
    const later = [
      'amountRefunded',
      'amountReversed',
      'cancelledAt',
      'disputed',
      'overdue',
      'pixQrCodeBase64',
    ];
    const properties = ofAll.filter((name) => !later.includes(name));
    expect(Object.keys(paid.body).sort()).toEqual(properties.sort());
    expect(Object.keys(created.body).sort()).toEqual(Object.keys(schema('CreatedPayment').properties).sort());
    expect(schema('Payment').properties).not.toHaveProperty('payerPhone');
    expect(schema('CreatedPayment').required).toEqual(
      expect.arrayContaining([
        'id',
        'amount',
        'currency',
        'status',
        'provider',
        'pixCopyPaste',
        'expiresAt',
        'createdAt',
      ]),
    );
  });

  test('names no unknown routes', async () => {
    for (const [name] of operations) {
      const [method = '', path = ''] = name.split(' ');
      const response = await fetch(app.baseUrl + path.replace('{id}', 'x'), { method });
      expect({ name, status: response.status }).toEqual({ name, status: 401 });
    }
  });

  test('supports HEAD', async () => {
    const response = await fetch(`${app.baseUrl}/openapi.json`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(1_000);
  });
});

describe.each(['/docs/', '/docs/going-live/', '/docs/reference/', '/explorer/'])('%s', (path) => {
  let response: Response;
  let html: string;

  beforeAll(async () => {
    response = await fetch(app.baseUrl + path);
    html = await response.text();
  });

  /** What an attribute or a style names, as the browser would resolve it. */
  const assets = (): URL[] => {
    const base = new URL(/<base href="([^"]+)"/.exec(html)?.[1] ?? path, app.baseUrl);
    return [...html.matchAll(/<(?!base\b)[^>]*\s(?:href|src)="([^"]+)"/g)].map(
      ([, to]) => new URL(String(to), base),
    );
  };

  test('is HTML that no other site may frame', () => {
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.has('set-cookie')).toBe(false);
  });

  test('has a policy that only allows this host', () => {
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).toMatch(/script-src 'self'/);
    expect(policy).not.toMatch(/\*|https?:|\/\//);
    expect(/script-src[^;]*/.exec(policy)?.[0]).not.toContain('unsafe-inline');
  });

  test('has no inline script, which its policy would refuse', () => {
    for (const [tag] of html.matchAll(/<script\b[^>]*>/g)) expect(tag).toMatch(/\ssrc="/);
    expect(html).not.toMatch(/\son\w+=/);
  });

  test('refers to no other host, and all its assets exist', async () => {
    expect(assets().length).toBeGreaterThanOrEqual(4);
    expect(html).not.toMatch(/(?:href|src)="(?:https?:)?\/\//);
    for (const url of assets()) {
      expect(url.origin).toBe(app.baseUrl);
      const asset = await fetch(url);
      expect({ url: url.pathname, status: asset.status }).toEqual({ url: url.pathname, status: 200 });
      await asset.arrayBuffer();
    }
  });

  test('has styles that refer to no other host', async () => {
    for (const url of assets().filter(({ pathname }) => pathname.endsWith('.css'))) {
      const css = await (await fetch(url)).text();
      const named = [...css.matchAll(/url\(\s*["']?([^"')]+)/g)].map(([, to]) => String(to));
      for (const to of named.filter((each) => !each.startsWith('data:') && !each.startsWith('#'))) {
        const asset = await fetch(new URL(to, url));
        expect({ to, origin: new URL(to, url).origin, status: asset.status }).toEqual({
          to,
          origin: app.baseUrl,
          status: 200,
        });
      }
      expect(css).not.toMatch(/@import/);
    }
  });

  test('supports caches and downloads, and never fails with 500', async () => {
    const [asset] = assets().filter(({ pathname }) => pathname.endsWith('.css'));
    const ask = (headers: Record<string, string>): Promise<Response> => fetch(String(asset), { headers });
    expect((await ask({ Range: 'bytes=99999999-' })).status).toBe(200);
    const failed = await ask({ 'If-Match': '"other"' });
    const { status, headers } = failed;
    expectError({ status, headers, body: await failed.json() }, 400, 'BadRequest');
  });

  test('does not list its directories or allow leaving them', async () => {
    for (const escape of [
      'assets',
      '../package.json',
      '%2e%2e/%2e%2e/package.json',
      '..%5c..%5cpackage.json',
    ]) {
      const answer = await anonymous.get(path + escape);
      expectError(answer, 404, 'NotFound');
    }
  });
});

describe('the documentation', () => {
  const get = (path: string) => fetch(app.baseUrl + path, { redirect: 'manual' });
  const text = async (path: string) => (await get(path)).text();

  const isOfService = (url: URL) => /^\/(docs|dashboard|openapi\.json)/.test(url.pathname);

  test('links only to pages and headings that it has, and shows pictures that it has', async () => {
    const seen = new Map<string, string>();
    const broken: string[] = [];
    const links: [from: string, to: URL][] = [];
    const queue = ['/docs/'];
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      if (seen.has(path)) continue;
      const response = await get(path);
      if (response.status !== 200) broken.push(path);
      const html = response.headers.get('content-type')?.startsWith('text/html') ? await response.text() : '';
      seen.set(path, html);
      if (path === '/docs/reference/') continue;
      for (const [, href = ''] of html.matchAll(/<(?:a [^>]*href|img [^>]*src)="([^"]+)"/g)) {
        const to = new URL(href, app.baseUrl + path);
        if (to.origin !== app.baseUrl || !isOfService(to)) continue;
        links.push([path, to]);
        queue.push(to.pathname);
      }
    }
    const isMissing = ({ pathname, hash }: URL) =>
      hash !== '' && !seen.get(pathname)?.includes(`id="${decodeURIComponent(hash.slice(1))}"`);
    expect(seen.size).toBeGreaterThan(60);
    expect(broken).toEqual([]);
    expect(links.filter(([, to]) => isMissing(to)).map(([from, { href }]) => `${from}: ${href}`)).toEqual([]);
  });

  test.each(['/docs', '/docs/going-live', '/docs/contributing/decisions'])('is found at %s', async (path) => {
    const { status, headers } = await get(path);
    expect([status, headers.get('location')]).toEqual([301, `${path}/`]);
  });

  test('says so, as a page, where there is none', async () => {
    const lost = await fetch(`${app.baseUrl}/docs/no-such-page`, { headers: { Accept: 'text/html' } });
    expect([lost.status, lost.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await lost.text()).toContain('There is no page at this address');
  });

  test('a page ends with the ones before and after it, and the REST reference has the header of all', async () => {
    const textOf = async (path: string) => (await fetch(app.baseUrl + path)).text();
    const [, next = ''] = /<a rel="next" href="([^"]+)"/.exec(await textOf('/docs/')) ?? [];
    expect(await textOf(next)).not.toContain('rel="prev"');
    const [, second = ''] = /<a rel="next" href="([^"]+)"/.exec(await textOf(next)) ?? [];
    expect(await textOf(second)).toContain(`<a rel="prev" href="${next}">`);
    const reference = await textOf('/docs/reference/');
    for (const href of ['/docs/', '/docs/graphql', '/docs/changelog'])
      expect(/<header>[^]*<\/header>/.exec(reference)?.[0]).toContain(`href="${href}"`);
  });

  test('is sent compressed, and its index is small', async () => {
    for (const path of ['/docs/api', '/docs/search.json', '/docs/search-reference.json']) {
      const request = httpGet(app.baseUrl + path, { headers: { 'Accept-Encoding': 'br' } });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      expect([path, response.headers['content-encoding']]).toEqual([path, 'br']);
      expect((await buffer(response)).length).toBeLessThan(100_000);
    }
  });

  test('shows sources to read, and pictures', async () => {
    const typeOf = async (path: string) => (await get(`/docs/files/${path}`)).headers.get('content-type');
    for (const path of ['examples/graphql/apollo.ts', 'packages/python/pix_service.py', 'deploy/Dockerfile'])
      expect([path, await typeOf(path)]).toEqual([path, 'text/plain; charset=utf-8']);
    expect(await typeOf('docs/screenshots/payment.png')).toBe('image/png');
  });

  test('has every code of errors, and every operation of GraphQL', async () => {
    const errors = await text('/docs/errors');
    expect(Object.keys(statusOfCode).filter((code) => !errors.includes(`<code>${code}</code>`))).toEqual([]);
    const [operations, types] = [await text('/docs/graphql'), await text('/docs/graphql-types')];
    for (const name of ['createPayment', 'paymentsUpdated'])
      expect(operations).toContain(`<h3 id="${name.toLowerCase()}">`);
    for (const name of ['Payment', 'CreatePaymentInput', 'PaymentStatus'])
      expect(types).toContain(`<h3 id="${name.toLowerCase()}">`);
  });

  test('has an index for its search, which finds the sections of a page', async () => {
    const index = (await (await get('/docs/search.json')).json()) as string[][];
    const found = index.find(([href]) => href === '/docs/api#retries');
    expect(found).toEqual([
      '/docs/api#retries',
      'Using the API',
      'Retries',
      expect.stringContaining('Idempotency-Key'),
    ]);
    expect(index.length).toBeGreaterThan(300);
  });

  test('is there for programs: a list of its pages, and each as Markdown', async () => {
    expect((await get('/llms.txt')).headers.get('location')).toBe('/docs/llms.txt');
    const list = await text('/docs/llms.txt');
    const pages = [...list.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, path = '']) => path);
    expect(pages).toEqual(expect.arrayContaining(['/docs/webhooks.md', '/docs/going-live/index.md']));
    for (const path of pages)
      expect({ path, status: (await get(path)).status }).toEqual({ path, status: 200 });
  });
});

test('/ leads browsers to the dashboard, and tells programs where to go on', async () => {
  const get = (accept: string) =>
    fetch(`${app.baseUrl}/`, { redirect: 'manual', headers: { Accept: accept } });
  const browser = await get('text/html,application/xhtml+xml,*/*;q=0.8');
  expect(browser.status).toBe(302);
  expect(browser.headers.get('location')).toBe('/dashboard/');
  for (const accept of ['*/*', 'application/json']) {
    const program = await get(accept);
    expect([program.status, await program.json()]).toMatchObject([
      200,
      { documentation: expect.stringMatching(/\/docs\/$/) },
    ]);
  }
});

describe('an address at which there is nothing', () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(app.baseUrl + path, { headers: { Accept: accept, ...headers } });

  test.each([
    ['en', 'Page not found'],
    ['pt-BR', 'Página não encontrada'],
  ])('is a page for people who read %s', async (language, heading) => {
    const lost = await get('/nowhere?key=secret', { 'Accept-Language': language });
    expect([lost.status, lost.headers.get('content-language')]).toEqual([404, language]);
    expect(lost.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const page = await lost.text();
    expect(page).toContain(`<h1>${heading}</h1>`);
    expect(page).not.toContain('secret');
  });

  test('is an error for programs, even where they prefer HTML', async () => {
    for (const [path, headers] of [
      ['/nowhere', { Accept: '*/*' }],
      ['/nowhere', { Accept: 'application/json' }],
      ['/v1/nowhere', {}],
      ['/psp/woovi', {}],
      ['/auth/nowhere', {}],
    ] as const) {
      const { status, headers: answered } = await get(path, headers);
      expect([path, status, answered.get('x-error-code')]).toEqual([path, 404, 'route_not_found']);
    }
    const posted = await fetch(`${app.baseUrl}/nowhere`, { method: 'POST', headers: { Accept: accept } });
    expect(posted.headers.get('x-error-code')).toBe('route_not_found');
  });
});

describe('GET /graphql', () => {
  test('redirects browsers to the explorer', async () => {
    const response = await fetch(`${app.baseUrl}/graphql`, { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/explorer/');
  });
});

test('the dashboard says that it is being built until it is', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'dashboard-'));
  const server = express().use(dashboardPages(directory, false)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/payments`;
    const early = await fetch(url);
    expect([early.status, early.headers.get('refresh')]).toEqual([503, '2']);
    expect(await early.text()).toContain('is being built');
    await writeFile(join(directory, 'index.html'), 'the page');
    const built = await fetch(url);
    expect([built.status, await built.text()]).toEqual([200, 'the page']);
  } finally {
    server.close();
    await rm(directory, { recursive: true });
  }
});
