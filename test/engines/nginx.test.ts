import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { pix } from '../support/command-line.ts';
import { freshDatabase } from '../support/database.ts';
import { engineEnv } from '../support/engine-programs.ts';
import { describeWith } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { type Nginx, startNginx } from '../support/nginx.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';
import { testKeys } from '../support/test-keys.ts';

const deploy = resolve(import.meta.dirname, '../../deploy');

describeWith(['nginx'], 'behind deploy/nginx', () => {
  let nginx: Nginx;
  let env: Record<string, string>;
  let nodes: [ServiceProcess, ServiceProcess];
  let addresses: [string, string];
  /** Works anywhere, and from 127.0.0.2 alone. */
  let keys: { free: string; bound: string };

  interface Asked {
    key?: string;
    from?: string;
    headers?: Record<string, string>;
  }

  const ask = (method: string, path: string, { key, from = '127.0.0.1', headers }: Asked = {}) =>
    new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((done, fail) => {
      const sent = request(
        {
          method,
          path,
          port: nginx.port,
          host: '127.0.0.1',
          localAddress: from,
          servername: 'localhost',
          ca: nginx.ca,
          agent: false,
          headers: { ...(key && { 'X-API-Key': key }), 'Content-Type': 'application/json', ...headers },
        },
        (response) => {
          text(response).then((body) => {
            done({ status: response.statusCode ?? 0, headers: response.headers, body });
          }, fail);
        },
      );
      sent.once('error', fail);
      sent.end(method === 'POST' ? '{"amount":1}' : undefined);
    });

  const create = async () => (await ask('POST', '/v1/payments', { key: keys.free })).status;

  const startNode = (address?: string) =>
    startService({ ...env, ...(address && { PORT: new URL(`http://${address}`).port }) });

  /** What clients get while `work` is done, at least some requests of them. */
  async function during(work: () => Promise<unknown>): Promise<number[]> {
    const statuses: number[] = [];
    let isOver = false;
    const client = async () => {
      while (!isOver || statuses.length < 50) statuses.push(await create());
    };
    const clients = [client(), client(), client()];
    await work();
    isOver = true;
    await Promise.all(clients);
    return statuses;
  }

  const mark = (): Promise<unknown> => {
    const reload = ['nginx', ...nginx.args, '-s', 'reload'];
    const marking = spawn(join(deploy, 'nginx/mark-nodes'), [nginx.nodesFile, ...reload], {
      env: engineEnv,
      stdio: 'ignore',
    });
    return once(marking, 'close');
  };

  /** Marks until so many nodes are marked: on a busy machine, one that is ready may say so too late. */
  const marked = (count: number) =>
    eventually(async () => {
      await mark();
      expect((await readFile(nginx.nodesFile, 'utf8')).match(/ down;/g)?.length ?? 0).toBe(count);
    });

  beforeAll(async () => {
    env = {
      DATABASE_URL: await freshDatabase(),
      ENCRYPTION_KEYS: testKeys,
      PUBLIC_URL: 'https://pay.example.com',
      TRUST_PROXY: '1',
      // Longer than mark-nodes takes to hear of it, on a busy machine too.
      STOP_DELAY_SECONDS: '10',
    };
    nodes = [await startNode(), await startNode()];
    addresses = nodes.map(({ baseUrl }) => new URL(baseUrl).host) as [string, string];
    const run = async (...args: string[]) =>
      JSON.parse((await pix([...args, '--json'], env)).stdout) as Record<'id' | 'key', string>;
    const { id: org } = await run('org', 'create', '--name', 'Shop');
    const bound = ['key', 'create', '--org', org, '--mode', 'test'];
    keys = {
      free: (await run(...bound)).key,
      bound: (await run(...bound, '--allow-ips', '127.0.0.2')).key,
    };
    const [one, other] = addresses.map((address) => Number(new URL(`http://${address}`).port));
    nginx = await startNginx([one ?? 0, other ?? 0]);
    await eventually(() => ask('GET', '/healthz'));
  });

  afterAll(async () => {
    await nginx.stop();
    await killServices();
  });

  test('both nodes take payments over TLS', async () => {
    expect(await Promise.all(Array.from({ length: 10 }, create))).toEqual(
      Array.from({ length: 10 }, () => 201),
    );
    await eventually(() => {
      for (const { logs } of nodes)
        expect(logs).toContainEqual(expect.objectContaining({ route: '/v1/payments', status: 201 }));
    });
  });

  test('the service sees the address of the client, whatever the client says', async () => {
    const { bound: key } = keys;
    const claim = { 'X-Forwarded-For': '127.0.0.2' };
    expect((await ask('GET', '/v1/payments', { key, from: '127.0.0.2' })).status).toBe(200);
    expect((await ask('GET', '/v1/payments', { key, headers: claim })).status).toBe(403);
  });

  test('a WebSocket is opened', async () => {
    const socket = new WebSocket(`wss://localhost:${nginx.port}/graphql`, 'graphql-transport-ws', {
      ca: nginx.ca,
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { 'X-API-Key': keys.free } }));
    const [message] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(message.toString())).toMatchObject({ type: 'connection_ack' });
    socket.close();
  });

  const restart = async (which: 0 | 1) => {
    expect(await nodes[which].end('SIGTERM')).toBe(0);
    nodes[which] = await startNode(addresses[which]);
  };

  test('a node that is stopped and started again costs each client a 503 at most', async () => {
    const statuses = await during(() => restart(0));
    expect(statuses.filter((status) => ![201, 503].includes(status))).toEqual([]);
    // What was on its way when the node closed its port, which nginx must not send twice.
    expect(statuses.filter((status) => status === 503).length).toBeLessThanOrEqual(3);
  });

  test('and nothing, where mark-nodes runs each second, even if the other is stopped as soon as it is ready', async () => {
    let isOver = false;
    const marking = async () => {
      for (; !isOver; await delay(1_000)) await mark();
    };
    const all = marking();
    const statuses = await during(async () => {
      await restart(0);
      await restart(1);
    });
    isOver = true;
    await all;
    expect(statuses.filter((status) => status !== 201)).toEqual([]);
    await marked(0);
  });

  test('after a crash, what was not sent goes to the other node', async () => {
    await nodes[0].end('SIGKILL');
    const statuses = await during(() => Promise.resolve());
    expect(statuses.filter((status) => status !== 201)).toEqual([]);
  });

  test('without any node, clients are told to try again', async () => {
    await nodes[1].end('SIGKILL');
    const { status, headers, body } = await ask('POST', '/v1/payments', { key: keys.free });
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '1' });
    expect(JSON.parse(body)).toMatchObject({ statusCode: 503, error: 'ServiceUnavailable' });
    nodes = [await startNode(addresses[0]), await startNode(addresses[1])];
    await eventually(async () => expect(await create()).toBe(201));
  });

  test('mark-nodes takes a node out while it is not ready, and never all of them', async () => {
    const unchanged = await readFile(nginx.nodesFile, 'utf8');
    await marked(0);
    expect(await readFile(nginx.nodesFile, 'utf8')).toBe(unchanged);
    await nodes[0].end('SIGKILL');
    await marked(1);
    const check = spawnSync('nginx', [...nginx.args, '-t'], { env: engineEnv, encoding: 'utf8' });
    expect(check.status).toBe(0);
    await nodes[1].end('SIGKILL');
    await marked(0);
    nodes = [await startNode(addresses[0]), await startNode(addresses[1])];
    await marked(0);
    expect(await readFile(nginx.nodesFile, 'utf8')).toBe(unchanged);
    await eventually(async () => expect(await create()).toBe(201));
  });
});
