import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findAccount } from '../../src/database/embedded-postgres/binaries.ts';
import { query } from './database.ts';
import { debianPostgres } from './engine-programs.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { recoverCopy } from './postgres-backup.ts';

/** Two servers of Debian's PostgreSQL, one of them the synchronous standby of the other. */
export interface PostgresPair {
  /** URLs of the first server, which begins as the primary, and of the second. */
  readonly urls: readonly [string, string];
  /** Names both, as libpq has it. */
  readonly url: string;
  /** Ends it like a machine that fails. */
  killPrimary(): Promise<void>;
  /** The primary then no longer waits for it. */
  killStandby(): Promise<void>;
  /** Resolves when the standby accepts writes. */
  promote(): Promise<void>;
  /** Brings the killed primary back, as a standby of the other. */
  rejoin(): Promise<void>;
  /** The URL of a superuser at the primary, and the processes of both servers. */
  readonly admin: string;
  readonly pids: readonly number[];
  /** What a supervisor does: starts again what has ended by itself. */
  revive(): Promise<void>;
  /** Both are lost: the newest copy and the log take their place, until that moment. */
  restoreTo(moment: string, backups: string): Promise<void>;
  stop(): Promise<void>;
}

interface PairOptions {
  /** Where both keep their data; a temporary folder when left out. */
  home?: string;
  /** Lines of postgresql.conf. */
  settings?: string;
}

const settings = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
fsync = off
hot_standby = on
`;

export async function startPostgresPair(options: PairOptions = {}): Promise<PostgresPair> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'postgres-pair-')));
  await mkdir(home, { recursive: true });
  const account = await findAccount(home);
  if (account) await chown(home, account.uid, account.gid);
  await chmod(home, 0o755);
  const ports = [await freePort(), await freePort()] as const;
  const directories = [join(home, 'a'), join(home, 'b')] as const;
  const urlOf = (user: string, port: number) => `postgresql://${user}@127.0.0.1:${port}/pix`;

  async function run(program: string, args: readonly string[]): Promise<void> {
    const child = spawn(join(debianPostgres ?? '', program), args, { cwd: '/', ...account });
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    if (code !== 0) throw new Error(`${program} failed: ${errors}`);
  }

  async function serve(index: 0 | 1): Promise<ChildProcess> {
    const args = ['-D', directories[index], '-p', String(ports[index])];
    const server = spawn(join(debianPostgres ?? '', 'postgres'), args, {
      cwd: '/',
      stdio: 'ignore',
      ...account,
    });
    await eventually(() =>
      query(`${urlOf('postgres', ports[index])}`.replace(/pix$/, 'postgres'), 'SELECT 1'),
    );
    return server;
  }

  /** A copy that follows the other. */
  async function follow(index: 0 | 1): Promise<ChildProcess> {
    const from = ports[1 - index];
    await rm(directories[index], { recursive: true, force: true });
    const source = `host=127.0.0.1 port=${from} user=postgres application_name=standby`;
    await run('pg_basebackup', ['-D', directories[index], '-R', '-X', 'stream', '-c', 'fast', '-d', source]);
    await appendFile(join(directories[index], 'postgresql.conf'), `synchronous_standby_names = ''\n`);
    return serve(index);
  }

  const hasEnded = (server: ChildProcess): boolean => server.exitCode !== null || server.signalCode !== null;

  async function end(server: ChildProcess | undefined): Promise<void> {
    if (!server || hasEnded(server)) return;
    const ended = once(server, 'exit');
    server.kill('SIGQUIT');
    await ended;
  }

  await run('initdb', ['-D', directories[0], '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8']);
  await appendFile(join(directories[0], 'postgresql.conf'), settings + (options.settings ?? ''));
  const servers = [await serve(0)];
  const admin = urlOf('postgres', ports[0]).replace(/pix$/, 'postgres');
  await query(admin, 'CREATE ROLE pix LOGIN CREATEDB');
  await query(admin, 'CREATE DATABASE pix OWNER pix');
  servers[1] = await follow(1);
  // From here on a commit is acknowledged when the standby has it, too.
  await appendFile(join(directories[0], 'postgresql.conf'), `synchronous_standby_names = 'standby'\n`);
  await query(admin, 'SELECT pg_reload_conf()');
  let primary: 0 | 1 = 0;

  return {
    urls: [urlOf('pix', ports[0]), urlOf('pix', ports[1])],
    url: `postgresql://pix@127.0.0.1:${ports[1]},127.0.0.1:${ports[0]}/pix?target_session_attrs=read-write`,
    killPrimary: () => end(servers[primary]),
    async killStandby() {
      await end(servers[1 - primary]);
      await appendFile(join(directories[primary], 'postgresql.conf'), `synchronous_standby_names = ''\n`);
      await query(urlOf('postgres', ports[primary]), 'SELECT pg_reload_conf()');
    },
    async promote() {
      primary = primary === 0 ? 1 : 0;
      await query(urlOf('postgres', ports[primary]), 'SELECT pg_promote()');
    },
    async rejoin() {
      const other = primary === 0 ? 1 : 0;
      servers[other] = await follow(other);
    },
    get admin() {
      return urlOf('postgres', ports[primary]);
    },
    get pids() {
      return servers.map(({ pid = 0 }) => pid);
    },
    async revive() {
      for (const index of [primary, primary === 0 ? 1 : 0] as const) {
        const server = servers[index];
        if (server && hasEnded(server)) servers[index] = await serve(index);
      }
    },
    async restoreTo(moment, backups) {
      for (const server of servers) await end(server);
      const directory = directories[primary];
      await rm(directory, { recursive: true, force: true });
      await recoverCopy({ directory, backups, moment, account });
      // There is no standby yet for which a commit could wait.
      await appendFile(join(directory, 'postgresql.conf'), `synchronous_standby_names = ''\n`);
      servers[primary] = await serve(primary);
      await eventually(() => query(urlOf('postgres', ports[primary]), 'CREATE TEMPORARY TABLE writable ()'));
      // Its standby would stop there, too.
      await appendFile(join(directory, 'postgresql.conf'), `recovery_target_time = ''\narchive_mode = on\n`);
      const other = primary === 0 ? 1 : 0;
      servers[other] = await follow(other);
    },
    async stop() {
      for (const server of servers) await end(server);
      await rm(home, { recursive: true, force: true });
    },
  };
}
