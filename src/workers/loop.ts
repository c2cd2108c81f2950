import type { Logger } from '../observability/logger.ts';
import { inNewThread } from '../observability/trace.ts';

export interface RunningWorker {
  /** Resolves when the current round has ended. */
  stop(): Promise<void>;
}

/** Work that is repeated for as long as a node runs. */
export interface Round {
  name: string;
  /** Pause after a round that found nothing to do. */
  everyMs: number;
  /** Pause after a round that did something; none by default. */
  busyMs?: number;
  /** One manual round; returns how much there was to do. */
  runOnce(this: void): Promise<number>;
}

const maximumBackoff = 16;
/** What runs less often anyway is not put off further. */
const longestBackoffMs = 30_000;

/** Runs more often while there is work, and backs off while it fails. */
export function repeat({ name, everyMs, busyMs = 0, runOnce }: Round, logger: Logger): RunningWorker {
  const stopping = new AbortController();
  let failures = 0;

  async function round(): Promise<number> {
    try {
      const done = await runOnce();
      failures = 0;
      return done > 0 ? busyMs : everyMs;
    } catch (error) {
      failures += 1;
      logger.error({ worker: name, error }, 'worker failed');
      const backoffMs = everyMs * Math.min(2 ** failures, maximumBackoff);
      return Math.min(backoffMs, Math.max(everyMs, longestBackoffMs));
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const waitMs = await inNewThread(round);
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
