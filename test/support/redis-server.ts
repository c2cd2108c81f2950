import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Certificate } from './certificates.ts';
import { freePort } from './free-port.ts';

const READY_WITHIN_MS = 20_000;

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Hangs it: connections stay open and are accepted, nothing is answered. */
  pause(): void;
  resume(): void;
  /** Ends it like kill -9, and the data is gone. */
  kill(): Promise<void>;
  /** Empty, on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The options of a server that speaks TLS alone. */
async function tlsOptions(directory: string, { certificate, privateKey }: Certificate, port: number) {
  const [file, keyFile] = [join(directory, 'server.crt'), join(directory, 'server.key')];
  await Promise.all([writeFile(file, certificate), writeFile(keyFile, privateKey, { mode: 0o600 })]);
  return {
    port: 0,
    'tls-port': port,
    'tls-cert-file': file,
    'tls-key-file': keyFile,
    'tls-auth-clients': 'no',
  };
}

/** A Redis of the test's own on a free port of loopback, with nothing on disk; it speaks TLS with a certificate. */
export async function startRedisServer(certificate?: Certificate): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'redis-server-'));
  const port = await freePort();
  const more = certificate ? await tlsOptions(directory, certificate, port) : { port };
  const start = () => spawnServer(port, directory, more);
  let server = await start();

  async function kill(): Promise<void> {
    if (hasEnded(server)) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }

  return {
    url: `${certificate ? 'rediss' : 'redis'}://127.0.0.1:${port}`,
    port,
    get pid() {
      return server.pid ?? 0;
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    kill,
    async restart() {
      await kill();
      server = await start();
    },
    async stop() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function spawnServer(port: number, directory: string, more: object): Promise<ChildProcess> {
  const options = { ...more, bind: '127.0.0.1', dir: directory, save: '', appendonly: 'no' };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn('redis-server', args, { stdio: 'ignore' });
  await once(server, 'spawn').catch((error: Error) => {
    throw new Error(
      `These tests need redis-server in the PATH (Debian: apt-get install redis-server): ${error.message}`,
    );
  });
  await answersPing(server, port, 'tls-port' in more);
  return server;
}

async function answersPing(server: ChildProcess, port: number, isSecure: boolean): Promise<void> {
  const giveUpAt = Date.now() + READY_WITHIN_MS;
  while (!(await ping(port, isSecure))) {
    if (hasEnded(server))
      throw new Error(`redis-server ended at once (port ${port}, code ${server.exitCode})`);
    if (Date.now() > giveUpAt) throw new Error(`redis-server on port ${port} does not answer`);
    await delay(5);
  }
}

const hasEnded = (server: ChildProcess): boolean => server.exitCode !== null || server.signalCode !== null;

/** Whether a Redis answers on this port. */
async function ping(port: number, isSecure: boolean): Promise<boolean> {
  const at = { port, host: '127.0.0.1' };
  const socket = isSecure ? connectSecurely({ ...at, rejectUnauthorized: false }) : connect(at);
  socket.end('PING\r\n');
  const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => ['']);
  socket.destroy();
  return String(answer).startsWith('+PONG');
}
