import type { Client, SubscribePayload } from 'graphql-ws';
import type { ErrorBody } from './service-error.ts';

const longestBackoffMs = 30_000;
/** The protocol does not acknowledge a subscription, and rejections arrive sooner than this. */
const acceptedAfterMs = 2_000;

export const backoff = (retries: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.min(1_000 * 2 ** retries, longestBackoffMs) * (0.5 + Math.random() / 2));
  });

/** Client errors are final, except 429. */
const isFinal = (cause: unknown): boolean =>
  Array.isArray(cause) &&
  (cause as { extensions?: ErrorBody }[]).some(
    ({ extensions: { statusCode = 500 } = {} }) => statusCode < 500 && statusCode !== 429,
  );

interface SubscriptionHandlers<Result> {
  onUpdate: (result: Result) => void;
  /** Updates may have been missed. */
  onGap: () => void;
  /** The connection was closed for good. */
  isOver: () => boolean;
}

/** Subscribes, and resubscribes with exponential backoff when the subscription drops. Returns an unsubscribe function. */
export function keepSubscribed<Result>(
  client: Client,
  payload: SubscribePayload,
  { onUpdate, onGap, isOver }: SubscriptionHandlers<Result>,
): () => void {
  let failures = 0;
  let isStopped = false;
  let acceptedTimer: ReturnType<typeof setTimeout>;
  let unsubscribe: () => void;

  const subscribe = () => {
    let rejection: unknown;
    acceptedTimer = setTimeout(() => {
      if (failures > 0) onGap();
      failures = 0;
    }, acceptedAfterMs);
    unsubscribe = client.subscribe<Result>(payload, {
      next: ({ data, errors }) => {
        if (data) onUpdate(data);
        else rejection = errors;
      },
      error: (cause) => void resubscribe(cause),
      complete: () => void resubscribe(rejection),
    });
  };
  const resubscribe = async (cause: unknown) => {
    clearTimeout(acceptedTimer);
    if (isFinal(cause)) return;
    failures += 1;
    await backoff(failures);
    if (!isStopped && !isOver()) subscribe();
  };

  subscribe();
  return () => {
    isStopped = true;
    clearTimeout(acceptedTimer);
    unsubscribe();
  };
}
