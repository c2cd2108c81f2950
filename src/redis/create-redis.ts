import { Redis } from 'ioredis';

const LONGEST_RECONNECT_DELAY_MS = 1_000;

/**
 * A client that never blocks a request: a command that cannot be sent fails at once, one without a reply
 * after two seconds, and reconnection continues in the background. Connects on first use, so Redis may be
 * down at startup. Disconnected by its creator.
 */
export function createRedis(url: string): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // A command whose reply was lost may have been executed; repeating it would count twice.
    autoResendUnfulfilledCommands: false,
    // These block no request. Shorter ones would expire while this process is busy, especially at startup.
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    // Otherwise a connection silently dropped by a firewall or a failover would linger for minutes.
    socketTimeout: 2_000,
    disconnectTimeout: 500,
    retryStrategy: reconnectDelayMs,
    // After a failover the old primary is read-only; reconnecting resolves the name to the new one.
    reconnectOnError: (error) => error.message.includes('READONLY'),
  });
  // Without a listener ioredis prints every failed attempt; failing commands report the error themselves.
  redis.on('error', () => undefined);
  return redis;
}

function reconnectDelayMs(attempt: number): number {
  const longest = Math.min(50 * 2 ** (attempt - 1), LONGEST_RECONNECT_DELAY_MS);
  return longest * (0.5 + Math.random() / 2);
}
