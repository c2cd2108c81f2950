import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Pix, type StreamedRequest } from '@pix-service/sdk';

const shortestDelayMs = 500;
const longestDelayMs = 10_000;

/** Whether another attempt would have the same response, as with a key that was revoked. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

/**
 * Yields what the service shows of a key's requests, until `signal` aborts. Connects again whenever the stream breaks off, but
 * fails if the service refuses or if the first attempt does not reach it.
 */
export async function* followRequests(
  pix: Pix,
  signal: AbortSignal,
  onFailure: (error: Error) => void,
): AsyncGenerator<StreamedRequest, void, undefined> {
  let hasConnected = false;
  let delayMs = shortestDelayMs;
  while (!signal.aborted) {
    try {
      for await (const item of pix.requests.stream({ signal })) {
        hasConnected = true;
        delayMs = shortestDelayMs;
        if (['request', 'missed', 'scope'].includes(item.event)) yield item;
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
