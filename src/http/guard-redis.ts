import { once } from 'node:events';
import type { Redis } from 'ioredis';

const ANSWER_LIMIT_MS = 100;
const SECOND_LOOK_MS = 15;
const PREPARE_LIMIT_MS = 1_000;
const SHORTEST_PROBE_DELAY_MS = 500;

export interface RedisGuardOptions {
  redis: Redis;
  onLost?: ((error: Error) => void) | undefined;
  onRecovered?: (() => void) | undefined;
}

/** What Redis must pass at the start, and again before it is used after a loss. */
export interface RedisTrial {
  /** May take several round trips. */
  prepare(): Promise<unknown>;
  /** A command like those of `attempt`, as fast and with the same rights. */
  use(): Promise<unknown>;
}

export interface RedisGuard {
  start(trial: RedisTrial): void;
  /** Never fails because of Redis: `fallback` answers when it is lost, fails, or takes longer than 100 ms. */
  attempt<T>(work: () => Promise<T>, fallback: () => T): Promise<T>;
  stop(): void;
}

/** Redis is lost with its first failure, and used again once a probe in the background succeeds. */
export function guardRedis({ redis, onLost, onRecovered }: RedisGuardOptions): RedisGuard {
  let state: 'opening' | 'usable' | 'lost' | 'stopped' = 'opening';
  let trial: RedisTrial;
  let opened: Promise<unknown> = Promise.resolve();
  let probeTimer: NodeJS.Timeout | undefined;
  let connectionError: Error | undefined;

  // A command fails with "Stream isn't writeable"; why (refused, unknown host, wrong password) is told only here.
  const rememberError = (error: Error): void => void (connectionError = error);
  const forgetError = (): void => void (connectionError = undefined);

  async function pass(): Promise<void> {
    await within(PREPARE_LIMIT_MS, trial.prepare());
    await within(ANSWER_LIMIT_MS, trial.use());
  }

  async function onceOpened<T>(work: () => Promise<T>): Promise<T> {
    await opened;
    // Lost meanwhile: counted elsewhere, and by now it would count twice.
    if (state !== 'usable') throw new Error('Redis was lost before it was used');
    return work();
  }

  function lose(error: Error): void {
    if (state === 'lost' || state === 'stopped') return;
    state = 'lost';
    probeLater();
    onLost?.(connectionError ?? error);
  }

  function probeLater(): void {
    if (state === 'stopped') return;
    probeTimer = setTimeout(
      () => pass().then(recover, probeLater),
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
      opened = connected(redis).then(pass);
      opened.then(() => {
        if (state === 'opening') state = 'usable';
      }, lose);
    },

    attempt(work, fallback) {
      if (state === 'lost' || state === 'stopped') return Promise.resolve(fallback());
      const answer = state === 'opening' ? onceOpened(work) : work();
      return within(ANSWER_LIMIT_MS, answer).catch((error: Error) => {
        lose(error);
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
 * When this process was the slow one, its timers are late and the answer lies unread in the socket: so a late answer is
 * looked for twice more, and Redis is never blamed for a busy event loop.
 */
function within<T>(limitMs: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new Error(`Redis has not answered in ${limitMs} ms`));
    const lookAgain = (): void => void (timer = setTimeout(() => setImmediate(giveUp), SECOND_LOOK_MS));
    let timer = setTimeout(lookAgain, limitMs - SECOND_LOOK_MS);
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
