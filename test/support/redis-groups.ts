import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

/** Several servers that replace a master which dies. */
export interface RedisGroup {
  readonly url: string;
  /** Kills the one that counts requests with -9; resolves when another has taken over. */
  killMaster(): Promise<void>;
  stop(): Promise<void>;
}

async function createGroup() {
  const home = await mkdtemp(join(tmpdir(), 'redis-group-'));
  const servers = new Map<number, ChildProcess>();

  async function spawnAt(port: number, program: string, args: readonly string[]): Promise<void> {
    servers.set(port, spawn(program, args, { stdio: 'ignore', cwd: home }));
    await eventually(() => ask(port, (redis) => redis.ping()));
  }

  return {
    home,
    async serve(settings: Record<string, string | number>): Promise<number> {
      const port = await freePort();
      const directory = join(home, String(port));
      await mkdir(directory);
      const all = {
        port,
        bind: '127.0.0.1',
        dir: directory,
        save: '',
        appendonly: 'no',
        'repl-diskless-sync-delay': 0,
        ...settings,
      };
      await spawnAt(
        port,
        'redis-server',
        Object.entries(all).flatMap(([name, value]) => [`--${name}`, ...String(value).split(' ')]),
      );
      return port;
    },
    spawnAt,
    async kill(port: number): Promise<void> {
      const server = servers.get(port);
      servers.delete(port);
      if (!server) return;
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
    async stop(): Promise<void> {
      for (const server of servers.values()) {
        const ended = once(server, 'exit');
        server.kill('SIGKILL');
        await ended;
      }
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function ask<T>(port: number, question: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}

type Group = Awaited<ReturnType<typeof createGroup>>;

/** What was started ends with a start that fails. */
const starting = (start: (group: Group) => Promise<RedisGroup>) => async (): Promise<RedisGroup> => {
  const group = await createGroup();
  return start(group).catch(async (error: unknown) => {
    await group.stop();
    throw error;
  });
};

/** A master, a replica and three sentinels. */
export const startSentinels = starting(async (group) => {
  const first = await group.serve({});
  await group.serve({ replicaof: `127.0.0.1 ${first}` });
  const sentinels: number[] = [];
  for (let count = 0; count < 3; count++) {
    const port = await freePort();
    const file = join(group.home, `sentinel-${port}.conf`);
    const lines = [
      `port ${port}`,
      'bind 127.0.0.1',
      `sentinel monitor payments 127.0.0.1 ${first} 2`,
      'sentinel down-after-milliseconds payments 1000',
      'sentinel failover-timeout payments 3000',
    ];
    await writeFile(file, `${lines.join('\n')}\n`);
    await group.spawnAt(port, 'redis-sentinel', [file]);
    sentinels.push(port);
  }
  const masters = () =>
    Promise.all(
      sentinels.map((port) =>
        ask(port, async (redis) => {
          const [, master] = (await redis.call(
            'SENTINEL',
            'get-master-addr-by-name',
            'payments',
          )) as string[];
          return Number(master);
        }),
      ),
    );
  const knowsAll = (port: number) =>
    ask(port, async (redis) => {
      const [fields] = (await redis.call('SENTINEL', 'masters')) as string[][];
      const valueOf = (name: string) => fields?.[fields.indexOf(name) + 1];
      if (valueOf('num-slaves') !== '1' || valueOf('num-other-sentinels') !== '2') throw new Error('not yet');
    });
  await eventually(() => Promise.all(sentinels.map(knowsAll)));
  return {
    url: `redis+sentinel://${sentinels.map((port) => `127.0.0.1:${port}`).join(',')}/payments`,
    async killMaster() {
      const [old = 0] = await masters();
      await group.kill(old);
      await eventually(async () => {
        for (const master of await masters()) {
          if (master === old) throw new Error('the sentinels still name the dead master');
          await ask(master, (redis) => redis.set('probe', '1', 'EX', 1));
        }
      }, 30_000);
    },
    stop: () => group.stop(),
  };
});

/** Three masters with a replica each. */
export const startCluster = starting(async (group) => {
  const ports: number[] = [];
  for (let count = 0; count < 6; count++) {
    ports.push(await group.serve({ 'cluster-enabled': 'yes', 'cluster-node-timeout': 1_000 }));
  }
  const hosts = ports.map((port) => `127.0.0.1:${port}`);
  const args = ['--cluster', 'create', ...hosts, '--cluster-replicas', '1', '--cluster-yes'];
  const created = spawnSync('redis-cli', args, { encoding: 'utf8' });
  if (created.status !== 0) throw new Error(`the cluster was not created: ${created.stdout}`);

  const alive = new Set(ports);
  /** The node that has the slot of the hash tag. */
  async function master(): Promise<number> {
    const [port = 0] = alive;
    return ask(port, async (redis) => {
      const slot = await redis.cluster('KEYSLOT', '{pix}');
      const ranges = await redis.cluster('SLOTS');
      const range = ranges.find(([from, to]) => from <= slot && slot <= to);
      return range?.[2]?.[1] ?? 0;
    });
  }
  const followers = (port: number) =>
    ask(port, async (redis) => {
      if (!/state=online/.test(await redis.info('replication'))) throw new Error('no replica yet');
    });
  await eventually(async () => followers(await master()), 30_000);
  return {
    url: `redis+cluster://${hosts.slice(0, 3).join(',')}`,
    async killMaster() {
      const old = await master();
      await group.kill(old);
      alive.delete(old);
      await eventually(async () => {
        const next = await master();
        if (next === old) throw new Error('nobody has taken over');
        await ask(next, (redis) => redis.set('{pix}:probe', '1', 'EX', 1));
      }, 30_000);
    },
    stop: () => group.stop(),
  };
});
