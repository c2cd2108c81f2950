import { once } from 'node:events';
import type { Redis } from 'ioredis';

const ANSWER_LIMIT_MS = 100;
const PREPARE_LIMIT_MS = 1_000;
const PASSES = 4;
const SHORTEST_PROBE_DELAY_MS = 500;

export interface RedisGuardOptions {
  redis: Redis;
  onLost?: ((error: Error) => void) | undefined;
  onRecovered?: (() => void) | undefined;
}

/** Checks that Redis must pass at startup and before it is used again after a loss. */
interface RedisTrial {
  /** May take several round trips. */
  prepare(): Promise<unknown>;
  /** A command as fast as those of `attempt`, with the same rights. After a loss it reaches the place that failed. */
  use(lostAt: string | undefined): Promise<unknown>;
}

export interface RedisGuard {
  start(trial: RedisTrial): void;
  /**
   * Never fails because of Redis: uses `fallback` while it is lost, or when `work` fails or takes more than 100 ms. `at` says
   * which of several servers the work needs.
   */
  attempt<T>(work: () => Promise<T>, fallback: () => T, at?: string): Promise<T>;
  stop(): void;
}

/** Redis counts as lost from its first failure until a background probe succeeds. */
export function guardRedis({ redis, onLost, onRecovered }: RedisGuardOptions): RedisGuard {
  let state: 'opening' | 'usable' | 'lost' | 'stopped' = 'opening';
  let trial: RedisTrial;
  let opened: Promise<unknown> = Promise.resolve();
  let probeTimer: NodeJS.Timeout | undefined;
  let connectionError: Error | undefined;
  let lostAt: string | undefined;

  // Commands fail with "Stream isn't writeable"; the cause (refused, unknown host, wrong password) appears
  // only here.
  const rememberError = (error: Error): void => void (connectionError = error);
  const forgetError = (): void => void (connectionError = undefined);

  async function passTrial(): Promise<void> {
    await within(PREPARE_LIMIT_MS, trial.prepare());
    await within(ANSWER_LIMIT_MS, trial.use(lostAt));
  }

  async function onceOpened<T>(work: () => Promise<T>): Promise<T> {
    await opened;
    // Lost meanwhile, so the request was counted in memory; counting it here as well would count it twice.
    if (state !== 'usable') throw new Error('Redis was lost before it was used');
    return work();
  }

  function lose(error: Error, at?: string): void {
    if (state === 'lost' || state === 'stopped') return;
    state = 'lost';
    lostAt = at;
    probeLater();
    onLost?.(connectionError ?? error);
  }

  function probeLater(): void {
    if (state === 'stopped') return;
    probeTimer = setTimeout(
      () => passTrial().then(recover, probeLater),
      SHORTEST_PROBE_DELAY_MS * (1 + Math.random()),
    ).unref();
  }

  function recover(): void {
    if (state !== 'lost') return;
    state = 'usable';
    onRecovered?.();
  }

  return {
    start(trialOfRedis) {
      trial = trialOfRedis;
      redis.on('error', rememberError).on('ready', forgetError);
      opened = connected(redis).then(passTrial);
      opened.then(
        () => {
          if (state === 'opening') state = 'usable';
        },
        (error: Error) => {
          lose(error);
        },
      );
    },

    attempt(work, fallback, at) {
      if (state === 'lost' || state === 'stopped') return Promise.resolve(fallback());
      const reply = state === 'opening' ? onceOpened(work) : work();
      return within(ANSWER_LIMIT_MS, reply).catch((error: Error) => {
        lose(error, at);
        return fallback();
      });
    },

    stop() {
      state = 'stopped';
      clearTimeout(probeTimer);
      redis.off('error', rememberError).off('ready', forgetError);
    },
  };
}

async function connected(redis: Redis): Promise<void> {
  if (redis.status === 'wait') await redis.connect();
  else if (redis.status !== 'ready') await once(redis, 'ready');
}

/**
 * Fails when Redis takes longer. Measures time in turns of the event loop: while this process is busy the response may already be in the
 * socket, and Redis must not be blamed for that.
 */
function within<T>(limitMs: number, reply: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let passesLeft = PASSES;
    let timer = setTimeout(pass, limitMs / PASSES);

    function pass(): void {
      passesLeft -= 1;
      if (passesLeft > 0) timer = setTimeout(pass, limitMs / PASSES);
      else reject(new Error(`Redis did not respond within ${limitMs} ms`));
    }

    reply.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: Error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
