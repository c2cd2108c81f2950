import { print } from '@0no-co/graphql.web';
import type { TadaDocumentNode } from 'gql.tada';
import { type Client, createClient } from 'graphql-ws';
import { type Workplace, workplaceHeaders } from './request.ts';
import { keepSubscribed, backoff } from './keep-subscribed.ts';

/** One WebSocket per page, opened by the first subscription and closed after the last. */
export interface Live {
  /** Returns an unsubscribe function. Dropped subscriptions are renewed. */
  subscribe<Result, Variables extends Record<string, unknown>>(
    document: TadaDocumentNode<Result, Variables>,
    variables: Variables,
    onUpdate: (result: Result) => void,
  ): () => void;
  close(): void;
}

/** The service closes with 4401 when somebody signed out or in as someone else, with 4403 when they are no longer a member. */
const endCodes = [4401, 4403];
const retryForever = Number.MAX_SAFE_INTEGER;
const pingEveryMs = 10_000;
const pongTimeoutMs = 5_000;

/** `onGap` is called when updates may have been missed, `onEnded` when the session or its permissions changed. */
export function connectLive(workplace: Workplace, onGap: () => void, onEnded: () => void): Live {
  let isOver = false;
  let pongTimer: ReturnType<typeof setTimeout> | undefined;
  const client: Client = createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams: workplaceHeaders(workplace),
    retryAttempts: retryForever,
    retryWait: backoff,
    shouldRetry: () => !isOver,
    lazyCloseTimeout: 2_000,
    connectionAckWaitTimeout: pongTimeoutMs,
    // Browsers do not detect a dead peer.
    keepAlive: pingEveryMs,
    on: {
      ping: (isReceived) => {
        if (!isReceived) pongTimer = setTimeout(client.terminate, pongTimeoutMs);
      },
      pong: () => {
        clearTimeout(pongTimer);
      },
      connected: (_socket, _payload, wasRetry) => {
        if (wasRetry) onGap();
      },
      closed: (event) => {
        clearTimeout(pongTimer);
        if (isOver || !endCodes.includes((event as CloseEvent).code)) return;
        isOver = true;
        onEnded();
      },
    },
  });
  return {
    subscribe: (document, variables, onUpdate) =>
      keepSubscribed(
        client,
        { query: print(document as never), variables },
        { onUpdate, onGap, isOver: () => isOver },
      ),
    close: () => {
      isOver = true;
      void client.dispose();
    },
  };
}
