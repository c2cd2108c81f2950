import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { PostgresCluster } from './cluster.ts';

export type PostgresSettings = Readonly<Record<string, string>>;

export interface Postmaster {
  processId: number;
  port: number;
  isReady: boolean;
}

const defaultSettings: PostgresSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '64MB',
  idle_in_transaction_session_timeout: '60s',
  // Errors of a statement are reported to its client, and need not be logged here.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};
const maximumLogBytes = 1_000_000;
const shutdownMs = 30_000;
const pollMs = 10;

/** The server that runs on this directory; leftovers of a crash do not count. */
export async function findPostmaster({ directory }: PostgresCluster): Promise<Postmaster | undefined> {
  const noted = await readLockFile(directory);
  return noted && (await isPostmaster(noted.processId, directory)) ? noted : undefined;
}

/**
 * The process id of a new server that is ready; undefined when this attempt failed for a reason that may be
 * temporary, such as a concurrent start. @throws with the server's own message when it cannot start.
 */
export async function launchPostmaster(
  cluster: PostgresCluster,
  settings: PostgresSettings,
): Promise<number | undefined> {
  await limitLog(cluster);
  const port = String(await findFreePort());
  const args = Object.entries({ ...defaultSettings, ...settings, port }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const log = await open(cluster.logFile, 'a', 0o600);
  const { size: logStart } = await log.stat();
  // It gets a session of its own, because Ctrl-C signals the whole foreground group while we still have to drain.
  const options = { detached: true, stdio: ['ignore' as const, log.fd, log.fd] };
  const child = cluster.binaries.spawn('postgres', ['-D', cluster.directory, ...args], options);
  child.unref();
  await once(child, 'spawn').finally(() => log.close());
  while (child.exitCode === null && child.signalCode === null) {
    const noted = await readLockFile(cluster.directory);
    if (noted?.processId === child.pid && noted?.isReady) return child.pid;
    await delay(pollMs);
  }
  const report = (await readFile(cluster.logFile)).subarray(logStart).toString().trim();
  if (!/lock file|could not create any TCP|pre-existing shared memory/.test(report)) {
    throw new Error(`PostgreSQL did not start in ${cluster.directory}: ${report}`);
  }
  if (report.includes('lock file')) await removeStaleLockFile(cluster);
  return undefined;
}

/** Ends every session, and resolves when everything is on disk. */
export async function shutDownPostmaster(cluster: PostgresCluster): Promise<void> {
  const postmaster = await findPostmaster(cluster);
  if (!postmaster) return;
  process.kill(postmaster.processId, 'SIGINT');
  const giveUpAt = Date.now() + shutdownMs;
  while ((await findPostmaster(cluster))?.processId === postmaster.processId) {
    if (Date.now() > giveUpAt) {
      throw new Error(`PostgreSQL (pid ${postmaster.processId}) did not stop within ${shutdownMs / 1000} s`);
    }
    await delay(pollMs);
  }
}

export async function limitLog({ logFile }: PostgresCluster): Promise<void> {
  const { size } = await stat(logFile).catch(() => ({ size: 0 }));
  if (size > maximumLogBytes) await truncate(logFile);
}

/** Reads PostgreSQL's lock file, whose lines are defined in miscadmin.h (LOCK_FILE_LINE_…). */
async function readLockFile(directory: string): Promise<Postmaster | undefined> {
  const content = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const [processId, , , port, , , , status] = content.split('\n');
  if (!Number(processId) || !Number(port)) return undefined;
  return { processId: Number(processId), port: Number(port), isReady: status?.trim() === 'ready' };
}

/**
 * PostgreSQL mistakes any process of its user with the recorded id for itself and refuses to start. After a
 * reboot, and always in containers, such a process is likely.
 */
async function removeStaleLockFile(cluster: PostgresCluster): Promise<void> {
  // A server that is just starting has created the file, but may not have filled it.
  await delay(100);
  if (!(await findPostmaster(cluster))) await rm(join(cluster.directory, 'postmaster.pid'), { force: true });
}

async function isPostmaster(processId: number, directory: string): Promise<boolean> {
  const command =
    process.platform === 'linux'
      ? readFile(`/proc/${processId}/cmdline`, 'utf8')
      : promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(processId)]).then(
          ({ stdout }) => stdout,
        );
  return (await command.catch(() => '')).includes(directory);
}

async function findFreePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}
