import { once } from 'node:events';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { openCluster, type PostgresCluster } from '../../src/database/embedded-postgres/cluster.ts';
import type { Certificate } from './certificates.ts';
import { query } from './database.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

const READY_WITHIN_MS = 20_000;

export interface PostgresServer {
  readonly url: string;
  /** Ends it like `pg_ctl stop -m immediate`: sessions are cut, and the next start recovers from the log. */
  kill(): Promise<void>;
  /** Keeps its data and its port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** For a server that offers TLS: its files are where PostgreSQL looks for them, and its own. */
async function keepCertificate(directory: string, { certificate, privateKey }: Certificate): Promise<void> {
  const { uid, gid } = await stat(directory);
  for (const [name, text] of Object.entries({ 'server.crt': certificate, 'server.key': privateKey })) {
    await writeFile(join(directory, name), text, { mode: 0o600 });
    await chown(join(directory, name), uid, gid);
  }
}

/** A PostgreSQL of the test's own on a free port of loopback, with an empty database; it offers TLS with a certificate. */
export async function startPostgresServer(certificate?: Certificate): Promise<PostgresServer> {
  const directory = await mkdtemp(join(tmpdir(), 'postgres-server-'));
  const cluster = await openCluster(directory, false);
  if (certificate) await keepCertificate(cluster.directory, certificate);
  const settings = { ssl: certificate ? 'on' : 'off' };
  const port = await freePort();
  const url = `postgresql://pix:${cluster.password}@127.0.0.1:${port}/pix`;
  let server = await spawnServer(cluster, port, url, settings);

  async function kill(): Promise<void> {
    if (hasEnded(server)) return;
    const ended = once(server, 'exit');
    server.kill('SIGQUIT');
    await ended;
  }

  return {
    url,
    kill,
    async restart() {
      await kill();
      server = await spawnServer(cluster, port, url, settings);
    },
    async stop() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function spawnServer(
  { binaries, directory }: PostgresCluster,
  port: number,
  url: string,
  more: Record<string, string>,
): Promise<ChildProcess> {
  const settings = {
    ...more,
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // The machine does not crash, and what was committed must outlive only the server.
    fsync: 'off',
    synchronous_commit: 'on',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = binaries.spawn('postgres', ['-D', directory, ...args], { stdio: 'ignore' });
  await once(server, 'spawn');
  await eventually(() => query(url, 'SELECT 1'), READY_WITHIN_MS);
  return server;
}

const hasEnded = (server: ChildProcess): boolean => server.exitCode !== null || server.signalCode !== null;
