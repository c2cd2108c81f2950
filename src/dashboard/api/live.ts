import { print } from '@0no-co/graphql.web';
import type { TadaDocumentNode } from 'gql.tada';
import { type Client, createClient } from 'graphql-ws';
import { type Workplace, workplaceHeaders } from './request.ts';
import { keepSubscribed, waitBeforeRetry } from './keep-subscribed.ts';

/** One WebSocket for all that a page watches; opened by the first subscription, closed after the last. */
export interface Live {
  /** Answers how to stop. What ends by chance is subscribed to again. */
  subscribe<Result, Variables extends Record<string, unknown>>(
    document: TadaDocumentNode<Result, Variables>,
    variables: Variables,
    onUpdate: (result: Result) => void,
  ): () => void;
  close(): void;
}

/** Not signed in, or as somebody else than before; not a member of the organization. */
const endCodes = [4401, 4403];
const retryForever = Number.MAX_SAFE_INTEGER;
const pingEveryMs = 10_000;
const answerWithinMs = 5_000;

/** `onGap`: updates may have been missed. `onEnded`: the person, or what they may, is no longer the same. */
export function connectLive(workplace: Workplace, onGap: () => void, onEnded: () => void): Live {
  let isOver = false;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const client: Client = createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams: workplaceHeaders(workplace),
    retryAttempts: retryForever,
    retryWait: waitBeforeRetry,
    shouldRetry: () => !isOver,
    lazyCloseTimeout: 2_000,
    connectionAckWaitTimeout: answerWithinMs,
    // A browser does not notice by itself that the other end of a connection is gone.
    keepAlive: pingEveryMs,
    on: {
      ping: (isReceived) => {
        if (!isReceived) silence = setTimeout(client.terminate, answerWithinMs);
      },
      pong: () => {
        clearTimeout(silence);
      },
      connected: (_socket, _payload, wasRetry) => {
        if (wasRetry) onGap();
      },
      closed: (event) => {
        clearTimeout(silence);
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
