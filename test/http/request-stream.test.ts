import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { followRequests as follow, type RequestStream } from '../support/request-stream.ts';
import { overWebSocket, transports } from '../support/subscribe.ts';

let redis: RedisServer;
/** Two nodes on one database and one Redis. */
let nodes: [TestApp, TestApp];
const open: RequestStream[] = [];

beforeAll(async () => {
  redis = await startRedisServer();
  const env = { REDIS_URL: redis.url, ROLE: 'api' };
  nodes = [await startTestApp(env), await startTestApp(env)];
});

afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await redis.stop();
});

async function followRequests(key: string): Promise<RequestStream> {
  const stream = await follow(nodes[0].baseUrl, key);
  open.push(stream);
  await eventually(() => expect(stream.events.at(-1)).toMatchObject({ data: { allNodes: true } }));
  return stream;
}

const newKey = (): Promise<TestKey> => createKey(nodes[0].services);
const clientAt = (node: 0 | 1, { key }: TestKey): Client => createClient(nodes[node].baseUrl, key);

const shows = (stream: RequestStream, requests: object[]): Promise<void> =>
  eventually(() => expect(stream.requests()).toMatchObject(requests));

describe('what a follower sees', () => {
  test('requests of the key on every node, with what the client can look up', async () => {
    const key = await newKey();
    const stream = await followRequests(key.key);
    const { headers, body } = await clientAt(0, key).post('/v1/payments', { amount: 1 });
    await shows(stream, [
      { method: 'POST', path: '/v1/payments', status: 201, traceId: headers.get('X-Trace-Id') },
    ]);
    await eventually(() => expect(nodes[1].services.requestFeed.isFollowed(key.id)).toBe(true));
    await clientAt(1, key).get(`/v1/payments/${body.id}`);
    await shows(stream, [{ status: 201 }, { path: `/v1/payments/${body.id}`, status: 200 }]);
    const { at, durationMs } = stream.requests()[0] ?? {};
    expect(Date.now() - Date.parse(String(at))).toBeLessThan(60_000);
    expect(durationMs).toBeGreaterThanOrEqual(0);
  });

  test('why a request was refused: the code, and the fields', async () => {
    const key = await newKey();
    const client = clientAt(0, key);
    const stream = await followRequests(key.key);
    await client.post('/v1/payments', { amount: -1, payer: { email: 'maria' } });
    await client.post('/v1/payments', '{');
    await client.get('/v1/payments?limit=0');
    await client.graphql('mutation M($i: CreatePaymentInput!) { createPayment(input: $i) { id } }', {
      i: { amount: 1, payer: { email: 'maria' } },
    });
    await client.graphql('{ payments(first: 101) { edges { cursor } } }');
    await client.graphql('{');
    await shows(stream, [
      { status: 400, errors: [{ code: 'invalid_request', fields: ['amount', 'payer.email'] }] },
      { status: 400, errors: [{ code: 'malformed_json', fields: [] }] },
      { status: 400, path: '/v1/payments?limit=0', errors: [{ fields: ['limit'] }] },
      {
        status: 200,
        operation: { type: 'mutation', name: 'M', fields: ['createPayment'] },
        errors: [{ code: 'invalid_request', fields: ['payer.email'] }],
      },
      { operation: { type: 'query', fields: ['payments'] }, errors: [{ fields: ['first'] }] },
      { status: 400, errors: [{ code: 'invalid_graphql', fields: [] }] },
    ]);
  });

  test('whether an Idempotency-Key was new, over REST and GraphQL', async () => {
    const key = await newKey();
    const client = clientAt(0, key);
    const stream = await followRequests(key.key);
    const create = 'mutation { createPayment(input: { amount: 1 }, idempotencyKey: "b") { id } }';
    for (const _ of [1, 2]) await client.post('/v1/payments', { amount: 1 }, { 'Idempotency-Key': 'a' });
    for (const _ of [1, 2]) await client.graphql(create);
    await client.get('/v1/payments');
    await eventually(() =>
      expect(stream.requests().map(({ idempotencyKey }) => idempotencyKey)).toEqual([
        'sent',
        'replayed',
        'sent',
        'replayed',
        undefined,
      ]),
    );
  });

  test('operations over a WebSocket, and those that it refused', async () => {
    const { key } = await newKey();
    const stream = await followRequests(key);
    for (const text of ['query Q { payments { edges { cursor } } }', '{ nothing }']) {
      const socket = overWebSocket(nodes[0].baseUrl, { 'X-API-Key': key }, text);
      await socket.ended;
      socket.close();
    }
    await shows(stream, [
      { method: 'WS', path: '/graphql', status: 200, operation: { name: 'Q', fields: ['payments'] } },
      { method: 'WS', errors: [{ code: 'invalid_graphql' }], operation: { fields: ['*'] } },
    ]);
  });

  test.each(transports)('the same as a subscription, over %s', async (_name, subscribe) => {
    const { key } = await newKey();
    const text = `subscription { requestsServed { allNodes missed
      request { method path status durationMs idempotencyKey operation { type fields } errors { code fields } } } }`;
    const subscribed = subscribe(nodes[0].baseUrl, { 'X-API-Key': key }, text);
    const shown = () => subscribed.results.map(({ data }) => data.requestsServed);
    await eventually(() => expect(shown()).toContainEqual({ allNodes: true, missed: null, request: null }));
    await createClient(nodes[0].baseUrl, key).get('/v1/payments?limit=0&search=maria');
    await eventually(() =>
      expect(shown().at(-1)).toMatchObject({
        allNodes: null,
        request: {
          method: 'GET',
          path: '/v1/payments?limit=0&search=*',
          errors: [{ code: 'invalid_request', fields: ['limit'] }],
        },
      }),
    );
    subscribed.close();
  });

  test('requests that no route took, and those beyond the rate limit', async () => {
    const limited = await startTestApp({ RATE_LIMIT_PER_MINUTE: '3', ROLE: 'api' });
    try {
      const { key } = await createKey(limited.services);
      const client = createClient(limited.baseUrl, key);
      const stream = await follow(limited.baseUrl, key);
      await client.post('/v1/payment', {});
      await client.post('/v1/events', {});
      for (const _ of [1, 2, 3]) await client.get('/v1/events');
      await shows(stream, [
        { path: '/v1/*', status: 404, errors: [{ code: 'route_not_found' }] },
        { path: '/v1/events', status: 405, errors: [{ code: 'method_not_allowed' }] },
        { status: 200 },
        { status: 200 },
        { status: 429, errors: [{ code: 'rate_limit_exceeded' }] },
      ]);
      expect(stream.events[0]).toEqual({ event: 'scope', data: { allNodes: false } });
      stream.close();
    } finally {
      await limited.stop();
    }
  });
});

describe('what a follower does not see', () => {
  test('requests of another key, be it of the same organization', async () => {
    const key = await newKey();
    const sister = await createKey(nodes[0].services, { organizationId: key.organizationId });
    const [stream, another] = [await followRequests(key.key), await followRequests(sister.key)];
    for (const each of [sister, await newKey()]) await clientAt(0, each).get('/v1/events');
    await clientAt(0, key).get('/v1/payments');
    await shows(stream, [{ path: '/v1/payments' }]);
    await shows(another, [{ path: '/v1/events' }]);
  });

  test('anything of a payer, wherever a hostile client puts it', async () => {
    const key = await newKey();
    const client = clientAt(0, key);
    const stream = await followRequests(key.key);
    const secrets = [
      '529.982.247-25',
      '52998224725',
      'maria.souza@example.com',
      '+5511987654321',
      'Mariazinha Souza',
    ];
    const payerOf = (secret: string) => ({
      amount: 1,
      description: secret,
      externalId: secret,
      payer: { name: secret, email: secret, document: secret, phone: secret, [secret]: secret },
      metadata: { [secret]: { [secret]: secret } },
      [secret]: secret,
    });
    /** A member is named when its number cannot be kept as it is. */
    const withInexactNumber = (secret: string): string =>
      `{"amount":1,"metadata":{${JSON.stringify(secret)}:12345678901234567890}}`;
    const sendAll = async (secret: string): Promise<void> => {
      const encoded = encodeURIComponent(secret);
      const name = `x${secret.replace(/\W/g, '_')}`;
      const literal = JSON.stringify(secret);
      const sent = { 'Idempotency-Key': secret, 'User-Agent': secret, Referer: `http://${encoded}` };
      await client.post('/v1/payments', payerOf(secret), sent);
      await client.post('/v1/payments', JSON.stringify(secret), sent);
      await client.post('/v1/payments', withInexactNumber(secret), sent);
      for (const parameter of [
        'search',
        'payer',
        'externalId',
        'cursor',
        'limit',
        'status',
        'createdFrom',
        'order',
        encoded,
      ])
        await client.get(`/v1/payments?${parameter}=${encoded}`);
      await client.get(`/v1/events?after=${encoded}`);
      await client.get(`/v1/payments/${encoded}`);
      await client.post(`/v1/payments/${encoded}/refunds`, { reason: secret, amount: secret });
      await client.get(`/${encoded}/${encoded}`);
      await client.post(`/v1/sandbox/payments/${encoded}/pay`);
      await client.graphql(
        `mutation { createPayment(input: { amount: 1, payer: { name: ${literal}, email: ${literal}, document: ${literal} } }) { id } }`,
      );
      await client.graphql(
        `{ payments(filter: { search: ${literal} }) { edges { node { id } } } ${name}: payment(id: ${literal}) { id } }`,
      );
      const socket = overWebSocket(
        nodes[0].baseUrl,
        { 'X-API-Key': key.key },
        `{ ${name}: payment(id: ${literal}) { id } }`,
      );
      await socket.ended;
      socket.close();
      await client.graphql(`{ ${name} payments(${name}: 1, filter: { ${name}: 1 }) { ${name} } }`);
      await client.graphql(`query ($${name}: ${name}) { payment(id: $${name}) { id } } # ${secret}`, {
        [name]: secret,
      });
      await client.graphql('mutation ($input: CreatePaymentInput!) { createPayment(input: $input) { id } }', {
        input: payerOf(secret),
      });
      await client.graphql(`mutation { cancelPayment(id: ${literal}, idempotencyKey: ${literal}) { id } }`);
      await client.get(
        `/graphql?query=${encodeURIComponent(`{ payment(id: ${literal}) { id } }`)}&${encoded}`,
      );
    };
    await Promise.all(secrets.map(sendAll));
    await clientAt(0, key).get('/v1/events?limit=7');
    await eventually(() => expect(stream.requests().at(-1)).toMatchObject({ path: '/v1/events?limit=7' }));
    expect(stream.requests().length).toBeGreaterThan(100);
    // Whole, without what separates digits, and each word of it.
    const text = decodeURIComponent(stream.text()).toLowerCase();
    for (const part of ['52998224725', '529', '982', '987654321', '11987', 'maria', 'souza', 'example.com'])
      expect(traceless(text)).not.toContain(part);
    expect(text).not.toContain(key.key);
  });
});

/** Random digits prove nothing. */
const traceless = (text: string): string =>
  text.replaceAll(/"(traceid|at)":"[^"]*"/g, '').replaceAll(/"durationms":\d+/g, '');

describe('who may follow', () => {
  const streamOf = (client: Client) => client.get('/v1/requests/stream');

  test('a live key is refused, and told why', async () => {
    const { status, body } = await streamOf(
      clientAt(0, await createKey(nodes[0].services, { mode: 'live' })),
    );
    expect({ status, message: body.message }).toEqual({
      status: 403,
      message: 'The requests of a live key are not shown: use a test key',
    });
  });

  test('a live key is refused over GraphQL as well', async () => {
    const { key } = await createKey(nodes[0].services, { mode: 'live' });
    const { results } = overWebSocket(
      nodes[0].baseUrl,
      { 'X-API-Key': key },
      'subscription { requestsServed { missed } }',
    );
    await eventually(() => expect(results[0].errors[0].extensions.reason).toBe('test_mode_only'));
  });

  test('no key, an unknown key and a payment token are refused', async () => {
    const key = await newKey();
    const { body } = await clientAt(0, key).post('/v1/payments', { amount: 1 });
    const { token } = (await clientAt(0, key).post(`/v1/payments/${body.id}/token`)).body;
    const client = createClient(nodes[0].baseUrl);
    expect((await streamOf(client)).status).toBe(401);
    expect((await streamOf(createClient(nodes[0].baseUrl, `${key.key}x`))).status).toBe(401);
    const withToken = await client.get('/v1/requests/stream', { Authorization: `Bearer ${token}` });
    expect(withToken.status).toBe(403);
  });

  test('a key without permissions may, as it reads', async () => {
    const key = await createKey(nodes[0].services, { permissions: [] });
    const stream = await followRequests(key.key);
    await clientAt(0, key).post('/v1/payments', { amount: 1 });
    await shows(stream, [{ status: 403, errors: [{ code: 'permission_denied' }] }]);
  });

  test('an eleventh reader of a key is refused until another leaves', async () => {
    const key = await newKey();
    for (let count = 0; count < 10; count++) await followRequests(key.key);
    const { status, headers } = await streamOf(clientAt(0, key));
    expect({ status, code: headers.get('X-Error-Code') }).toEqual({
      status: 429,
      code: 'too_many_subscriptions',
    });
    open.pop()?.close();
    await eventually(() => followRequests(key.key));
  });

  test('the stream of a revoked key ends with an error', async () => {
    const key = await newKey();
    const stream = await followRequests(key.key);
    await nodes[1].services.apiKeys.revoke(operatorFor(key.organizationId, 'test'), key.id);
    expect(await stream.ended).toBe('end');
    expect(stream.events.at(-1)).toMatchObject({ event: 'error', data: { statusCode: 401 } });
  });

  test('a stopping node cuts the stream, so that clients connect again', async () => {
    const node = await startTestApp({ ROLE: 'api' });
    const { key } = await createKey(node.services);
    const stream = await follow(node.baseUrl, key);
    await node.stop();
    expect(await stream.ended).toBeInstanceOf(Error);
  });
});

test('while Redis is away requests are served as ever, and the follower is told what it misses', async () => {
  const key = await newKey();
  const stream = await followRequests(key.key);
  await redis.kill();
  try {
    await eventually(() =>
      expect(stream.events.at(-1)).toEqual({ event: 'scope', data: { allNodes: false } }),
    );
    for (const node of [0, 1] as const)
      expect((await clientAt(node, key).get('/v1/events')).status).toBe(200);
    await shows(stream, [{ path: '/v1/events', status: 200 }]);
  } finally {
    await redis.restart();
  }
  await eventually(() => expect(stream.events.at(-1)).toEqual({ event: 'scope', data: { allNodes: true } }));
  await eventually(async () => {
    await clientAt(1, key).get('/v1/payments');
    expect(stream.requests().at(-1)).toMatchObject({ path: '/v1/payments' });
  });
});
