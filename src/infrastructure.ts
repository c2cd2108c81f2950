import type { Redis } from 'ioredis';
import type { Config } from './config.ts';
import type { CallerChanges } from './domain/caller-changes.ts';
import type { KeyRing } from './domain/security/envelope.ts';
import { createRedis } from './http/redis.ts';
import type { Logger } from './observability/logger.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import { createClockWatch } from './observability/watch-clock.ts';
import { createCallerChanges } from './persistence/caller-changes.ts';
import { type DatabaseClock, startDatabaseClock } from './persistence/database-clock.ts';
import { type Database, openDatabase } from './persistence/database.ts';
import { createPaymentHints, type PaymentHints } from './persistence/payments/payment-hints.ts';
import { createSandboxStore } from './persistence/payments/sandbox-charges.ts';
import { createCatalogue } from './psp/catalogue.ts';
import { createHttpClients } from './psp/http/http-clients.ts';
import { createSandbox } from './psp/sandbox/adapter.ts';
import { createServices, type Overrides, type Services } from './services/create-services.ts';
import { createReports } from './services/reports/reports.ts';
import { createWebhookTransport } from './webhooks/transport.ts';

/** The services and what they stand on, the same for a node and for a command. */
export interface Infrastructure {
  services: Services;
  db: Database;
  redis: Redis | undefined;
  hints: PaymentHints;
  callerChanges: CallerChanges;
  metrics: Metrics;
  clock: Pick<DatabaseClock, 'now' | 'systemAheadMs'>;
  /** How often callers were told that PostgreSQL is away, full or too slow. */
  outages(): number;
  /** Connections close; whoever still works with them fails. */
  close(): Promise<void>;
}

/** A node runs for months beside others; a command ends in a moment. */
type Purpose = 'node' | 'command';

const maximumConnections: Record<Purpose, number> = { node: 20, command: 4 };
/** Few and for a short time: whatever people want to know, payments have the rest of PostgreSQL. */
const reportOptions = {
  maximumConnections: 4,
  statementTimeoutMs: 4_000,
  connectionTimeoutMs: 2_000,
  isForReports: true,
};
const keyCacheMs = 30_000;
/** Alone, a node hears of no change that the command line makes, so it asks more often. */
const lonelyKeyCacheMs = 1_000;

const unheard: Record<Purpose, { callerChanges: string; hints: string }> = {
  node: {
    callerChanges: 'changes of keys and people do not travel: Redis is lost',
    hints: 'hints of payments do not travel: changes are found by looking',
  },
  command: {
    callerChanges: 'Redis is lost: running nodes learn of this within 30 seconds',
    hints: 'running nodes find out about changed payments by looking',
  },
};

/** Fails when the database is away or holds secrets of other keys. */
export async function openInfrastructure(
  purpose: Purpose,
  {
    config,
    databaseUrl,
    keyRing,
    logger,
  }: { config: Config; databaseUrl: string; keyRing: KeyRing; logger: Logger },
  overrides: Overrides = {},
): Promise<Infrastructure> {
  const isNode = purpose === 'node';
  const metrics = createMetrics();
  const closers: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const each of closers.splice(0).reverse()) await each();
  };

  let outages = 0;
  const db = openDatabase(databaseUrl, {
    maximumConnections: maximumConnections[purpose],
    onUnavailable: () => {
      outages += 1;
    },
  });
  closers.push(() => db.$disconnect());
  const reportDb = isNode ? openDatabase(databaseUrl, reportOptions) : db;
  if (isNode) closers.push(() => reportDb.$disconnect());

  try {
    const watchClock = createClockWatch(logger, metrics);
    const { now: givenNow } = overrides;
    const databaseClock = givenNow
      ? undefined
      : await startDatabaseClock(db, ({ systemAheadMs }) => {
          if (isNode) watchClock(systemAheadMs());
        });
    closers.push(() => databaseClock?.stop());
    const clock = databaseClock ?? { now: givenNow ?? (() => new Date()), systemAheadMs: () => 0 };
    const { now } = clock;

    const openRedis = () => (config.redisUrl ? createRedis(config.redisUrl.reveal()) : undefined);
    const redis = openRedis();
    const subscriber = isNode ? openRedis() : undefined;
    closers.push(() => redis?.disconnect());
    closers.push(() => subscriber?.disconnect());
    // A command has one thing to say; a node connects with its first request.
    if (!isNode) await redis?.connect().catch(() => undefined);
    const callerChanges = createCallerChanges({
      publisher: redis,
      subscriber,
      onUnheard: (error) => {
        logger.warn({ error }, unheard[purpose].callerChanges);
      },
    });
    const hints = createPaymentHints({
      db,
      databaseUrl,
      onUnheard: (error) => {
        logger.warn({ error }, unheard[purpose].hints);
      },
    });
    closers.push(() => hints.stop());
    const httpClients = createHttpClients({ allowedHosts: config.pspAllowedHosts });
    closers.push(() => httpClients.close());
    const webhookTransport = createWebhookTransport({ allowedHosts: config.webhookAllowedHosts, now });
    closers.push(() => webhookTransport.close());

    const services = createServices(
      db,
      {
        reports: createReports(reportDb),
        hints,
        callerChanges,
        keyCacheMs: isNode ? (redis ? keyCacheMs : lonelyKeyCacheMs) : 0,
        keyRing,
        publicUrl: config.publicUrl,
        catalogue: createCatalogue({ http: httpClients.open, now, logger, metrics }),
        sandbox: createSandbox({ store: createSandboxStore(db), now }),
        webhookTransport,
        logger,
        metrics,
        now,
      },
      overrides,
    );
    // Before anything is served: a wrong key would be found out later, one secret at a time.
    await services.encryption.check();
    return { services, db, redis, hints, callerChanges, metrics, clock, outages: () => outages, close };
  } catch (error) {
    await close();
    throw error;
  }
}
