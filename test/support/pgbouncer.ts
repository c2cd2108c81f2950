import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAccount } from '../../src/database/embedded-postgres/binaries.ts';
import { query } from './database.ts';
import { engineEnv } from './engine-programs.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

export interface PgBouncer {
  /** To the same database, through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Runs in transaction mode, before the server of a database. */
export async function startPgBouncer(
  databaseUrl: string,
  settings: Record<string, string | number> = {},
): Promise<PgBouncer> {
  const directory = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  const port = await freePort();
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const users = join(directory, 'users.txt');
  const file = join(directory, 'pgbouncer.ini');
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: users,
    pool_mode: 'transaction',
    default_pool_size: 20,
    max_client_conn: 500,
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  await writeFile(users, `"${username}" "${password}"\n`);
  await writeFile(
    file,
    `[databases]\n* = host=${hostname} port=${serverPort}\n[pgbouncer]\n${lines.join('\n')}\n`,
  );
  await chmod(directory, 0o755);
  // It refuses root, too.
  const identity = (await findAccount(directory)) ?? {};
  const child = spawn('pgbouncer', ['-q', file], { env: engineEnv, stdio: 'ignore', ...identity });
  const url = new URL(databaseUrl);
  url.port = String(port);
  await eventually(() => query(url.href, 'SELECT 1'), 10_000);
  return {
    url: url.href,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
