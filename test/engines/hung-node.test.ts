import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp } from '../support/app.ts';
import { freshDatabase, query } from '../support/database.ts';
import { describeWith } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { type Proxy, startHaproxy } from '../support/haproxy.ts';
import { startNginx } from '../support/nginx.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';
import { testKeys } from '../support/test-keys.ts';

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
  ms: number;
}

interface Asked {
  method?: 'GET' | 'POST';
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** What the SDK waits. */
const clientWaitsMs = 30_000;

function ask({ baseUrl, ca }: Proxy, { method = 'GET', path = '/v1/payments', headers, body }: Asked) {
  const startedAt = performance.now();
  return new Promise<Answer>((done, fail) => {
    const sent = request(
      `${baseUrl}${path}`,
      { method, ca, agent: false, servername: 'localhost', checkServerIdentity: () => undefined, headers },
      (response) => {
        const { statusCode = 0, headers: received } = response;
        text(response).then((body) => {
          done({ status: statusCode, headers: received, body, ms: performance.now() - startedAt });
        }, fail);
      },
    );
    sent.once('error', fail);
    sent.end(body);
  });
}

function expectToldToTryAgain({ status, headers, body }: Answer): void {
  expect({ status, code: headers['x-error-code'], after: headers['retry-after'] }).toEqual({
    status: 503,
    code: 'service_unavailable',
    after: '1',
  });
  expect(headers['content-type']).toContain('application/json');
  const { timestamp, ...rest } = JSON.parse(body) as Record<string, unknown>;
  expect(Date.parse(String(timestamp))).toBeGreaterThan(0);
  expect(rest).toMatchObject({ statusCode: 503, error: 'ServiceUnavailable' });
}

const proxies = [
  ['nginx', startNginx],
  ['haproxy', startHaproxy],
] as const;

describe.each(proxies)('behind deploy/%s', (name, startProxy) => {
  describeWith([name], 'a node that hangs', () => {
    let databaseUrl: string;
    let nodes: ServiceProcess[];
    let proxy: Proxy;
    let key: string;

    beforeAll(async () => {
      databaseUrl = await freshDatabase();
      const env = { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: testKeys, TRUST_PROXY: '1', ROLE: 'api' };
      const operator = await startTestApp({ ...env, STOP_DELAY_SECONDS: '0' });
      ({ key } = await createKey(operator.services));
      await operator.stop();
      nodes = [await startService(env), await startService(env)];
      const ports = nodes.map(({ baseUrl }) => Number(new URL(baseUrl).port));
      proxy = await startProxy([ports[0] ?? 0, ports[1] ?? 0]);
    });

    afterAll(async () => {
      await proxy.stop();
      await killServices();
    });

    const create = (headers: Record<string, string> = {}) =>
      ask(proxy, {
        method: 'POST',
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json', ...headers },
        body: '{"amount":1}',
      });
    const list = () => ask(proxy, { headers: { 'X-API-Key': key } });

    test('costs reads and creates with a key some seconds, others a 503, and nothing is done twice', async () => {
      await eventually(async () => {
        expect((await list()).status).toBe(200);
      });
      const [hung] = nodes;
      hung?.process.kill('SIGSTOP');
      const keyed: { used: string; answer: Promise<Answer> }[] = [];
      const unkeyed: Promise<Answer>[] = [];
      const reads: Promise<Answer>[] = [];
      for (let count = 0; count < 40; count++) {
        const used = randomUUID();
        keyed.push({ used, answer: create({ 'Idempotency-Key': used }) });
        unkeyed.push(create());
        reads.push(list());
        await delay(50);
      }
      for (const answer of await Promise.all(reads)) {
        expect(answer.status).toBe(200);
        expect(answer.ms).toBeLessThan(clientWaitsMs);
      }
      const made = new Map<string, string>();
      for (const { used, answer } of keyed) {
        const { status, body, ms } = await answer;
        expect(status).toBe(201);
        expect(ms).toBeLessThan(clientWaitsMs);
        made.set(used, (JSON.parse(body) as { id: string }).id);
      }
      for (const answer of await Promise.all(unkeyed)) {
        expect(answer.ms).toBeLessThan(clientWaitsMs);
        if (answer.status !== 201) expectToldToTryAgain(answer);
      }
      hung?.process.kill('SIGCONT');
      // What it was sent before, it reads now.
      await eventually(async () => {
        expect((await fetch(`${hung?.baseUrl}/readyz`)).status).toBe(200);
      });
      for (const [used, id] of made) {
        const again = await create({ 'Idempotency-Key': used });
        expect((JSON.parse(again.body) as { id: string }).id).toBe(id);
      }
      const [row] = await query<{ count: number }>(
        databaseUrl,
        'SELECT count(*)::int AS count FROM idempotency_key',
      );
      expect(row?.count).toBe(keyed.length);
    });
  });

  describeWith([name], 'the answers of the proxy', () => {
    let proxy: Proxy;
    let servers: Server[];
    let isReadyAfterMs = 0;
    /** Of each node, as `POST /v1/payments`. */
    let came: string[];
    let answer: (response: ServerResponse) => void;

    const startNode = async (port = 0): Promise<Server> => {
      const server = createServer(async (incoming, response) => {
        const { method, url } = incoming;
        await text(incoming);
        if (url === '/readyz') {
          await delay(isReadyAfterMs);
          response.end('{}');
          return;
        }
        came.push(`${method} ${url}`);
        answer(response);
      }).listen(port, '127.0.0.1');
      await once(server, 'listening');
      return server;
    };

    beforeAll(async () => {
      came = [];
      answer = (response) => response.end('{}');
      servers = [await startNode(), await startNode()];
      const [one, other] = servers.map((server) => (server.address() as AddressInfo).port);
      proxy = await startProxy([one ?? 0, other ?? 0]);
      await eventually(async () => {
        expect((await ask(proxy, {})).status).toBe(200);
      });
    });

    afterAll(async () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      await proxy.stop();
    });

    const keyed = { 'Idempotency-Key': 'order 1' };
    const cases = [
      ['a create is sent once', {}, '/v1/payments', false],
      ['a create with a key is sent again', keyed, '/v1/payments', true],
      ['a refund with a key is sent again', keyed, '/v1/payments/1/refunds', true],
      ['a link, which heeds no key, is sent once', keyed, '/v1/payment-links', false],
      ['a mutation, which may heed none, is sent once', keyed, '/graphql', false],
    ] as const;

    test.each(cases)('where connections are lost, %s', async (_name, headers, path, isSentAgain) => {
      came = [];
      answer = (response) => response.destroy();
      const failed = await ask(proxy, { method: 'POST', path, headers, body: '{"amount":1}' });
      expect(came.length > 1).toBe(isSentAgain);
      expectToldToTryAgain(failed);
      answer = (response) => response.end('{}');
      await eventually(async () => {
        expect((await ask(proxy, {})).status).toBe(200);
      }, 15_000);
    });

    test('errors of nodes pass as they are', async () => {
      for (const status of [400, 413, 418, 500, 503]) {
        answer = (response) => response.writeHead(status, { 'X-Trace-Id': 'a' }).end(`{"status":${status}}`);
        const got = await ask(proxy, {});
        expect([got.status, got.body]).toEqual([status, `{"status":${status}}`]);
      }
      answer = (response) => response.end('{}');
    });

    // HAProxy has its own words for what it cannot read, and no limit for bodies.
    const whereItRefuses = name === 'nginx' ? test : test.skip;

    whereItRefuses('a request that it refuses itself gets JSON with a code', async () => {
      const send = (bytes: number) => ask(proxy, { method: 'POST', body: 'a'.repeat(bytes) });
      const refused = [
        await send(15_000_000),
        await ask(proxy, { path: `/v1/payments?q=${'a'.repeat(40_000)}` }),
        await ask(proxy, { headers: { Host: 'a b' } }),
      ];
      expect(refused.map(({ status, headers }) => [status, headers['x-error-code']])).toEqual([
        [413, 'body_too_large'],
        [431, 'headers_too_large'],
        [400, 'malformed_request'],
      ]);
      for (const { status, body } of refused) expect(JSON.parse(body)).toMatchObject({ statusCode: status });
      // The largest defence of a dispute.
      expect((await send(13_900_000)).status).toBe(200);
    });

    test('while no node says in time that it is ready, all are asked', async () => {
      isReadyAfterMs = 3_000;
      const until = performance.now() + 12_000;
      while (performance.now() < until) {
        expect((await ask(proxy, {})).status).toBe(200);
        await delay(20);
      }
      isReadyAfterMs = 0;
    });

    test('without any node, clients are told to try again', async () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      for (const method of ['GET', 'POST'] as const) expectToldToTryAgain(await ask(proxy, { method }));
    });
  });
});
