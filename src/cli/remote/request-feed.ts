import { setTimeout as delay } from 'node:timers/promises';
import type { FeedItem } from '../../core/live/request-feed.ts';
import { RemoteError, type ServiceClient } from './service-client.ts';

const shortestDelayMs = 500;
const longestDelayMs = 10_000;

/** A key that was revoked, for one: another attempt has the same answer. */
const isFinal = (error: unknown): boolean => {
  const status = error instanceof RemoteError ? error.status : undefined;
  return status !== undefined && status >= 400 && status < 500 && status !== 429;
};

/**
 * What the service shows of a key's requests, until the signal; connects again whenever it breaks off.
 * Fails when the service refuses, or when the first attempt finds none.
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
