import type { Client, SubscribePayload } from 'graphql-ws';
import type { Failure } from './service-error.ts';

const longestWaitMs = 30_000;
/** A refusal comes sooner; the protocol has no word for what is accepted. */
const acceptedAfterMs = 2_000;

export const waitBeforeRetry = (retries: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.min(1_000 * 2 ** retries, longestWaitMs) * (0.5 + Math.random() / 2));
  });

/** What the service refuses it refuses again, unless it is for too many requests. */
const isRefusal = (cause: unknown): boolean =>
  Array.isArray(cause) &&
  (cause as { extensions?: Failure }[]).some(
    ({ extensions: { statusCode = 500 } = {} }) => statusCode < 500 && statusCode !== 429,
  );

interface Watching<Result> {
  onUpdate: (result: Result) => void;
  /** Updates may have been missed. */
  onGap: () => void;
  /** Whether nothing comes over this connection any more. */
  isOver: () => boolean;
}

/** Subscribes, and again after growing waits when that ends by chance. Answers how to stop. */
export function keepSubscribed<Result>(
  client: Client,
  payload: SubscribePayload,
  { onUpdate, onGap, isOver }: Watching<Result>,
): () => void {
  let failures = 0;
  let isStopped = false;
  let accepting: ReturnType<typeof setTimeout>;
  let unsubscribe: () => void;

  const begin = () => {
    let refused: unknown;
    accepting = setTimeout(() => {
      if (failures > 0) onGap();
      failures = 0;
    }, acceptedAfterMs);
    unsubscribe = client.subscribe<Result>(payload, {
      next: ({ data, errors }) => {
        if (data) onUpdate(data);
        else refused = errors;
      },
      error: (cause) => void beginAgain(cause),
      complete: () => void beginAgain(refused),
    });
  };
  const beginAgain = async (cause: unknown) => {
    clearTimeout(accepting);
    if (isRefusal(cause)) return;
    failures += 1;
    await waitBeforeRetry(failures);
    if (!isStopped && !isOver()) begin();
  };

  begin();
  return () => {
    isStopped = true;
    clearTimeout(accepting);
    unsubscribe();
  };
}
