/** Resolves after a while, or sooner when the device is online or the page is looked at again. */
export function pause(ms: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    const end = (): void => {
      clearTimeout(timer);
      ended.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const { signal } = ended;
    addEventListener('online', end, { signal });
    document.addEventListener('visibilitychange', end, { signal });
    stopping.addEventListener('abort', end, { signal });
    if (stopping.aborted) end();
  });
}

/** Resolves once the page can be seen, or nobody wants to know any more. */
export async function untilSeen(stopping: AbortSignal): Promise<void> {
  while (document.hidden && !stopping.aborted) await pause(2 ** 31 - 1, stopping);
}

export interface Attempt {
  signal: AbortSignal;
  /** Extends the patience. */
  onSign: () => void;
}

/**
 * Runs a request that is given up when it is told to stop, when the page is hidden or offline (a half-open
 * connection would keep it waiting), when nothing was heard for too long, and when it has lasted as long as it may.
 */
export async function attempt<Result>(
  stopping: AbortSignal,
  patienceMs: { first: number; later: number; whole?: number },
  run: (attempt: Attempt) => Promise<Result>,
): Promise<Result> {
  const [giveUp, ended] = [new AbortController(), new AbortController()];
  const abort = (): void => giveUp.abort();
  let timer = setTimeout(abort, patienceMs.first);
  const whole = patienceMs.whole === undefined ? undefined : setTimeout(abort, patienceMs.whole);
  const onSign = (): void => {
    clearTimeout(timer);
    timer = setTimeout(abort, patienceMs.later);
  };
  const { signal } = ended;
  addEventListener('offline', abort, { signal });
  document.addEventListener('visibilitychange', () => document.hidden && abort(), { signal });
  stopping.addEventListener('abort', abort, { signal });
  if (stopping.aborted) abort();
  try {
    return await run({ signal: giveUp.signal, onSign });
  } finally {
    clearTimeout(timer);
    clearTimeout(whole);
    ended.abort();
  }
}
