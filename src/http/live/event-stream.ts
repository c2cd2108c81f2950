import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Keeps proxies from closing a silent connection, and finds out about dead peers. */
const pingEveryMs = 12_000;

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  // Keeps nginx from buffering the stream.
  'X-Accel-Buffering': 'no',
};

/** How a stream ends that was not ended by its client; `cut` when the service is stopping, so that clients reconnect. */
export type Ending = 'cut' | { last: string };

/** Closes the connection when the client stops reading. */
function ping(response: ServerResponse): NodeJS.Timeout {
  let wasBehind = false;
  return setInterval(() => {
    if (!response.writableNeedDrain) response.write(':\n\n');
    else if (wasBehind) response.destroy();
    wasBehind = response.writableNeedDrain;
  }, pingEveryMs);
}

/** Sends printed items as server-sent events. Requests an item once the previous one was sent. */
export async function sendEvents<Item>(
  response: ServerResponse,
  items: AsyncGenerator<Item, unknown>,
  print: (item: Item) => string,
  ending: () => Ending,
): Promise<void> {
  if (response.destroyed) {
    await items.return(undefined);
    return;
  }
  const gone = once(response, 'close').then(() => items.return(undefined));
  gone.catch(() => undefined);
  response.writeHead(200, headers);
  response.flushHeaders();
  const pinging = ping(response);
  try {
    for await (const item of items) {
      const isTaken = response.write(print(item));
      if (!isTaken) await Promise.race([once(response, 'drain'), gone]);
    }
    const end = ending();
    // Without the final chunk, the client sees that the body is incomplete.
    if (end === 'cut') response.socket?.destroySoon();
    else response.end(end.last);
  } finally {
    clearInterval(pinging);
  }
}
