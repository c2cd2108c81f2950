import type { Logger } from '../observability/logger.ts';

export interface Worker {
  /** One manual round; returns how much there was to do. */
  runOnce(): Promise<number>;
}

export interface RunningWorker {
  /** Resolves when the current round has ended. */
  stop(): Promise<void>;
}

interface Schedule {
  name: string;
  /** Passes after a round that found nothing to do. */
  intervalMs: number;
  /** Passes after a round that did something. */
  busyMs: number;
  logger: Logger;
}

const maximumBackoff = 16;

/** Runs a worker repeatedly: more often while there is work, with backoff while it fails. */
export function startWorker(worker: Worker, { name, intervalMs, busyMs, logger }: Schedule): RunningWorker {
  const stopping = new AbortController();
  let failures = 0;

  async function round(): Promise<number> {
    try {
      const done = await worker.runOnce();
      failures = 0;
      return done > 0 ? busyMs : intervalMs;
    } catch (error) {
      failures += 1;
      logger.error({ worker: name, error }, 'worker failed');
      return intervalMs * Math.min(2 ** failures, maximumBackoff);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const waitMs = await round();
      await sleep(waitMs * (0.9 + Math.random() * 0.2), stopping.signal);
    }
  }

  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener('abort', wake);
  });
