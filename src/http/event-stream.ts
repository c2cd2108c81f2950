import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { GraphqlResults } from './graphql.ts';

/** Keeps proxies from closing a silent connection, and finds one whose other end is gone. */
const pingEveryMs = 12_000;

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  // nginx would hold back what it has not filled a buffer with.
  'X-Accel-Buffering': 'no',
};

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
 * result, then `complete`. A result is asked for when the one before has left. `last` is sent after the end.
 */
export async function sendResults(
  response: ServerResponse,
  results: GraphqlResults,
  last: () => string | undefined,
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
      const isTaken = response.write(`event: next\ndata: ${JSON.stringify(result)}\n\n`);
      if (!isTaken) await Promise.race([once(response, 'drain'), gone]);
    }
    const text = last();
    if (text !== undefined) response.write(`event: next\ndata: ${text}\n\n`);
    response.end('event: complete\ndata:\n\n');
  } finally {
    clearInterval(pinging);
  }
}
