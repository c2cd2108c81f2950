import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** The host of every receiver, for WEBHOOK_ALLOWED_HOSTS. */
export const receiverHost = '127.0.0.1';

/** How a URL is refused whose host only a setting would allow. */
export const hostRefusal = (host: string): string =>
  `url must have a host on the public internet, or one listed in WEBHOOK_ALLOWED_HOSTS, which does not list ${host}: set it for both the server and the command line`;

export interface ReceivedWebhook {
  path: string;
  headers: Record<string, string>;
  body: string;
}

interface WebhookReply {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** An endpoint of a merchant on loopback that answers as it is told. */
export interface WebhookReceiver {
  url: string;
  /** They are in the order of their arrival. */
  requests: ReceivedWebhook[];
  /** What is answered from now on: 204 when nothing was said; `reset` cuts the connection. */
  reply: WebhookReply | 'reset';
  /** How many wait for an answer, and the most that did at one time. */
  readonly waiting: number;
  readonly mostAtOnce: number;
  /** From now on requests are read and not answered. */
  hang(): void;
  /** Answers the first of those that wait, or all of them and what comes from now on. */
  answerOne(): void;
  answerAll(): void;
  stop(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const held: ServerResponse[] = [];
  let isHanging = false;
  let open = 0;
  let mostAtOnce = 0;

  function answer(response: ServerResponse): void {
    const { reply } = receiver;
    if (reply === 'reset') response.socket?.resetAndDestroy();
    else response.writeHead(reply.status, reply.headers).end(reply.body);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    open += 1;
    mostAtOnce = Math.max(mostAtOnce, open);
    response.once('close', () => {
      open -= 1;
      const place = held.indexOf(response);
      if (place >= 0) held.splice(place, 1);
    });
    const chunks = await request.toArray().catch(() => undefined);
    if (!chunks) return;
    receiver.requests.push({
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks as Buffer[]).toString(),
    });
    if (isHanging) held.push(response);
    else answer(response);
  }

  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, receiverHost);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const receiver: WebhookReceiver = {
    url: `http://${receiverHost}:${port}/webhooks`,
    requests: [],
    reply: { status: 204 },
    get waiting() {
      return held.length;
    },
    get mostAtOnce() {
      return mostAtOnce;
    },
    hang() {
      isHanging = true;
    },
    answerOne() {
      const response = held.shift();
      if (response) answer(response);
    },
    answerAll() {
      isHanging = false;
      for (const response of held.splice(0)) answer(response);
    },
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** Whether a receiver that knows the secret would believe it at that time, by the reference implementation. */
export function isSignedWith(secret: string, { headers, body }: ReceivedWebhook): boolean {
  const {
    'webhook-id': id = '',
    'webhook-timestamp': timestamp = '',
    'webhook-signature': sent = '',
  } = headers;
  const expected = new Webhook(secret).sign(id, new Date(Number(timestamp) * 1_000), body);
  return sent.split(' ').includes(expected);
}
