import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ReceivedWebhook, receiverHost } from './webhook-receiver.ts';

export type Fault = 'hang' | 'reset' | 'redirect' | 'fail';

/** An endpoint that does not work, for as long as the test wants. */
export interface FaultReceiver {
  url: string;
  /** All that arrived, taken or not. */
  requests: ReceivedWebhook[];
  /** The ids of those that were answered with success. */
  taken: Set<string>;
  /** How many hang. */
  readonly waiting: number;
  /** Takes what hangs, and nothing else while the fault lasts. */
  takeWaiting(): void;
  /** From now on everything is taken, what hangs as well. */
  heal(): void;
  stop(): Promise<void>;
}

export async function startFaultReceiver(firstFault?: Fault): Promise<FaultReceiver> {
  let fault = firstFault;
  const requests: ReceivedWebhook[] = [];
  const taken = new Set<string>();
  const waiting = new Map<ServerResponse, string>();

  function take(response: ServerResponse, id: string): void {
    waiting.delete(response);
    response.once('finish', () => taken.add(id));
    response.writeHead(204).end();
  }

  function takeWaiting(): void {
    for (const [response, id] of waiting) take(response, id);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks = await request.toArray().catch(() => undefined);
    if (!chunks) return;
    const headers = request.headers as Record<string, string>;
    const id = headers['webhook-id'] ?? '';
    requests.push({ path: request.url ?? '', headers, body: Buffer.concat(chunks as Buffer[]).toString() });
    if (fault === 'hang') {
      waiting.set(response, id);
      response.once('close', () => waiting.delete(response));
    } else if (fault === 'reset') {
      response.socket?.resetAndDestroy();
    } else if (fault === 'redirect') {
      response.writeHead(307, { Location: '/elsewhere' }).end();
    } else if (fault === 'fail') {
      response.writeHead(500).end();
    } else {
      take(response, id);
    }
  }

  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, receiverHost);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://${receiverHost}:${port}/webhooks`,
    requests,
    taken,
    get waiting() {
      return waiting.size;
    },
    takeWaiting,
    heal() {
      fault = undefined;
      takeWaiting();
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
