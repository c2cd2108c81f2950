import { Redis } from 'ioredis';

const LONGEST_RECONNECT_DELAY_MS = 1_000;

/**
 * A client that never makes a request wait: a command that cannot be sent now fails at once, one without an answer
 * after two seconds, and reconnection goes on for ever in the background. It connects when first used, so that Redis may
 * be absent at start. Whoever creates it disconnects it.
 */
export function createRedis(url: string): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // A command whose answer was lost may have been run: sent again, it would count twice.
    autoResendUnfulfilledCommands: false,
    // These hold up no request. Shorter ones run out while this process is busy, at its start above all.
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    // A connection that a firewall or a failover dropped without a word would otherwise stay for minutes.
    socketTimeout: 2_000,
    disconnectTimeout: 500,
    retryStrategy: reconnectDelayMs,
    // After a failover the old primary is read-only; connecting again resolves the name to the new one.
    reconnectOnError: (error) => error.message.includes('READONLY'),
  });
  // Without a listener ioredis prints every failed attempt; the commands that fail say it to whoever sent them.
  redis.on('error', () => undefined);
  return redis;
}

function reconnectDelayMs(attempt: number): number {
  const longest = Math.min(50 * 2 ** (attempt - 1), LONGEST_RECONNECT_DELAY_MS);
  return longest * (0.5 + Math.random() / 2);
}
