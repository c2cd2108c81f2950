import type { Redis } from 'ioredis';
import { type Config, directUrlOf } from '../config.ts';
import type { CallerChanges } from '../core/base/caller-changes.ts';
import { createCallLedger } from '../core/health/rules/call-ledger.ts';
import type { KeyRing } from '../core/encryption/rules/envelope.ts';
import { createRedis, createSubscriber } from '../redis/create-redis.ts';
import { openRequestCounts } from '../redis/open-request-counts.ts';
import { createRequestArchive } from '../redis/request-archive.ts';
import { createRequestRelay } from '../redis/request-relay.ts';
import { openDatabases, type Purpose } from './open-databases.ts';
import type { Logger } from '../observability/logger.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { openTracing } from '../observability/open-tracing.ts';
import type { Tracing } from '../observability/tracing.ts';
import { createClockWatch } from '../observability/watch-clock.ts';
import { createCallerChanges } from '../database/caller-changes.ts';
import { type DatabaseClock, startDatabaseClock } from '../database/database-clock.ts';
import type { Database } from '../database/database.ts';
import { createTestClocks } from '../core/clock/test-clocks.ts';
import { createPaymentHints, type PaymentHints } from '../core/events/payment-hints.ts';
import { createSandboxChargeStore } from '../core/sandbox/store/sandbox-charges.ts';
import { createSandboxRecurrenceStore } from '../core/sandbox/store/sandbox-recurrences.ts';
import { recordPause } from '../core/providers/store/credential-traffic.ts';
import { createKnownCustomers } from '../core/providers/store/known-customers.ts';
import { createCatalogue } from '../psp/catalogue.ts';
import { createHttpClients } from '../psp/http/http-clients.ts';
import { createSandbox } from '../psp/sandbox/adapter.ts';
import { createServices, type Overrides, type Services } from '../core/create-services.ts';
import { createMailer } from '../mail/create-mailer.ts';
import { isKeptRequest } from '../core/live/kept-requests.ts';
import { isServedRequest, type ServedRequest } from '../core/live/served-request.ts';
import { createReports } from '../database/reports.ts';
import { createWebhookTransport } from '../webhook-client/transport.ts';

/** The services and what they stand on, for nodes and commands alike. */
export interface Infrastructure {
  services: Services;
  db: Database;
  redis: Redis | undefined;
  hints: PaymentHints;
  callerChanges: CallerChanges;
  metrics: Metrics;
  tracing: Tracing;
  clock: Pick<DatabaseClock, 'now' | 'systemAheadMs'>;
  /** How often callers got an error because PostgreSQL was unavailable. */
  outageCount(): number;
  /** Closes the connections; work still using them fails. */
  close(): Promise<void>;
}

const keyCacheMs = 30_000;
/** Without Redis, a node is not told of changes made on the command line, so it checks more often. */
const keyCacheWithoutRedisMs = 1_000;

const unreachableMessages: Record<Purpose, { callerChanges: string; hints: string }> = {
  node: {
    callerChanges: 'Redis unavailable: key and member changes are not reaching other nodes',
    hints: 'payment hints are not reaching other nodes: changes are found by polling',
  },
  command: {
    callerChanges: 'Redis unavailable: running nodes will pick this change up within 30 seconds',
    hints: 'running nodes will find changed payments by polling',
  },
};

/** Fails when the database is unavailable, or its secrets are sealed with other keys. */
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

  const tracing = await openTracing(isNode ? config.tracing : undefined, logger);
  closers.push(() => tracing.stop());

  let outageCount = 0;
  const onUnavailable = () => {
    outageCount += 1;
  };
  const databases = await openDatabases(purpose, { config, databaseUrl, logger, metrics, onUnavailable });
  const { db } = databases;
  closers.push(() => databases.close());

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

    const redisUrl = config.redisUrl?.reveal();
    const redis = redisUrl === undefined ? undefined : createRedis(redisUrl);
    const subscriber = isNode && redisUrl !== undefined ? createSubscriber(redisUrl) : undefined;
    closers.push(() => redis?.disconnect());
    closers.push(() => subscriber?.disconnect());
    // A command has one change to publish and must be connected for that; a node connects on its first request.
    if (!isNode) await redis?.connect().catch(() => undefined);
    const callerChanges = createCallerChanges({
      publisher: redis,
      subscriber,
      onUnreachable: (error) => {
        logger.warn({ error }, unreachableMessages[purpose].callerChanges);
      },
    });
    const requestRelay = createRequestRelay<ServedRequest>({
      publisher: isNode ? redis : undefined,
      subscriber,
      isItem: isServedRequest,
    });
    const requestArchive = createRequestArchive({ redis: isNode ? redis : undefined, isItem: isKeptRequest });
    closers.push(() => {
      requestRelay.stop();
    });
    const hints = createPaymentHints({
      db,
      directUrl: directUrlOf(config, databaseUrl),
      onUnreachable: (error) => {
        logger.warn({ error }, unreachableMessages[purpose].hints);
      },
      onDeaf: () => {
        logger.warn(
          'this node does not hear its own notifications, so it looks for changes twice a second: DIRECT_DATABASE_URL must lead to the same database, and to no pooler',
        );
      },
      onHearing: () => {
        logger.info('this node hears its notifications again');
      },
    });
    closers.push(() => hints.stop());
    const counts = openRequestCounts({ redis: isNode ? redis : undefined, now, logger });
    closers.push(() => {
      counts.stop();
    });
    const httpClients = createHttpClients({ allowedHosts: config.pspAllowedHosts });
    closers.push(() => httpClients.close());
    const webhookTransport = createWebhookTransport({ allowedHosts: config.webhookAllowedHosts, now });
    closers.push(() => webhookTransport.close());

    const mailer =
      config.mail && (await createMailer({ url: config.mail.url.reveal(), from: config.mail.from }));
    closers.push(() => mailer?.close());
    const callLedger = createCallLedger(now);
    const testClocks = createTestClocks({ db, callerChanges, now, logger });
    const services = createServices(
      {
        db,
        lists: databases.lists,
        reports: createReports(databases.reports),
        callerChanges,
        keyRing,
        publicUrl: config.publicUrl,
        logger,
        metrics,
        tracing,
        now,
        testClocks,
      },
      {
        hints,
        requestRelay,
        requestArchive,
        keyCacheMs: isNode ? (redis ? keyCacheMs : keyCacheWithoutRedisMs) : 0,
        rateLimits: config.rateLimits,
        retention: config.retention,
        catalogue: createCatalogue({
          http: httpClients.open,
          now,
          counts,
          customersOf: createKnownCustomers({
            db,
            keyRing,
            now,
            onFailure: (error) => {
              logger.warn({ error }, 'customers of a provider could not be looked up or kept');
            },
          }),
          onPause: (credentialId, until) => {
            recordPause(db, credentialId, until).catch((error: unknown) => {
              logger.warn({ error, credentialId }, 'the pause of polling is not reaching other nodes');
            });
          },
          logger,
          metrics,
          tracing,
          calls: callLedger,
        }),
        callLedger,
        mailer,
        sandbox: createSandbox({
          store: { ...createSandboxChargeStore(db), ...createSandboxRecurrenceStore(db) },
          now,
        }),
        webhookTransport,
      },
      overrides,
    );
    closers.push(() => services.callRecorder.flush());
    // Nothing is served before this check. Otherwise a wrong key would show up later, one secret at a time, and event numbers
    // could be used twice.
    await services.encryption.check();
    await services.checkoutKeys.open();
    if (isNode) await services.databaseCopies.notice();
    if (isNode) await testClocks.load();
    return {
      services,
      db,
      redis,
      hints,
      callerChanges,
      metrics,
      tracing,
      clock,
      outageCount: () => outageCount,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
