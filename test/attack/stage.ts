import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { startNginx } from '../support/nginx.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { startRedisServer } from '../support/redis-server.ts';

export const project = fileURLToPath(new URL('../..', import.meta.url));

const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as {
  scripts: { start: string };
};
/** The heap is as small as in production. */
const nodeFlags = manifest.scripts.start.split(' ').filter((word) => /^--(max|heap)-/.test(word));

/** How a node went, from its start to its end. */
interface Node {
  readonly pid: number;
  readonly isAlive: () => boolean;
  /** Its last words, should it end by itself. */
  readonly lastLines: readonly string[];
  stop(): Promise<void>;
}

export interface Stage {
  readonly baseUrl: string;
  /** The ports of the API and of the metrics. */
  readonly ports: readonly number[];
  readonly postgres: PostgresServer;
  /** One node with this limit on requests per key, on the address of the stage. */
  startNode(rateLimitPerMinute: number): Promise<Node>;
  /** A command of the operator; returns what it prints. */
  pix<Result>(...args: string[]): Promise<Result>;
  /** The path of a file with this content, for a command. */
  file(name: string, content: object): Promise<string>;
  stop(): Promise<void>;
}

const keptLines = 40;

/** A PostgreSQL, a Redis and an address for one node of the service, that of nginx as in deploy if it is `behindNginx`. */
export async function openStage({ behindNginx }: { behindNginx: boolean }): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'pix-attack-'));
  const postgres = await startPostgresServer();
  const redis = await startRedisServer();
  const port = await freePort();
  const metricsPort = await freePort();
  const nodeUrl = `http://127.0.0.1:${port}`;
  const nginx = behindNginx ? await startNginx([port, port], { isPlain: true }) : undefined;
  const baseUrl = nginx?.baseUrl ?? nodeUrl;
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    ENCRYPTION_KEYS: `attack:${Buffer.alloc(32, 7).toString('base64')}`,
    PUBLIC_URL: baseUrl,
    METRICS_PORT: String(metricsPort),
    ...(nginx && { TRUST_PROXY: '1' }),
  };

  return {
    baseUrl,
    ports: [nginx?.port ?? port, metricsPort],
    postgres,

    async startNode(rateLimitPerMinute) {
      const child = spawn(process.execPath, [...nodeFlags, 'dist/main.js'], {
        cwd: project,
        env: { ...env, PORT: String(port), RATE_LIMIT_PER_MINUTE: String(rateLimitPerMinute) },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const lastLines: string[] = [];
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (lines: string) => {
          lastLines.push(
            ...lines.split('\n').filter((line) => line !== '' && !line.includes('"level":"info"')),
          );
          lastLines.splice(0, lastLines.length - keptLines);
        });
      }
      const isAlive = () => child.exitCode === null && child.signalCode === null;
      await eventually(async () => {
        if (!isAlive()) throw new Error(`the node did not start:\n${lastLines.join('\n')}`);
        const { ok } = await fetch(`${nodeUrl}/readyz`);
        if (!ok) throw new Error('the node is not ready');
      }, 60_000);
      if (child.pid === undefined) throw new Error('the node has no process');
      return { pid: child.pid, isAlive, lastLines, stop: () => ended(child, 'SIGTERM') };
    },

    async pix<Result>(...args: string[]) {
      const child = spawn(process.execPath, ['dist/cli.js', ...args, '--json'], {
        cwd: project,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [printed, mistakes] = await Promise.all([text(child.stdout), text(child.stderr)]);
      if (printed === '') throw new Error(`pix ${args.slice(0, 2).join(' ')}: ${mistakes}`);
      return JSON.parse(printed) as Result;
    },

    async file(name, content) {
      const path = join(folder, name);
      await writeFile(path, JSON.stringify(content));
      return path;
    },

    async stop() {
      await nginx?.stop();
      await redis.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
