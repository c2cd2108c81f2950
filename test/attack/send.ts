import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Agent, request } from 'undici';

/** Loopback has many addresses: a connection from each of these is another client to the service. */
export const anyAddress = (): string => `127.66.${randomInt(4)}.${randomInt(1, 250)}`;

const agents = new Map<string, Agent>();

function agentOf(localAddress: string): Agent {
  const known = agents.get(localAddress);
  if (known) return known;
  const agent = new Agent({ localAddress, headersTimeout: 60_000, bodyTimeout: 60_000, pipelining: 1 });
  agents.set(localAddress, agent);
  return agent;
}

interface Sent {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Buffer;
  from?: string;
}

/** The status of the answer, whose body is read to its end; `cut` when there is none. */
export async function send(url: string, { method = 'GET', headers = {}, body, from }: Sent): Promise<string> {
  try {
    const { statusCode, body: answer } = await request(url, {
      method,
      headers,
      dispatcher: agentOf(from ?? '127.66.0.1'),
      ...(body !== undefined && { body }),
    });
    await answer.dump({ limit: 1_000_000_000 });
    return String(statusCode);
  } catch {
    return 'cut';
  }
}

/** A connection that is held and on which nothing is read. */
export async function hold(url: URL, bytes: string, from: string): Promise<Socket | undefined> {
  const socket = connect({ host: url.hostname, port: Number(url.port), localAddress: from });
  const failed = once(socket, 'error').then(() => undefined);
  const connected = once(socket, 'connect').then(() => socket);
  const held = await Promise.race([connected, failed]);
  held?.on('error', () => undefined);
  held?.resume();
  held?.write(bytes);
  return held;
}
