// What the measurements run against: the service as it is started, on a PostgreSQL and a Redis of its own.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres/embedded-postgres.ts';
import type { PostgresSettings } from '../src/database/embedded-postgres/server.ts';
import { eventually } from '../test/support/eventually.ts';
import { freePort } from '../test/support/free-port.ts';
import { startRedisServer } from '../test/support/redis-server.ts';
import { memoryFlags } from '../test/support/service-process.ts';
import { endsWithThis } from './started-processes.ts';

/** An organization with a key of its test mode. */
export interface Tenant {
  organizationId: string;
  key: string;
}

export interface BenchNode {
  baseUrl: string;
  pid: number;
}

export interface Bench extends BenchNode {
  databaseUrl: string;
  redisUrl: string;
  /** Process ids of PostgreSQL and Redis. */
  engines: number[];
  newTenant(name: string): Promise<Tenant>;
  /** Another node of the same service; it is stopped with the rest, unless it was before. */
  startNode(env: Record<string, string>): Promise<BenchNode & { stop(): void }>;
  /** Runs a command and returns what it prints. */
  pix<Printed = { id: string }>(...args: string[]): Promise<Printed>;
  stop(): Promise<void>;
}

/** Where the dashboard is opened, as browsers say. */
export const publicUrl = 'https://pix.example.com';

/** As in the image. Libraries check more in development. */
const production = {
  NODE_ENV: 'production',
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  PUBLIC_URL: publicUrl,
  ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
  ALLOW_PLAINTEXT: 'postgres,redis',
  METRICS_PORT: '0',
  HOST: '127.0.0.1',
  PSP_ALLOWED_HOSTS: '127.0.0.1',
  WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
};

async function startService(databaseUrl: string, redisUrl: string, env: Record<string, string> = {}) {
  const port = await freePort();
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const service = spawn(process.execPath, [...(await memoryFlags()), main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...production,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      PORT: String(port),
      RATE_LIMIT_PER_MINUTE: '1000000000',
      ...env,
    },
  });
  endsWithThis(service.pid);
  const baseUrl = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    const { ok } = await fetch(`${baseUrl}/readyz`);
    if (!ok) throw new Error(`${baseUrl} is not ready`);
  });
  return { baseUrl, pid: service.pid ?? 0, stop: () => service.kill('SIGTERM') };
}

export interface BenchOptions {
  /** Settings of the PostgreSQL server. */
  settings?: PostgresSettings;
  /** Environment of the first node. */
  env?: Record<string, string>;
}

export async function startBench({ settings, env }: BenchOptions = {}): Promise<Bench> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'pix-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDirectory, ...(settings && { settings }) });
  const postmaster = await readFile(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8');
  const postgresPid = Number.parseInt(postmaster, 10);
  // Fast: its clients may still be there.
  endsWithThis(postgresPid, 'SIGINT');
  const redis = await startRedisServer();
  endsWithThis(redis.pid);
  const { databaseUrl } = postgres;
  const { baseUrl, pid, stop: stopService } = await startService(databaseUrl, redis.url, env);
  const stops = [stopService];

  async function pix<Printed = { id: string }>(...args: string[]): Promise<Printed> {
    const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
    const child = spawn(process.execPath, [cli, ...args, '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...production, DATABASE_URL: databaseUrl, REDIS_URL: redis.url },
    });
    const [printed, mistakes] = await Promise.all([text(child.stdout), text(child.stderr)]);
    if (printed === '') throw new Error(`pix ${args.slice(0, 2).join(' ')}: ${mistakes}`);
    return JSON.parse(printed) as Printed;
  }

  return {
    databaseUrl,
    redisUrl: redis.url,
    baseUrl,
    pid,
    engines: [postgresPid, redis.pid],
    pix,
    async newTenant(name) {
      const { id } = await pix('org', 'create', '--name', name);
      const { key } = await pix<{ key: string }>('key', 'create', '--org', id, '--mode', 'test');
      return { organizationId: id, key };
    },
    async startNode(env) {
      const node = await startService(databaseUrl, redis.url, env);
      stops.push(node.stop);
      return node;
    },
    async stop() {
      for (const stop of stops) stop();
      await delay(1000);
      await redis.stop();
      await postgres.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** `name` as a number; `usual` when it is not set. */
export const setting = (name: string, usual: number): number => Number(process.env[name] ?? usual);

export function quantile(values: readonly number[], q: number): number {
  const place = Math.min(values.length - 1, Math.floor(values.length * q));
  return values.toSorted((a, b) => a - b)[place] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

const processors = cpus();
export const machine = `${processors[0]?.model}, ${processors.length} cores, Node ${process.version}`;

export const print = (...lines: string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

/** A row of a Markdown table. */
export const row = (...cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;
