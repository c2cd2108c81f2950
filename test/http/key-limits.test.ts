import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient as createSocketClient, type Client as SocketClient } from 'graphql-ws';
import { operatorFor } from '../../src/core/base/caller.ts';
import WebSocket from 'ws';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { pix } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { openSession } from '../support/people.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';

let redis: RedisServer;
let env: Record<string, string>;
/** They count in one Redis. */
let nodes: [TestApp, TestApp];
let app: TestApp;

beforeAll(async () => {
  redis = await startRedisServer();
  env = { REDIS_URL: redis.url, RATE_LIMIT_PER_MINUTE: '100', RATE_LIMIT_MAXIMUM_PER_MINUTE: '500' };
  nodes = [await startTestApp({ ...env, ROLE: 'api' }), await startTestApp({ ...env, ROLE: 'api' })];
  [app] = nodes;
});

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await redis.stop();
});

const quotaOf = ({ headers }: Answer): number =>
  Number(/q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1]);
const leftOf = ({ headers }: Answer): number => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

const list = (client: Client) => client.get('/v1/payments?limit=1');

const onEachNode = (key: string) => nodes.map(({ baseUrl }) => createClient(baseUrl, key));

const change = `mutation ($id: ID!, $input: UpdateApiKeyInput!) {
  updateApiKey(id: $id, input: $input) { rateLimitPerMinute } }`;
const changeSettings = `mutation ($input: UpdateOrganizationSettingsInput!) {
  updateOrganizationSettings(input: $input) {
    rateLimitPerMinute defaultRateLimitPerMinute maximumRateLimitPerMinute } }`;

describe('the requests a minute of a key', () => {
  test('are the usual ones, those of its organization, or its own, over REST and GraphQL alike', async () => {
    const { client: owner, organizationId } = await openSession(app);
    const key = await createKey(app.services, { organizationId });
    const [client, other] = onEachNode(key.key) as [Client, Client];
    expect([quotaOf(await list(client)), quotaOf(await other.graphql('{ __typename }'))]).toEqual([100, 100]);

    const answer = await owner.graphql(changeSettings, { input: { rateLimitPerMinute: 300 } });
    expect(answer.body.data.updateOrganizationSettings).toEqual({
      rateLimitPerMinute: 300,
      defaultRateLimitPerMinute: 100,
      maximumRateLimitPerMinute: 500,
    });
    await eventually(async () => expect(quotaOf(await list(other))).toBe(300));
    await owner.graphql(change, { id: key.id, input: { rateLimitPerMinute: 20 } });
    await eventually(async () => expect(quotaOf(await other.graphql('{ __typename }'))).toBe(20));
    expect(quotaOf(await list(client))).toBe(20);
    await owner.graphql(change, { id: key.id, input: { rateLimitPerMinute: null } });
    await eventually(async () => expect(quotaOf(await list(other))).toBe(300));
    await owner.graphql(changeSettings, { input: { rateLimitPerMinute: null } });
    await eventually(async () => expect(quotaOf(await list(other))).toBe(100));
  });

  test('end at the limit on both nodes together, and a change of it holds in the same minute', async () => {
    const operator = operatorFor((await createKey(app.services)).organizationId, 'test');
    const { id, key } = await app.services.apiKeys.create(operator, { rateLimitPerMinute: 3 });
    const [client, other] = onEachNode(key) as [Client, Client];
    expect([leftOf(await list(client)), leftOf(await list(other)), leftOf(await list(client))]).toEqual([
      2, 1, 0,
    ]);
    const [rest, graphql] = [await list(other), await client.graphql('{ __typename }')];
    for (const refused of [rest, graphql]) {
      expect([refused.status, quotaOf(refused), leftOf(refused)]).toEqual([429, 3, 0]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    await app.services.apiKeys.update(operator, id, { rateLimitPerMinute: 8 });
    await eventually(async () => expect((await list(other)).status).toBe(200));
  });

  test('are those of an open WebSocket too, once they are changed', async () => {
    const { id, key, organizationId } = await createKey(app.services);
    const socket: SocketClient = createSocketClient({
      url: `${nodes[1].baseUrl.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'X-API-Key': key },
      lazy: false,
      retryAttempts: 0,
    });
    const ask = async () => {
      for await (const result of socket.iterate({ query: '{ __typename }' })) return result;
      return undefined;
    };
    try {
      expect(await ask()).toEqual({ data: { __typename: 'Query' } });
      await app.services.apiKeys.update(operatorFor(organizationId, 'test'), id, { rateLimitPerMinute: 1 });
      await eventually(() => expect(ask()).rejects.toMatchObject([{ extensions: { statusCode: 429 } }]));
    } finally {
      await socket.dispose();
    }
  });

  test('are counted where the organization is', async () => {
    const { id, key, organizationId } = await createKey(app.services);
    await list(createClient(app.baseUrl, key));
    const { createRedis } = await import('../../src/redis/create-redis.ts');
    const client = createRedis(redis.url);
    expect(await client.connect().then(() => client.keys(`*${id}`))).toEqual([
      `pix:key:{${organizationId}}:${id}`,
    ]);
    client.disconnect();
  });

  test('are at most what the operator allows now', async () => {
    const { id, key, organizationId } = await createKey(app.services);
    await app.services.apiKeys.update(operatorFor(organizationId, 'test'), id, { rateLimitPerMinute: 500 });
    const strict = await startTestApp({ ...env, ROLE: 'api', RATE_LIMIT_MAXIMUM_PER_MINUTE: '200' });
    try {
      expect(quotaOf(await list(createClient(strict.baseUrl, key)))).toBe(200);
      const rotated = await strict.services.apiKeys.rotate(operatorFor(organizationId, 'test'), id, 1);
      expect(rotated.rateLimitPerMinute).toBe(200);
    } finally {
      await strict.stop();
    }
  });

  test.each([0, 501, -1])('cannot be %d', async (rateLimitPerMinute) => {
    const { client: owner, organizationId } = await openSession(app);
    const { id } = await createKey(app.services, { organizationId });
    const message = 'rateLimitPerMinute must be a whole number from 1 to 500';
    for (const refused of [
      await owner.graphql(change, { id, input: { rateLimitPerMinute } }),
      await owner.graphql(changeSettings, { input: { rateLimitPerMinute } }),
    ]) {
      expect(refused.body.errors[0]).toMatchObject({
        message,
        extensions: { problems: [{ path: 'rateLimitPerMinute' }] },
      });
    }
  });

  test('are set by owners, and of test keys by developers', async () => {
    const { organizationId } = await openSession(app);
    const codeOf = ({ body }: Answer): string => body.errors?.[0].extensions.code;
    const { client: developer } = await openSession(app, { organizationId, role: 'developer' });
    const [own, live] = [
      await createKey(app.services, { organizationId }),
      await createKey(app.services, { organizationId, mode: 'live' }),
    ];
    const input = { rateLimitPerMinute: 50 };
    expect(codeOf(await developer.graphql(change, { id: own.id, input }))).toBeUndefined();
    expect(codeOf(await developer.graphql(change, { id: live.id, input }))).toBe('FORBIDDEN');
    expect(codeOf(await developer.graphql(changeSettings, { input }))).toBe('FORBIDDEN');
  });

  test('are set on the command line, kept by a rotation, and in the audit log', async () => {
    const { organizationId } = await createKey(app.services);
    const run = async (...args: string[]) => {
      const { code, stdout } = await pix([...args, '--json'], { DATABASE_URL: app.databaseUrl, ...env });
      expect(code).toBe(0);
      return JSON.parse(stdout);
    };
    const settings = await run('settings', '--org', organizationId, '--rate-limit', '60');
    expect(settings).toMatchObject({ rateLimitPerMinute: 60, maximumRateLimitPerMinute: 500 });
    const { id } = await run(
      'key',
      'create',
      '--org',
      organizationId,
      '--mode',
      'test',
      '--rate-limit',
      '400',
    );
    const { id: next } = await run('key', 'rotate', '--id', id);
    const keys: { id: string; rateLimitPerMinute: number }[] = await run(
      'key',
      'list',
      '--org',
      organizationId,
    );
    expect(keys.find((key) => key.id === next)?.rateLimitPerMinute).toBe(400);
    expect(await run('key', 'update', '--id', next, '--rate-limit', 'none')).toMatchObject({
      rateLimitPerMinute: null,
    });
    const { data } = await app.services.audit.list(operatorFor(organizationId), {
      limit: 10,
      cursor: undefined,
    });
    const logged = data.map(({ action, details }) => [action, details?.['rateLimitPerMinute']]);
    expect(logged).toEqual(
      expect.arrayContaining([
        ['api_key.create', 400],
        ['api_key.update', null],
      ]),
    );
    const { code, stderr } = await pix(['settings', '--org', organizationId, '--rate-limit', '501'], {
      DATABASE_URL: app.databaseUrl,
      ...env,
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('must be a whole number from 1 to 500')]);
  });
});
