import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { findAccount } from '../../src/database/embedded-postgres/binaries.ts';
import { query } from './database.ts';
import { debianPostgres, engineEnv } from './engine-programs.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

const scripts = resolve(import.meta.dirname, '../../deploy/postgresql');

/** A server of Debian's PostgreSQL that archives its log, as docs/operating/backups.md has it. */
export interface ArchivingPostgres {
  /** The URL of whichever copy runs. */
  readonly url: string;
  /** The server's clock, once everything committed before is older. */
  moment(): Promise<string>;
  backUp(): Promise<void>;
  /** Stops the server, and starts the backup in its place, recovered until then from the archive. */
  restoreTo(moment: string): Promise<void>;
  stop(): Promise<void>;
}

interface Copy {
  directory: string;
  /** Where `backup` and `archive-wal` of deploy put theirs. */
  backups: string;
  moment: string;
  /** Whose they are. */
  account: { uid: number; gid: number } | undefined;
}

/** Unpacks the newest copy, so that the server that starts on it recovers until the moment, and archives nothing. */
export async function recoverCopy({ directory, backups, moment, account }: Copy): Promise<void> {
  await mkdir(directory, { mode: 0o700 });
  const names = await readdir(backups);
  const copy =
    names
      .filter((name) => name.startsWith('base-'))
      .sort()
      .at(-1) ?? '';
  await promisify(execFile)('tar', ['-xzf', join(backups, copy), '-C', directory]);
  await appendFile(
    join(directory, 'postgresql.conf'),
    `restore_command = 'gzip -dc ${join(backups, 'wal')}/%f.gz > %p'
     recovery_target_time = '${moment}'
     recovery_target_action = promote
     archive_mode = off\n`,
  );
  const signal = join(directory, 'recovery.signal');
  await writeFile(signal, '');
  if (account) for (const path of [directory, signal]) await chown(path, account.uid, account.gid);
}

export async function startArchivingPostgres(): Promise<ArchivingPostgres> {
  const home = await mkdtemp(join(tmpdir(), 'postgres-backup-'));
  const account = await findAccount(home);
  const own = async (path: string) => account && chown(path, account.uid, account.gid);
  await own(home);
  await chmod(home, 0o755);
  const port = await freePort();
  const backups = join(home, 'backups');
  const archive = join(backups, 'wal');
  const admin = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  let copies = 0;
  let directory = join(home, 'first');

  async function run(program: string, args: readonly string[]): Promise<void> {
    const env = { ...engineEnv, PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'postgres' };
    const child = spawn(program, args, { cwd: '/', env, ...account });
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    if (code !== 0) throw new Error(`${program} failed: ${errors}`);
  }

  async function serve(): Promise<ChildProcess> {
    const args = ['-D', directory, '-p', String(port)];
    const child = spawn(join(debianPostgres ?? '', 'postgres'), args, {
      cwd: '/',
      stdio: 'ignore',
      ...account,
    });
    await eventually(async () => {
      const [row] = await query<{ inRecovery: boolean }>(admin, 'SELECT pg_is_in_recovery() AS "inRecovery"');
      if (row?.inRecovery !== false) throw new Error('it recovers');
    });
    return child;
  }

  async function end(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGQUIT');
    await ended;
  }

  await mkdir(archive, { recursive: true });
  await own(backups);
  await own(archive);
  await run('initdb', ['-D', directory, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8']);
  await appendFile(
    join(directory, 'postgresql.conf'),
    `listen_addresses = '127.0.0.1'
     unix_socket_directories = ''
     fsync = off
     archive_mode = on
     archive_command = '${scripts}/archive-wal %p ${archive}/%f.gz'\n`,
  );
  let server = await serve();
  await query(admin, 'CREATE ROLE pix LOGIN CREATEDB');
  await query(admin, 'CREATE DATABASE pix OWNER pix');

  return {
    url: `postgresql://pix@127.0.0.1:${port}/pix`,
    async moment() {
      const [row] = await query<{ at: string }>(admin, 'SELECT clock_timestamp()::text AS at');
      return row?.at ?? '';
    },
    backUp: () => run(join(scripts, 'backup'), [backups, '7']),
    async restoreTo(moment) {
      const [segment] = await query<{ name: string }>(
        admin,
        'SELECT pg_walfile_name(pg_switch_wal()) AS name',
      );
      // The restored copy archives nothing.
      if (copies === 0) {
        await eventually(async () => {
          const [last] = await query<{ name: string }>(
            admin,
            'SELECT last_archived_wal AS name FROM pg_stat_archiver',
          );
          if ((last?.name ?? '') < (segment?.name ?? '')) throw new Error('the log is not archived yet');
        });
      }
      await end();
      copies += 1;
      directory = join(home, `copy-${copies}`);
      await recoverCopy({ directory, backups, moment, account });
      server = await serve();
    },
    async stop() {
      await end();
      await rm(home, { recursive: true, force: true });
    },
  };
}
