import { type Config, ConfigError, directUrlOf } from '../config.ts';
import { leadsToPooler } from '../database/connections/database-url.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { PoolUsage } from '../observability/metrics/node.ts';
import { identifyReplica } from '../database/identify-replica.ts';
import { assertNoPooler } from '../database/connections/open-session.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../database/database.ts';
import { fromPrimary, fromReplica, type ReadSource } from '../database/read-source.ts';

/** A node runs for months beside others; a command ends within moments. */
export type Purpose = 'node' | 'command';

export interface Databases {
  db: Database;
  lists: ReadSource;
  reports: ReadSource;
  close(): Promise<void>;
}

interface Dependencies {
  config: Config;
  databaseUrl: string;
  logger: Logger;
  metrics: Pick<Metrics, 'watchPool'>;
  onUnavailable: () => void;
}

const commandConnections = 4;
/** Few connections and short timeouts, so that reports leave PostgreSQL to payments. */
const reportOptions = {
  maximumConnections: 4,
  statementTimeoutMs: 4_000,
  connectionTimeoutMs: 2_000,
  isForReports: true,
};

/** A pooler passes no settings on, and outside of transactions there is no other way to set them. */
async function warnOfNoTimeLimit(db: Database, logger: Logger): Promise<void> {
  const [row] = await db.$queryRaw<{ limit: string }[]>`
    SELECT current_setting('statement_timeout') AS limit`;
  if (row?.limit === '0')
    logger.warn(
      "no time limit for statements behind the pooler: ALTER ROLE … SET statement_timeout = '30s' for the role of DATABASE_URL",
    );
}

/** A replica that is the primary itself is no reason not to start, because a failover may just have promoted it. */
async function checkReplica(primary: Database, replica: Database, logger: Logger): Promise<void> {
  const found = await identifyReplica(primary, replica);
  if (found === 'other')
    throw new ConfigError([
      'DATABASE_REPLICA_URL: leads to a server that is no standby of the one of DATABASE_URL',
    ]);
  if (found === 'primary')
    logger.warn(
      'DATABASE_REPLICA_URL leads to the primary itself, perhaps since a failover: reads go to DATABASE_URL until it leads to a standby',
    );
}

/** Fails when DATABASE_URL leads to a pooler without saying so, or when the replica belongs to another server. */
export async function openDatabases(
  purpose: Purpose,
  { config, databaseUrl, logger, metrics, onUnavailable }: Dependencies,
): Promise<Databases> {
  const isNode = purpose === 'node';
  const isPooled = leadsToPooler(databaseUrl);
  // Otherwise migrations have already looked at the same URL.
  if (directUrlOf(config, databaseUrl) !== databaseUrl && !isPooled) await assertNoPooler(databaseUrl);

  const opened: Database[] = [];
  const open = (url: string, pool: string, options: DatabaseOptions): Database => {
    const watchPool = (usage: () => PoolUsage) => {
      metrics.watchPool(pool, usage);
    };
    const db = openDatabase(url, { watchPool, ...options });
    opened.push(db);
    return db;
  };
  const close = async (): Promise<void> => {
    for (const db of opened) await db.$disconnect();
  };

  const connections = { maximumConnections: isNode ? config.databasePoolSize : commandConnections };
  const db = open(databaseUrl, 'payments', { ...connections, onUnavailable });
  if (!isNode) return { db, lists: fromPrimary(db), reports: fromPrimary(db), close };
  const reportDb = open(databaseUrl, 'reports', reportOptions);
  const replicaUrl = config.databaseReplicaUrl?.reveal();
  const openReplica = (pool: string, options: DatabaseOptions): Database | undefined =>
    replicaUrl === undefined
      ? undefined
      : open(replicaUrl, `replica ${pool}`, { ...options, isReplica: true });
  const sourceOf = (primary: Database, replica: Database | undefined, pool: string): ReadSource => {
    if (!replica) return fromPrimary(primary);
    return fromReplica({
      primary,
      replica,
      onLost: (error) => {
        logger.warn({ error, pool }, 'the replica is lost or behind: reading from the primary');
      },
      onRecovered: () => {
        logger.info({ pool }, 'the replica is back');
      },
    });
  };
  try {
    if (isPooled) await warnOfNoTimeLimit(db, logger);
    const replica = openReplica('lists', connections);
    const reportReplica = openReplica('reports', reportOptions);
    if (reportReplica) await checkReplica(reportDb, reportReplica, logger);
    const lists = sourceOf(db, replica, 'lists');
    return { db, lists, reports: sourceOf(reportDb, reportReplica, 'reports'), close };
  } catch (error) {
    await close();
    throw error;
  }
}
