import { print } from '@0no-co/graphql.web';
import type { TadaDocumentNode } from 'gql.tada';
import { type Client, createClient } from 'graphql-ws';
import { type Workplace, workplaceHeaders } from './ask.ts';

/** One WebSocket for all that a page watches; opened by the first subscription, closed after the last. */
export interface Live {
  /** Answers how to stop. `onGap` is called when updates may have been missed. */
  subscribe<Result, Variables extends Record<string, unknown>>(
    document: TadaDocumentNode<Result, Variables>,
    variables: Variables,
    onUpdate: (result: Result) => void,
  ): () => void;
  close(): void;
}

/** Not signed in, or as somebody else than before; not a member of the organization. */
const endCodes = [4401, 4403];
/** The server failed, which the library takes for the end. */
const failedCode = 4500;
const waitsAsAfterRetries = 5;
const retryForever = Number.MAX_SAFE_INTEGER;
const longestWaitMs = 30_000;

const waitBeforeRetry = (retries: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.min(1_000 * 2 ** retries, longestWaitMs) * (0.5 + Math.random() / 2));
  });

/**
 * `onReconnected`: updates may have been missed. `onEnded`: the person, or what they may, is no longer the same,
 * or the server failed a while ago; nothing more comes over this connection.
 */
export function connectLive(workplace: Workplace, onReconnected: () => void, onEnded: () => void): Live {
  let isClosed = false;
  const endLater = async () => {
    await waitBeforeRetry(waitsAsAfterRetries);
    if (!isClosed) onEnded();
  };
  const client: Client = createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams: workplaceHeaders(workplace),
    retryAttempts: retryForever,
    retryWait: waitBeforeRetry,
    shouldRetry: () => true,
    lazyCloseTimeout: 2_000,
    on: {
      connected: (_socket, _payload, wasRetry) => {
        if (wasRetry) onReconnected();
      },
      closed: (event) => {
        const { code } = event as CloseEvent;
        if (endCodes.includes(code)) onEnded();
        if (code === failedCode) void endLater();
      },
    },
  });
  return {
    subscribe: (document, variables, onUpdate) =>
      client.subscribe<never>(
        { query: print(document as never), variables },
        {
          next: ({ data }) => {
            if (data) onUpdate(data);
          },
          // The page still shows what it has read; it asks again when it is looked at.
          error: () => undefined,
          complete: () => undefined,
        },
      ),
    close: () => {
      isClosed = true;
      void client.dispose();
    },
  };
}
