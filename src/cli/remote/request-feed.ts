import { setTimeout as delay } from 'node:timers/promises';
import type { FeedItem } from '../../core/live/request-feed.ts';
import { RemoteError, type ServiceClient } from './service-client.ts';

const shortestDelayMs = 500;
const longestDelayMs = 10_000;

/** Whether another attempt would have the same response, as with a key that was revoked. */
const isFinal = (error: unknown): boolean => {
  const status = error instanceof RemoteError ? error.status : undefined;
  return status !== undefined && status >= 400 && status < 500 && status !== 429;
};

/**
 * Yields what the service shows of a key's requests, until `signal` aborts. Connects again whenever the stream breaks off, but
 * fails if the service refuses or if the first attempt does not reach it.
 */
export async function* followRequests(
  client: ServiceClient,
  signal: AbortSignal,
  onFailure: (error: Error) => void,
): AsyncGenerator<FeedItem, void, undefined> {
  let hasConnected = false;
  let delayMs = shortestDelayMs;
  while (!signal.aborted) {
    try {
      for await (const { event, data } of client.events('v1/requests/stream', signal)) {
        hasConnected = true;
        delayMs = shortestDelayMs;
        if (event === 'error') throw errorOf(data);
        if (['request', 'missed', 'scope'].includes(event))
          yield { event, data: JSON.parse(data) } as FeedItem;
      }
      throw new Error('the connection was closed');
    } catch (error) {
      if (signal.aborted) return;
      if (!hasConnected || isFinal(error)) throw error;
      onFailure(error as Error);
    }
    await delay(delayMs, undefined, { signal }).catch(() => undefined);
    delayMs = Math.min(2 * delayMs, longestDelayMs);
  }
}

function errorOf(data: string): RemoteError {
  const { message, statusCode } = JSON.parse(data) as { message: string; statusCode: number };
  return new RemoteError(message, { status: statusCode });
}
