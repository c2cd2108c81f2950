import type { Instruments } from './instruments.ts';

export interface PoolUsage {
  /** Connections at work. */
  busy: number;
  idle: number;
  /** Requests that wait for a connection. */
  waiting: number;
}

export interface ServerState {
  connections: number;
  maximumConnections: number;
  /** When a segment of the write-ahead log was archived last; null where none is. */
  archivedAt: Date | null;
  archivingFailedAt: Date | null;
}

/** The node and what it stands on: PostgreSQL, Redis, clock and log. */
export function createNodeMetrics({ counter, gauge }: Instruments, version: string) {
  gauge('pix_build_info', '1, by the version of the node and that of Node.js.', ['version', 'node']).set(
    { version, node: process.version },
    1,
  );
  const serverConnections = gauge(
    'pix_database_server_connections',
    'Connections of everybody to the PostgreSQL server, used and maximum.',
    ['state'],
  );
  const archived = gauge(
    'pix_wal_archived_timestamp_seconds',
    'When PostgreSQL last archived a segment of its log, as result ok, and when it last failed to.',
    ['result'],
  );
  const redis = gauge('pix_redis_up', '1 while the rate limit is counted in Redis.');
  const clock = gauge(
    'pix_clock_offset_seconds',
    'Seconds that the system clock is ahead of the database clock.',
  );
  let isReady = () => Promise.resolve(false);
  gauge('pix_ready', '1 while the node is ready to serve, as /readyz says.', [], async (ready) => {
    ready.set((await isReady()) ? 1 : 0);
  });
  const pools = new Map<string, () => PoolUsage>();
  gauge(
    'pix_database_connections',
    'Connections to PostgreSQL by pool and state, and requests that are waiting for one.',
    ['pool', 'state'],
    (connections) => {
      for (const [pool, usage] of pools) {
        for (const [state, count] of Object.entries(usage())) connections.set({ pool, state }, count);
      }
    },
  );
  let lostLines = () => 0;
  counter(
    'pix_log_lines_lost_total',
    'Log lines that could not be written: the disk is full, or the pipe is closed.',
    [],
    (lost) => {
      lost.reset();
      lost.inc(lostLines());
    },
  );

  return {
    redisIsUp(isUp: boolean): void {
      redis.set(isUp ? 1 : 0);
    },
    /** System clock minus database clock. */
    clockIsAhead(seconds: number): void {
      clock.set(seconds);
    },
    databaseMeasured({ connections, maximumConnections, archivedAt, archivingFailedAt }: ServerState): void {
      serverConnections.set({ state: 'used' }, connections);
      serverConnections.set({ state: 'maximum' }, maximumConnections);
      archived.reset();
      if (archivedAt) archived.set({ result: 'ok' }, archivedAt.getTime() / 1_000);
      if (archivingFailedAt) archived.set({ result: 'failed' }, archivingFailedAt.getTime() / 1_000);
    },
    /** Read whenever the metrics are. */
    watchReadiness(check: () => Promise<boolean>): void {
      isReady = check;
    },
    /** Read whenever the metrics are. */
    watchPool(pool: string, usage: () => PoolUsage): void {
      pools.set(pool, usage);
    },
    /** Read whenever the metrics are. */
    watchLog(count: () => number): void {
      lostLines = count;
    },
  };
}
