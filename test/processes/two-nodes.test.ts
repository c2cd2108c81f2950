import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Answer, createClient } from '../support/client.ts';
import { emptyDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';
import { testKeys } from '../support/test-keys.ts';

/** What the limit check may cost beyond what the slowest request took while Redis was well. */
const checkWithinMs = 400;

const project = fileURLToPath(new URL('../..', import.meta.url));

let redis: RedisServer;
let env: { DATABASE_URL: string; REDIS_URL: string; ENCRYPTION_KEYS: string };
let nodes: [ServiceProcess, ServiceProcess];
/** Makes the keys; another process than the nodes. */
let operator: TestApp;

beforeAll(async () => {
  redis = await startRedisServer();
  env = { DATABASE_URL: await emptyDatabase(), REDIS_URL: redis.url, ENCRYPTION_KEYS: testKeys };
  const nodeEnv = { ...env, RATE_LIMIT_PER_MINUTE: '100' };
  nodes = await Promise.all([startService(nodeEnv), startService(nodeEnv)]);
  operator = await startTestApp({ ...env, ROLE: 'api' });
});

afterAll(async () => {
  await killServices();
  await operator.stop();
  await redis.stop();
});

const clientsOf = ({ key }: TestKey) => nodes.map(({ baseUrl }) => createClient(baseUrl, key));

const remaining = ({ headers }: Answer): number =>
  Number(/r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1]);

/** On the command line, as the operator does. */
async function pix(...args: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/cli.js', ...args, '--json'], {
    cwd: project,
    env: { PATH: process.env['PATH'], ...env },
  });
  return JSON.parse(stdout);
}

test('started at the same moment on an empty database, they migrate it once and both serve', async () => {
  const runs = await query<{ name: string; runs: number; finished: number }>(
    env.DATABASE_URL,
    `SELECT migration_name AS name, count(*)::int AS runs, count(finished_at)::int AS finished
     FROM _prisma_migrations GROUP BY 1`,
  );
  expect(runs.length).toBeGreaterThan(0);
  for (const each of runs) expect(each).toMatchObject({ runs: 1, finished: 1 });

  const clients = clientsOf(await createKey(operator.services));
  for (const client of clients) {
    expect((await client.get('/readyz')).body).toEqual({ status: 'ready', database: 'up', redis: 'up' });
  }
  const { body } = (await clients[0]?.post('/v1/payments', { amount: 1 })) ?? {};
  expect((await clients[1]?.get(`/v1/payments/${body.id}`))?.body).toMatchObject({ id: body.id });
});

test('of 300 concurrent requests with one key, over both nodes, REST and GraphQL, exactly 100 pass', async () => {
  const clients = clientsOf(await createKey(operator.services));
  const text = '{ payments(first: 1) { pageInfo { hasNextPage } } }';
  const requests = Array.from({ length: 75 }, () =>
    clients.flatMap((client) => [client.get('/v1/payments?limit=1'), client.graphql(text)]),
  ).flat();
  const answers = await Promise.all(requests);
  const passed = answers.filter(({ status }) => status === 200);
  const limited = answers.filter(({ status }) => status === 429);
  expect(passed).toHaveLength(100);
  expect(limited).toHaveLength(200);
  for (const { body } of passed) expect(body.errors).toBeUndefined();
  for (const { headers } of limited) expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
});

test('a key revoked on the command line is refused by both at once', async () => {
  const [key, other] = [await createKey(operator.services), await createKey(operator.services)];
  const isKnown = async (each: TestKey) => {
    const answers = await Promise.all(clientsOf(each).map((client) => client.get('/v1/payments?limit=1')));
    return answers.map(({ status }) => status);
  };
  expect(await isKnown(key)).toEqual([200, 200]);
  expect(await isKnown(other)).toEqual([200, 200]);
  expect(await pix('key', 'revoke', '--id', key.id)).toMatchObject({ id: key.id });
  await eventually(async () => expect(await isKnown(key)).toEqual([401, 401]));
  expect(await isKnown(other)).toEqual([200, 200]);
});

test.each([
  ['dies', () => redis.kill(), () => redis.restart()],
  ['hangs', async () => redis.pause(), async () => redis.resume()],
])(
  'when Redis %s under load, no request fails or waits, and limits are shared again',
  async (_name, lose, giveBack) => {
    const keys = await Promise.all(Array.from({ length: 30 }, () => createKey(operator.services)));
    const durationsMs: number[] = [];
    const wrong: Answer[] = [];
    let isOver = false;

    async function send(from: number): Promise<void> {
      for (let index = from; !isOver; index += 4) {
        const client = createClient(nodes[index % 2]?.baseUrl ?? '', keys[index % keys.length]?.key);
        const startedAt = performance.now();
        const answer = await (index % 8 < 4
          ? client.get('/v1/payments?limit=1')
          : client.post('/v1/payments', { amount: 1 }));
        durationsMs.push(performance.now() - startedAt);
        if (answer.status >= 300) wrong.push(answer);
      }
    }

    const load = Promise.all([0, 1, 2, 3].map(send));
    const answersMore = (count: number) => {
      const goal = durationsMs.length + count;
      return eventually(() => expect(durationsMs.length).toBeGreaterThan(goal));
    };
    await answersMore(100);
    const slowestBeforeMs = Math.max(...durationsMs);
    await lose();
    await answersMore(100);
    await giveBack();
    await answersMore(100);
    isOver = true;
    await load;
    expect(wrong).toEqual([]);
    const slow = durationsMs.filter((ms) => ms > slowestBeforeMs + checkWithinMs);
    expect(slow.length).toBeLessThan(durationsMs.length / 20);

    await eventually(async () => {
      const [first, second] = clientsOf(await createKey(operator.services));
      const counts = [await first?.get('/v1/payments'), await second?.get('/v1/payments')];
      expect(counts.map((answer) => answer && remaining(answer))).toEqual([99, 98]);
    });
  },
);
