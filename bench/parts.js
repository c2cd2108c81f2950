// What the measurements run against: the service as it is started, on a PostgreSQL and a Redis of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '../dist/persistence/embedded-postgres/embedded-postgres.js';

const { scripts } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
const nodeFlags = scripts.start.split(' ').filter((word) => /^--max|^--heap/.test(word));

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function untilOk(url) {
  for (let tries = 0; tries < 200; tries++) {
    const isOk = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isOk) return;
    await delay(50);
  }
  throw new Error(`${url} does not answer`);
}

async function startRedis() {
  const port = await freePort();
  const redis = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  });
  await Promise.race([
    once(redis, 'spawn'),
    once(redis, 'error').then(([error]) => {
      throw new Error(
        `redis-server is needed for the bench (apt-get install redis-server): ${error.message}`,
      );
    }),
  ]);
  return { url: `redis://127.0.0.1:${port}`, stop: () => redis.kill() };
}

async function startService(databaseUrl, redisUrl) {
  const port = await freePort();
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const service = spawn(process.execPath, [...nodeFlags, main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      PORT: String(port),
      RATE_LIMIT_PER_MINUTE: '1000000000',
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    },
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  await untilOk(`${baseUrl}/readyz`);
  return { baseUrl, pid: service.pid, stop: () => service.kill('SIGTERM') };
}

async function pix(databaseUrl, ...args) {
  const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
  const child = spawn(process.execPath, [cli, ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: databaseUrl, WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' },
  });
  const chunks = await child.stdout.toArray();
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** The service with an organization `Bench` and a test key of it. */
export async function startBench() {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'pix-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDirectory });
  const redis = await startRedis();
  const { databaseUrl } = postgres;
  const service = await startService(databaseUrl, redis.url);
  const newTenant = async (name) => {
    const organization = await pix(databaseUrl, 'org', 'create', '--name', name);
    const { key } = await pix(databaseUrl, 'key', 'create', '--org', organization.id, '--mode', 'test');
    return { organizationId: organization.id, key };
  };
  return {
    databaseUrl,
    service,
    newTenant,
    pix: (...args) => pix(databaseUrl, ...args),
    async stop() {
      service.stop();
      redis.stop();
      await delay(1000);
      await postgres.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

export const median = (values) => quantile(values, 0.5);

export const quantile = (values, q) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))];
