import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { parseRedisUrl, type RedisAddress } from './redis-url.ts';

const LONGEST_RECONNECT_DELAY_MS = 1_000;
const SLOTS_REFRESH_INTERVAL_MS = 1_000;

function reconnectDelayMs(attempt: number): number {
  const longest = Math.min(50 * 2 ** (attempt - 1), LONGEST_RECONNECT_DELAY_MS);
  return longest * (0.5 + Math.random() / 2);
}

const options = {
  lazyConnect: true,
  enableOfflineQueue: false,
  // What is sent in one turn of the event loop goes together.
  enableAutoPipelining: true,
  maxRetriesPerRequest: 0,
  // A command whose reply was lost may have been executed; repeating it would count twice.
  autoResendUnfulfilledCommands: false,
  // Whoever subscribes does so at each `ready`. ioredis would do it as well and leave a failure to nobody, which ends the process.
  autoResubscribe: false,
  // These block no request. Shorter ones would expire while this process is busy, especially at startup.
  connectTimeout: 2_000,
  commandTimeout: 2_000,
  // Otherwise a connection silently dropped by a firewall or a failover would linger for minutes.
  socketTimeout: 2_000,
  disconnectTimeout: 500,
  retryStrategy: reconnectDelayMs,
  // After a failover the old primary is read-only; reconnecting finds the new one.
  reconnectOnError: (error) => error.message.includes('READONLY'),
} satisfies RedisOptions;

const accountOf = ({ username, password, isTls }: RedisAddress): RedisOptions => ({
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
  ...(isTls && { tls: {} }),
});

/** Follows the master that the sentinels name. */
function openSentinel(address: RedisAddress): Redis {
  const { sentinelUsername, sentinelPassword, isTls } = address;
  return new Redis({
    ...options,
    ...accountOf(address),
    sentinels: [...address.hosts],
    name: address.masterName,
    db: address.database,
    ...(sentinelUsername !== undefined && { sentinelUsername }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    enableTLSForSentinelMode: isTls,
    sentinelRetryStrategy: reconnectDelayMs,
    // Leaves a master that was replaced, even one that still responds.
    failoverDetector: true,
  });
}

function openCluster(address: RedisAddress): Cluster {
  const {
    retryStrategy: _,
    enableOfflineQueue,
    enableAutoPipelining,
    lazyConnect,
    ...redisOptions
  } = options;
  return new Cluster([...address.hosts], {
    redisOptions: { ...redisOptions, ...accountOf(address) },
    lazyConnect,
    enableOfflineQueue,
    enableAutoPipelining,
    clusterRetryStrategy: reconnectDelayMs,
    clusterNodeRetryStrategy: reconnectDelayMs,
    slotsRefreshInterval: SLOTS_REFRESH_INTERVAL_MS,
    // Whatever was sent is not sent again.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    // A certificate is issued for the name of a node, which must therefore not be resolved here.
    ...(address.isTls && {
      dnsLookup: (name, callback) => {
        callback(null, name);
      },
    }),
  });
}

/** Any node of a cluster hears what is published at any other. */
function openNode(address: RedisAddress): Redis {
  let next = 0;
  const place = () => address.hosts[next++ % address.hosts.length] ?? {};
  const redis: Redis = new Redis({
    ...options,
    ...accountOf(address),
    ...place(),
    retryStrategy: (attempt) => {
      Object.assign(redis.options, place());
      return reconnectDelayMs(attempt);
    },
  });
  return redis;
}

function opened<Client extends Redis | Cluster>(client: Client): Redis {
  // Without a listener ioredis prints every failed attempt; failing commands report the error themselves.
  client.on('error', () => undefined);
  // A cluster has every member of Redis that is used here.
  return client as unknown as Redis;
}

/**
 * A client that never blocks a request: a command that cannot be sent fails at once, one without a reply
 * after two seconds, and reconnection continues in the background. Connects on first use, so Redis may be
 * down at startup. Disconnected by its creator.
 */
export function createRedis(url: string): Redis {
  const address = parseRedisUrl(url);
  if (address?.kind === 'sentinel') return opened(openSentinel(address));
  if (address?.kind === 'cluster') return opened(openCluster(address));
  return opened(new Redis(url, options));
}

/** A connection to subscribe with: `ready` each time that messages may have been missed. */
export function createSubscriber(url: string): Redis {
  const address = parseRedisUrl(url);
  return address?.kind === 'cluster' ? opened(openNode(address)) : createRedis(url);
}
