import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';

const READY_WITHIN_MS = 5_000;

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Hangs it: connections stay open and are accepted, nothing is answered. */
  pause(): void;
  resume(): void;
  /** As kill -9, and the data is gone. */
  kill(): Promise<void>;
  /** Empty, on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A Redis of the test's own on a free port of loopback, with nothing on disk. */
export async function startRedisServer(): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'redis-server-'));
  const port = await freePort();
  let server = await spawnServer(port, directory);

  async function kill(): Promise<void> {
    if (hasEnded(server)) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    kill,
    async restart() {
      await kill();
      server = await spawnServer(port, directory);
    },
    async stop() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function spawnServer(port: number, directory: string): Promise<ChildProcess> {
  const options = { port, bind: '127.0.0.1', dir: directory, save: '', appendonly: 'no' };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn('redis-server', args, { stdio: 'ignore' });
  await once(server, 'spawn').catch((error: Error) => {
    throw new Error(
      `These tests need redis-server in the PATH (Debian: apt-get install redis-server): ${error.message}`,
    );
  });
  await answersPing(server, port);
  return server;
}

async function answersPing(server: ChildProcess, port: number): Promise<void> {
  const giveUpAt = Date.now() + READY_WITHIN_MS;
  while (!(await ping(port))) {
    if (hasEnded(server))
      throw new Error(`redis-server ended at once (port ${port}, code ${server.exitCode})`);
    if (Date.now() > giveUpAt) throw new Error(`redis-server on port ${port} does not answer`);
    await delay(5);
  }
}

const hasEnded = (server: ChildProcess): boolean => server.exitCode !== null || server.signalCode !== null;

/** Whether a Redis answers on this port. */
async function ping(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  socket.end('PING\r\n');
  const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => ['']);
  socket.destroy();
  return String(answer).startsWith('+PONG');
}
