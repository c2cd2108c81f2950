import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { GraphqlResults } from '../graphql-endpoint.ts';

/** Keeps proxies from closing a silent connection, and detects a dead peer. */
const pingEveryMs = 12_000;

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  // Stops nginx from buffering the stream.
  'X-Accel-Buffering': 'no',
};

/** How a stream that ended itself ended. */
export interface Ending {
  last?: string | undefined;
  isCut: boolean;
}

/** Closes the connection when the client stops reading. */
function ping(response: ServerResponse): NodeJS.Timeout {
  let wasBehind = false;
  return setInterval(() => {
    if (!response.writableNeedDrain) response.write(':\n\n');
    else if (wasBehind) response.destroy();
    wasBehind = response.writableNeedDrain;
  }, pingEveryMs);
}

/**
 * Server-sent events in the distinct connections mode of GraphQL over SSE: `next` for each result, then
 * `complete`. Requests a result once the previous one was sent. `ending`: a last result, or closed because
 * the service is stopping, which clients must see as a failure and reconnect.
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
      // Without the final chunk the client sees that the body is incomplete.
      response.socket?.destroySoon();
      return;
    }
    if (last !== undefined) response.write(`event: next\ndata: ${last}\n\n`);
    response.end('event: complete\ndata:\n\n');
  } finally {
    clearInterval(pinging);
  }
}
