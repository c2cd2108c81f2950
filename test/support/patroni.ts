import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAccount } from '../../src/database/embedded-postgres/binaries.ts';
import { query } from './database.ts';
import { debianPostgres, engineEnv } from './engine-programs.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

/** Three PostgreSQL servers under Patroni, in synchronous mode, with one etcd. */
export interface PatroniCluster {
  /** Names all members. */
  readonly url: string;
  /**
   * Has the leader replaced: in an orderly way, because its PostgreSQL was killed, or because all of it was.
   * Resolves when another member accepts writes.
   */
  replaceLeader(how: Replacement): Promise<void>;
  /** Resolves when all members follow and one of them is synchronous. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export type Replacement = 'switchover' | 'PostgreSQL dies' | 'the machine dies';

interface Member {
  name: string;
  port: number;
  apiPort: number;
  file: string;
  directory: string;
  patroni: ChildProcess | undefined;
}

interface State {
  members: { name: string; role: string; state: string; lag?: number | string }[];
}

const settledWithinMs = 90_000;

/** https://patroni.readthedocs.io/en/latest/dynamic_configuration.html */
const configuration = (member: Member, etcdPort: number) => ({
  scope: 'payments',
  name: member.name,
  restapi: { listen: `127.0.0.1:${member.apiPort}`, connect_address: `127.0.0.1:${member.apiPort}` },
  etcd3: { host: `127.0.0.1:${etcdPort}` },
  bootstrap: {
    dcs: {
      ttl: 20,
      loop_wait: 1,
      retry_timeout: 3,
      // A leader that has died is replaced, not restarted.
      master_start_timeout: 0,
      synchronous_mode: true,
      postgresql: {
        use_pg_rewind: true,
        parameters: { max_connections: 200, fsync: 'off', wal_log_hints: 'on', wal_keep_size: '256MB' },
      },
    },
    initdb: [{ encoding: 'UTF8' }, { auth: 'trust' }, 'no-sync'],
  },
  postgresql: {
    listen: `127.0.0.1:${member.port}`,
    connect_address: `127.0.0.1:${member.port}`,
    data_dir: join(member.directory, 'data'),
    bin_dir: debianPostgres,
    pgpass: join(member.directory, 'pgpass'),
    pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    authentication: {
      superuser: { username: 'postgres', password: 'postgres' },
      replication: { username: 'replicator', password: 'replicator' },
    },
    parameters: { unix_socket_directories: member.directory },
  },
});

export async function startPatroni(): Promise<PatroniCluster> {
  const home = await mkdtemp(join(tmpdir(), 'patroni-'));
  const account = await findAccount(home);
  const own = async (directory: string) => {
    await mkdir(directory, { recursive: true });
    await chmod(directory, 0o755);
    if (account) await chown(directory, account.uid, account.gid);
  };
  await own(home);
  const start = (program: string, args: readonly string[]) =>
    spawn(program, args, {
      cwd: home,
      env: { ...engineEnv, LC_ALL: 'C', HOME: home },
      stdio: 'ignore',
      ...account,
    });

  const [etcdPort, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
  await own(join(home, 'etcd'));
  const etcdOptions = {
    'data-dir': join(home, 'etcd', 'data'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
  };
  const etcd = start(
    'etcd',
    Object.entries(etcdOptions).map(([name, value]) => `--${name}=${value}`),
  );

  const members: Member[] = [];
  for (const name of ['a', 'b', 'c']) {
    const directory = join(home, name);
    await own(directory);
    const file = join(directory, 'patroni.json');
    const ports = { port: await freePort(), apiPort: await freePort() };
    const member: Member = { name, file, directory, patroni: undefined, ...ports };
    // JSON is YAML as well.
    await writeFile(file, JSON.stringify(configuration(member, etcdPort)));
    members.push(member);
  }

  async function end(child: ChildProcess | undefined): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async function killPostgres({ directory }: Member): Promise<void> {
    const pid = Number((await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0]);
    process.kill(pid, 'SIGKILL');
  }

  async function run(member: Member): Promise<void> {
    member.patroni = start('patroni', [member.file]);
    await once(member.patroni, 'spawn');
  }

  async function state(): Promise<State['members']> {
    for (const { apiPort } of members) {
      const response = await fetch(`http://127.0.0.1:${apiPort}/cluster`).catch(() => undefined);
      if (response?.ok) return ((await response.json()) as State).members;
    }
    throw new Error('no member responds');
  }

  async function leader(): Promise<Member> {
    const { name } = (await state()).find(({ role }) => role === 'leader') ?? {};
    const found = members.find((member) => member.name === name);
    if (!found) throw new Error('there is no leader');
    return found;
  }

  async function settled(): Promise<void> {
    await eventually(async () => {
      const found = await state();
      const isWell = ({ state: now }: State['members'][number]) => ['running', 'streaming'].includes(now);
      const roles = found.filter(isWell).map(({ role }) => role);
      if (roles.length < members.length || !roles.includes('leader') || !roles.includes('sync_standby'))
        throw new Error(`not settled: ${JSON.stringify(found)}`);
    }, settledWithinMs);
  }

  const urlOf = (user: string, name: string, { port }: Member) =>
    `postgresql://${user}@127.0.0.1:${port}/${name}`;
  const isWritable = async (member: Member) => {
    const [row] = await query<{ standby: boolean }>(
      urlOf('postgres', 'postgres', member),
      'SELECT pg_is_in_recovery() AS standby',
    );
    return row?.standby === false;
  };

  for (const member of members) await run(member);
  await settled();
  const admin = urlOf('postgres', 'postgres', await leader());
  await query(admin, 'CREATE ROLE pix LOGIN');
  await query(admin, 'CREATE DATABASE pix OWNER pix');

  return {
    url: `postgresql://pix@${members.map(({ port }) => `127.0.0.1:${port}`).join(',')}/pix`,
    settled,
    async replaceLeader(how) {
      const old = await leader();
      if (how === 'switchover') {
        // Responds when it is over, and another member accepts writes before that.
        void fetch(`http://127.0.0.1:${old.apiPort}/switchover`, {
          method: 'POST',
          body: JSON.stringify({ leader: old.name }),
        }).catch(() => undefined);
      } else {
        if (how === 'the machine dies') await end(old.patroni);
        await killPostgres(old);
      }
      await eventually(async () => {
        const others = members.filter((member) => member !== old);
        const writable = await Promise.all(others.map((member) => isWritable(member).catch(() => false)));
        if (!writable.includes(true)) throw new Error('nobody was promoted');
      }, settledWithinMs);
      if (how === 'the machine dies') await run(old);
    },
    async stop() {
      await Promise.all(members.map(({ patroni }) => end(patroni)));
      for (const member of members) await killPostgres(member).catch(() => undefined);
      await end(etcd);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
