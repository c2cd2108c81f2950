// Servers of JSON in processes of their own: how one is started, and what the bare ones share.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

export interface ForkedServer {
  baseUrl: string;
  pid: number;
  stop(): void;
}

/** `file` listens on a port that it sends, and ends with this process. */
export async function forkServer(file: string, ...args: string[]): Promise<ForkedServer> {
  const server = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production', GRAPHILE_ENV: 'production' },
  });
  const [port] = (await once(server, 'message')) as [number];
  return { baseUrl: `http://127.0.0.1:${port}`, pid: server.pid ?? 0, stop: () => server.kill() };
}

function send(response: ServerResponse, statusCode: number, body: object | undefined): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(statusCode, { 'Content-Type': 'application/json', 'Content-Length': bytes.length });
  response.end(bytes);
}

export interface BareServer {
  /** Gets the path of a GET. */
  read?(path: string): Promise<object | undefined>;
  /** Gets the body of a POST. */
  create(body: { amount: number }): Promise<object | undefined>;
}

/** Serves with node:http alone, in the process that `forkServer` started. */
export function serveBarely({ read, create }: BareServer): void {
  const server = createServer((request, response) => {
    if (read && request.method === 'GET') {
      void read(request.url ?? '').then((body) => {
        send(response, 200, body);
      });
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void create(JSON.parse(Buffer.concat(chunks).toString()) as { amount: number }).then((payment) => {
        send(response, 201, payment);
      });
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  // The benchmark has ended, however it did.
  process.once('disconnect', () => process.exit());
}
