import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Answer, createClient } from '../support/client.ts';
import { query } from '../support/database.ts';
import { expectError } from '../support/error-shape.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { rawRequest } from '../support/raw-request.ts';

const shop = 'https://shop.example.com';
const office = 'http://localhost:5173';
const stranger = 'https://evil.example';

const reason =
  'A live API key is a secret and must not be used from a browser: call from your server, or list the origin in CORS_ORIGINS';

let app: TestApp;
let closed: TestApp;
let live: TestKey;
let testKey: TestKey;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api', CORS_ORIGINS: `${shop}, ${office}` });
  closed = await startTestApp({ ROLE: 'api' });
  live = await createKey(app.services, { mode: 'live' });
  testKey = await createKey(app.services);
});

afterAll(async () => {
  await Promise.all([app.stop(), closed.stop()]);
});

type Send = (key: TestKey | undefined, headers: Record<string, string>, to?: TestApp) => Promise<Answer>;

const transports: [name: string, send: Send][] = [
  ['REST', (key, headers, to = app) => createClient(to.baseUrl, key?.key).get('/v1/payments', headers)],
  [
    'GraphQL',
    (key, headers, to = app) =>
      createClient(to.baseUrl, key?.key).graphql('{ payments { edges { cursor } } }', {}, headers),
  ],
];

/** What the error says, in the words of REST. */
function errorOf({ body }: Answer): { statusCode: number; error: string; message: string } {
  const [graphql] = body.errors ?? [];
  const { statusCode, error, message } = graphql ? { ...graphql.extensions, ...graphql } : body;
  return { statusCode, error, message };
}

describe.each(transports)('a live key over %s', (_name, send) => {
  test.each([
    ['an origin that is not listed', stranger],
    ['the opaque origin of a sandboxed frame', 'null'],
    ['an origin that begins like a listed one', `${shop}.evil.example`],
    ['a listed host with another scheme', shop.replace('https', 'http')],
    ['a listed host with another port', `${shop}:8443`],
    ['a subdomain of a listed one', 'https://a.shop.example.com'],
    ['a listed one with a slash', `${shop}/`],
    ['a wildcard', '*'],
  ])('with %s is refused with 403, saying why', async (_case, origin) => {
    const answer = await send(live, { Origin: origin });
    expect(answer.status).toBe(403);
    expect(errorOf(answer)).toEqual({ statusCode: 403, error: 'Forbidden', message: reason });
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  });

  test('with any origin is refused if none is listed', async () => {
    for (const origin of [shop, office, stranger]) {
      const answer = await send(live, { Origin: origin }, closed);
      expect(errorOf(answer)).toEqual({ statusCode: 403, error: 'Forbidden', message: reason });
    }
  });

  test('without an origin is accepted: the caller is a server', async () => {
    expect((await send(live, {})).status).toBe(200);
    expect((await send(live, {}, closed)).status).toBe(200);
  });

  test('with a listed origin is accepted, and the browser may read the response', async () => {
    for (const origin of [shop, office]) {
      const answer = await send(live, { Origin: origin });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('vary')).toMatch(/origin/i);
      for (const name of [
        'X-Trace-Id',
        'X-Error-Code',
        'RateLimit',
        'Retry-After',
        'Location',
        'Idempotency-Replayed',
      ]) {
        expect(answer.headers.get('access-control-expose-headers')).toContain(name);
      }
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
    }
  });
});

describe.each(transports)('a test key over %s', (_name, send) => {
  test('is accepted with any origin', async () => {
    for (const to of [app, closed]) {
      for (const origin of [shop, stranger, 'null']) {
        expect((await send(testKey, { Origin: origin }, to)).status).toBe(200);
      }
    }
  });
});

describe.each(transports)('a bad key over %s', (_name, send) => {
  test('with an origin gets 401: the origin is checked after the key', async () => {
    const answer = await send(undefined, { Origin: stranger });
    expect(errorOf(answer)).toMatchObject({ statusCode: 401, error: 'Unauthorized' });
  });

  test('from a listed origin gets 401 that the page may read', async () => {
    const answer = await send(undefined, { Origin: shop });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('access-control-allow-origin')).toBe(shop);
  });
});

describe('the guard', () => {
  test('comes before permission and body, and nothing is created', async () => {
    const own = await createKey(app.services, { mode: 'live', permissions: [] });
    const answer = await createClient(app.baseUrl, own.key).post('/v1/payments', '{broken', {
      Origin: stranger,
    });
    expectError(answer, 403, 'Forbidden');
    expect(answer.body.message).toBe(reason);
  });

  test('counts what it refuses, and reports the remaining limit', async () => {
    const own = await createKey(app.services, { mode: 'live' });
    const its = createClient(app.baseUrl, own.key);
    const refused = await its.get('/v1/payments', { Origin: stranger });
    expect(refused.headers.get('ratelimit')).toContain('r=99999;');
    expect((await its.get('/v1/payments')).headers.get('ratelimit')).toContain('r=99998;');
  });

  test('creates nothing over GraphQL', async () => {
    const own = await createKey(app.services, { mode: 'live' });
    const text = 'mutation { createPayment(input: { amount: 1 }) { id } }';
    const answer = await createClient(app.baseUrl, own.key).graphql(text, {}, { Origin: stranger });
    expect(answer.body.errors[0].extensions).toMatchObject({ code: 'FORBIDDEN', statusCode: 403 });
    const text2 = 'SELECT id FROM payment WHERE organization_id = $1';
    expect(await query(app.databaseUrl, text2, [own.organizationId])).toEqual([]);
  });

  test('is not fooled by a second Origin', async () => {
    const answer = await rawRequest(app.baseUrl, 'GET /v1/payments', [
      ['X-API-Key', live.key],
      ['Origin', shop],
      ['Origin', stranger],
    ]);
    expectError(answer, 403, 'Forbidden');
  });
});

describe.each(['/v1/payments', '/graphql'])('a preflight for %s', (path) => {
  const preflight = (origin: string, to = app): Promise<Response> =>
    fetch(to.baseUrl + path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-api-key,content-type,idempotency-key',
      },
    });

  test.each([stranger, 'null', `${shop}.evil.example`])('from %s is refused', async (origin) => {
    const { headers } = await preflight(origin);
    expect(headers.has('access-control-allow-origin')).toBe(false);
  });

  test('is refused if no origin is listed', async () => {
    const response = await preflight(shop, closed);
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
    const { status, headers } = response;
    expectError({ status, headers, body: await response.json() }, 405, 'MethodNotAllowed');
  });

  test.each([shop, office])('from %s is granted for the key header, without a key', async (origin) => {
    const { status, headers } = await preflight(origin);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-methods')).toContain('POST');
    expect(headers.get('access-control-allow-headers')).toBe('x-api-key,content-type,idempotency-key');
    expect(headers.get('access-control-max-age')).toBe('600');
    expect(headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
  });
});

test('over http, browsers are not forced to https', async () => {
  const { headers } = await fetch(`${closed.baseUrl}/dashboard/`);
  expect(headers.has('strict-transport-security')).toBe(false);
});
