import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { GraphqlResults } from '../graphql-endpoint.ts';

/** Keeps proxies from closing a silent connection, and finds one whose other end is gone. */
const pingEveryMs = 12_000;

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  // nginx would hold back what it has not filled a buffer with.
  'X-Accel-Buffering': 'no',
};

/** Of a stream that its source ended. */
export interface Ending {
  last?: string | undefined;
  isCut: boolean;
}

/** What does not read for so long is cut off. */
function ping(response: ServerResponse): NodeJS.Timeout {
  let wasBehind = false;
  return setInterval(() => {
    if (!response.writableNeedDrain) response.write(':\n\n');
    else if (wasBehind) response.destroy();
    wasBehind = response.writableNeedDrain;
  }, pingEveryMs);
}

/**
 * Server-sent events as the distinct connections mode of the GraphQL over SSE protocol has them: `next` for each
 * result, then `complete`. A result is asked for when the one before has left. `ending` says how it ended: with a last
 * result, or cut because the service stops, which clients must not take for the end, but connect again.
 */
export async function sendResults(
  response: ServerResponse,
  results: GraphqlResults,
  ending: () => Ending,
): Promise<void> {
  if (response.destroyed) {
    await results.return(undefined);
    return;
  }
  const gone = once(response, 'close').then(() => results.return(undefined));
  gone.catch(() => undefined);
  response.writeHead(200, headers);
  response.flushHeaders();
  const pinging = ping(response);
  try {
    for await (const result of results) {
      const isTaken = response.write(`event: next\ndata: ${result}\n\n`);
      if (!isTaken) await Promise.race([once(response, 'drain'), gone]);
    }
    const { last, isCut } = ending();
    if (isCut) {
      // Without the chunk that ends a body: a client sees that more was to come.
      response.socket?.destroySoon();
      return;
    }
    if (last !== undefined) response.write(`event: next\ndata: ${last}\n\n`);
    response.end('event: complete\ndata:\n\n');
  } finally {
    clearInterval(pinging);
  }
}
