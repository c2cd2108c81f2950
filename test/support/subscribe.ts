import { createClient as createSocketClient, type CloseCode } from 'graphql-ws';
import WebSocket from 'ws';
import { eventually } from './eventually.ts';

/** What a subscription has received so far. */
export interface Subscribed {
  /** Results as they came: tests know what they expect. */
  // oxlint-disable-next-line typescript/no-explicit-any
  results: any[];
  /** Resolves with what ended it: the close code of a WebSocket, the last event of a stream, or errors. */
  ended: Promise<unknown>;
  close(): void;
}

export type Subscribe = (
  baseUrl: string,
  credentials: Record<string, string>,
  query: string,
  variables?: Record<string, unknown>,
) => Subscribed;

/** What a browser sends by itself; everything else its page says. */
const fromBrowser = new Set(['Cookie', 'Origin']);

/** Over graphql-transport-ws, the credentials in `connectionParams`. */
export const overWebSocket: Subscribe = (baseUrl, credentials, query, variables) => {
  const results: unknown[] = [];
  const entries = Object.entries(credentials);
  const headers = Object.fromEntries(entries.filter(([name]) => fromBrowser.has(name)));
  const client = createSocketClient({
    url: `${baseUrl.replace('http', 'ws')}/graphql`,
    webSocketImpl: class extends WebSocket {
      constructor(url: string, protocol: string) {
        super(url, protocol, { headers });
      }
    },
    connectionParams: Object.fromEntries(entries.filter(([name]) => !fromBrowser.has(name))),
    retryAttempts: 0,
  });
  const ended = new Promise<unknown>((resolve) => {
    client.subscribe(
      { query, variables: variables ?? {} },
      {
        next: (result) => results.push(result),
        complete: () => {
          resolve('complete');
        },
        error: (error) => {
          resolve((error as { code?: CloseCode }).code ?? error);
        },
      },
    );
  });
  return { results, ended, close: () => void client.dispose() };
};

async function readEvents(response: Response, results: unknown[]): Promise<unknown> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    return { status: response.status, body: await response.json() };
  }
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      if (event.startsWith('event: complete')) return 'complete';
      const [, data] = /^event: next\ndata: (.*)$/.exec(event) ?? [];
      if (data !== undefined) results.push(JSON.parse(data));
    }
  }
  return 'cut';
}

/** Server-sent events of a POST, the credentials in its headers. */
export const overEvents: Subscribe = (baseUrl, credentials, query, variables) => {
  const results: unknown[] = [];
  const abort = new AbortController();
  const ended = fetch(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: { ...credentials, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify({ query, variables }),
    signal: abort.signal,
  })
    .then((response) => readEvents(response, results))
    .catch((error: unknown) => error);
  return {
    results,
    ended,
    close: () => {
      abort.abort();
    },
  };
};

export const transports: [name: string, subscribe: Subscribe][] = [
  ['WebSocket', overWebSocket],
  ['server-sent events', overEvents],
];

export const onePayment =
  'subscription ($id: ID!) { paymentUpdated(id: $id) { id status confirmedAt payerName metadata } }';
export const allPayments = 'subscription { paymentsUpdated { id status } }';

export const statusesOf = ({ results }: Subscribed): string[] =>
  results.map(({ data }) => (data?.paymentUpdated ?? data?.paymentsUpdated)?.status);

/** Resolves when it has shown these states and no others. */
export const shows = (subscribed: Subscribed, statuses: string[], withinMs?: number): Promise<void> =>
  eventually(() => {
    const seen = statusesOf(subscribed);
    if (seen.join() !== statuses.join()) {
      throw new Error(`shows ${JSON.stringify(subscribed.results)}, not ${statuses.join()}`);
    }
  }, withinMs);
