import type { Config } from './config.ts';
import type { KeyRing } from './domain/envelope.ts';
import type { WebhookTransport } from './domain/webhook.ts';
import { createGraphqlEndpoint } from './graphql/endpoint.ts';
import { createAuthenticator } from './http/authenticate.ts';
import { createGraphqlWebSocket } from './http/graphql-web-socket.ts';
import { type Listener, listen } from './http/listen.ts';
import { countBy, rateLimitWindowMs } from './http/rate-limit.ts';
import { createRateLimitStore, type RateLimitStore } from './http/rate-limit-store.ts';
import { createRedis } from './http/redis.ts';
import { createHttpApp, createMetricsApp } from './http/server.ts';
import type { Logger } from './observability/logger.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import { type Database, openDatabase } from './persistence/database.ts';
import { gather } from './persistence/gather.ts';
import { createKeyChanges } from './persistence/key-changes.ts';
import { createPaymentHints, type PaymentHints } from './persistence/payment-hints.ts';
import {
  changeSandboxCharge,
  findSandboxCharge,
  hasSandboxRefund,
  insertSandboxCharges,
  insertSandboxPix,
  insertSandboxRefund,
} from './persistence/sandbox-charges.ts';
import { createCatalogue } from './psp/catalogue.ts';
import { createHttpClients, type OpenHttpClient } from './psp/http-client.ts';
import { createSandbox, type Sandbox } from './psp/sandbox/adapter.ts';
import type { SandboxStore } from './psp/sandbox/store.ts';
import { type ApiKeyService, createApiKeyService, type KeyChanges } from './services/api-keys.ts';
import { createAuditService, type AuditService } from './services/audit.ts';
import { createCharging } from './services/charging.ts';
import { createPaymentCreation } from './services/payment-creation.ts';
import { type CredentialService, createCredentialService } from './services/credentials.ts';
import { createEventService, type EventService } from './services/events.ts';
import { createIdempotency, type Idempotency } from './services/idempotency.ts';
import { createInvestigationService, type InvestigationService } from './services/investigation.ts';
import { createLivePayments, type LivePayments } from './services/live-payments.ts';
import { createLiveSessions, type LiveSessions } from './services/live-sessions.ts';
import { createMemberService, type MemberService } from './services/members.ts';
import { createNotificationService, type NotificationService } from './services/notifications.ts';
import { createOrganizationService, type OrganizationService } from './services/organizations.ts';
import { createPaymentTokenService, type PaymentTokenService } from './services/payment-tokens.ts';
import { createPaymentService, type PaymentService } from './services/payments.ts';
import { createLivePsps, type Psps } from './services/psps.ts';
import { createReconciliation, type Reconciliation } from './services/reconciliation.ts';
import { createRefundService, type RefundService } from './services/refunds.ts';
import { createRoutingService } from './services/routing.ts';
import { createRuleSetService, type RuleSetService } from './services/rule-sets.ts';
import { createSandboxService, type SandboxService } from './services/sandbox.ts';
import { createSettlement } from './services/settlement.ts';
import { createSecondFactorService, type SecondFactorService } from './services/second-factors.ts';
import { createSignIn } from './services/sign-in.ts';
import { createStatisticsService, type StatisticsService } from './services/statistics.ts';
import { createWebhookDeliveryService, type WebhookDeliveryService } from './services/webhook-deliveries.ts';
import { createWebhookEndpointService, type WebhookEndpointService } from './services/webhook-endpoints.ts';
import { createWebhookTransport } from './webhooks/transport.ts';
import { startDelivering } from './workers/deliver-webhooks.ts';
import { forgetIdempotencyKeys } from './workers/forget-idempotency-keys.ts';
import { type RunningWorker, startWorker, type Worker } from './workers/loop.ts';
import { reconcilers } from './workers/reconcile.ts';

/** What tests put in place of the real thing. */
export interface Overrides {
  now?: () => Date;
  idempotencyLeaseMs?: number;
}

export interface Services {
  organizations: OrganizationService;
  members: MemberService;
  secondFactors: SecondFactorService;
  audit: AuditService;
  apiKeys: ApiKeyService;
  credentials: CredentialService;
  ruleSets: RuleSetService;
  payments: PaymentService;
  paymentTokens: PaymentTokenService;
  livePayments: LivePayments;
  liveSessions: LiveSessions;
  refunds: RefundService;
  sandbox: SandboxService;
  investigation: InvestigationService;
  statistics: StatisticsService;
  notifications: NotificationService;
  events: EventService;
  webhookEndpoints: WebhookEndpointService;
  webhookDeliveries: WebhookDeliveryService;
  reconciliation: Reconciliation;
  idempotency: Idempotency;
}

/** What the services work with, besides the database. */
export interface Tools {
  hints: PaymentHints;
  keyChanges: KeyChanges;
  keyCacheMs: number;
  keyRing: KeyRing;
  publicUrl: string;
  pspHttp: OpenHttpClient;
  webhookTransport: WebhookTransport;
  logger: Logger;
  metrics: Metrics;
}

const maximumConnections = 20;
const keyCacheMs = 30_000;
/** Alone, a node hears of no change that the command line makes, so it asks more often. */
const lonelyKeyCacheMs = 1_000;
/** Longer than a create may take, so that nobody is taken over who is alive. */
const idempotencyLeaseMs = 20_000;
const stopGraceMs = 15_000;

function sandboxStore(db: Database): SandboxStore {
  const insert = gather(async (charges: readonly Parameters<SandboxStore['insert']>[0][]) => {
    await insertSandboxCharges(db, charges);
    return charges;
  });
  return {
    insert: async (charge) => void (await insert(charge)),
    find: (transactionId) => findSandboxCharge(db, transactionId),
    change: (transactionId, change) => changeSandboxCharge(db, transactionId, change),
    pay: (pix) => insertSandboxPix(db, pix),
    refund: (refund) => insertSandboxRefund(db, refund),
    hasRefund: (refundId) => hasSandboxRefund(db, refundId),
  };
}

/** The services, for the server and the command line alike. */
export function createServices(db: Database, tools: Tools, overrides: Overrides = {}): Services {
  const { hints, keyChanges, keyCacheMs, keyRing, publicUrl, pspHttp } = tools;
  const { webhookTransport, logger, metrics } = tools;
  const now = overrides.now ?? (() => new Date());
  const audit = createAuditService({ db, now });
  const catalogue = createCatalogue({ http: pspHttp, now, logger, metrics });
  const credentials = createCredentialService({ db, audit, now, keyRing, publicUrl, catalogue });
  const sandbox: Sandbox = createSandbox({ store: sandboxStore(db), now });
  const psps: Psps = {
    test: ({ provider }) =>
      Promise.resolve({ adapter: catalogue.standIn(sandbox.adapter, provider), notificationUrl: null }),
    live: createLivePsps(credentials, catalogue),
  };
  const idempotency = createIdempotency({ db, leaseMs: overrides.idempotencyLeaseMs ?? idempotencyLeaseMs });
  const events = createEventService({ db, hints, now });
  const settlement = createSettlement({ db, events, psps, now, logger, metrics });
  const routing = createRoutingService({ db });
  const charging = createCharging({ db, psps, now, logger });
  const creation = createPaymentCreation({ db, audit, routing });
  const refunds = createRefundService({ db, audit, events, psps, idempotency, now, logger });
  const notifications = createNotificationService({
    db,
    credentials,
    catalogue,
    psps,
    settlement,
    now,
    logger,
    metrics,
  });
  const apiKeys = createApiKeyService({ db, audit, now, changes: keyChanges, cacheMs: keyCacheMs });
  const payments = createPaymentService({
    db,
    audit,
    creation,
    charging,
    settlement,
    idempotency,
    hints,
    now,
  });
  return {
    organizations: createOrganizationService({ db, now }),
    members: createMemberService({ db, now, audit }),
    secondFactors: createSecondFactorService({ db, keyRing }),
    audit,
    apiKeys,
    credentials,
    ruleSets: createRuleSetService({ db, audit, now }),
    payments,
    paymentTokens: createPaymentTokenService({ keyRing, payments, now }),
    livePayments: createLivePayments({ db, payments, hints, now, logger }),
    liveSessions: createLiveSessions({ apiKeys, changes: keyChanges, now, logger }),
    refunds,
    sandbox: createSandboxService({ db, audit, sandbox, notifications, settlement }),
    investigation: createInvestigationService({ db }),
    statistics: createStatisticsService({ db }),
    notifications,
    events,
    webhookEndpoints: createWebhookEndpointService({ db, audit, now, keyRing, transport: webhookTransport }),
    webhookDeliveries: createWebhookDeliveryService({
      db,
      audit,
      keyRing,
      transport: webhookTransport,
      now,
      logger,
      metrics,
    }),
    reconciliation: createReconciliation({ db, settlement, refunds, notifications, now, logger }),
    idempotency,
  };
}

export interface App {
  services: Services;
  /** The port that is listened on, which the system chose for port 0. */
  start(): Promise<{ port: number }>;
  /** Requests in flight finish, workers drain, connections close. */
  stop(): Promise<void>;
}

export async function createApp(
  config: Config,
  databaseUrl: string,
  keyRing: KeyRing,
  logger: Logger & { flush(): void },
  overrides: Overrides = {},
): Promise<App> {
  const now = overrides.now ?? (() => new Date());
  const metrics = createMetrics();
  const db = openDatabase(databaseUrl, maximumConnections);
  const redis = config.redisUrl && createRedis(config.redisUrl.reveal());
  const subscriber = config.redisUrl && createRedis(config.redisUrl.reveal());
  const keyChanges = createKeyChanges({
    publisher: redis,
    subscriber,
    onUnheard: (error) => {
      logger.warn({ error }, 'key changes do not travel: Redis is lost');
    },
  });
  const hints = createPaymentHints({
    db,
    databaseUrl,
    onUnheard: (error) => {
      logger.warn({ error }, 'hints of payments do not travel: changes are found by looking');
    },
  });
  const httpClients = createHttpClients();
  const webhookTransport = createWebhookTransport({ allowedHosts: config.webhookAllowedHosts });
  const services = createServices(
    db,
    {
      hints,
      keyChanges,
      keyCacheMs: redis ? keyCacheMs : lonelyKeyCacheMs,
      keyRing,
      publicUrl: config.publicUrl,
      pspHttp: httpClients.open,
      webhookTransport,
      logger,
      metrics,
    },
    overrides,
  );

  let isRedisUp = redis !== undefined;
  metrics.redisIsUp(isRedisUp);
  const countIn = (prefix: string): RateLimitStore =>
    createRateLimitStore({
      redis,
      prefix,
      onRedisLost: (error) => {
        isRedisUp = false;
        metrics.redisIsUp(false);
        logger.warn({ error }, 'Redis is lost: requests are counted in this process');
      },
      onRedisRecovered: () => {
        isRedisUp = true;
        metrics.redisIsUp(true);
        logger.info('Redis is back: requests are counted there');
      },
    });
  const keyStore = countIn('pix:key:');
  const addressStore = countIn('pix:address:');
  const signInStore = countIn('pix:sign-in:');
  // The store of the keys is started by its limiter.
  addressStore.init({ windowMs: rateLimitWindowMs });
  signInStore.init({ windowMs: rateLimitWindowMs });

  let isStopping = false;
  const health = {
    checkDatabase: async () => void (await db.$queryRaw`SELECT 1`),
    redis: () => (!redis ? 'memory' : isRedisUp ? 'up' : 'down') as 'memory' | 'up' | 'down',
    isStopping: () => isStopping,
  };
  const graphql = await createGraphqlEndpoint({ services, logger, now });
  const httpApp = await createHttpApp({
    ...services,
    graphql,
    health,
    logger,
    metrics,
    now,
    keyStore,
    addressStore,
    signInStore,
    signIn: createSignIn({ db, keyRing, publicUrl: config.publicUrl, logger }),
    settings: config,
  });

  const webSocket = createGraphqlWebSocket({
    app: httpApp,
    graphql,
    sessions: services.liveSessions,
    authenticator: createAuthenticator({
      apiKeys: services.apiKeys,
      paymentTokens: services.paymentTokens,
      addresses: addressStore,
      addressLimitPerMinute: config.rateLimitPerMinute,
    }),
    count: countBy(keyStore, config.rateLimitPerMinute),
    corsOrigins: config.corsOrigins,
    logger,
  });

  const listeners: Listener[] = [];
  const workers: RunningWorker[] = [];

  return {
    services,

    async start() {
      // Loads Prisma's compiler, which the first request would wait for.
      await db.$connect();
      hints.listen();
      if (config.role !== 'worker')
        listeners.push(await listen(httpApp, config.host, config.port, webSocket.take));
      if (config.metricsPort !== undefined) {
        const metricsApp = createMetricsApp({ health, logger, metrics, now });
        listeners.push(await listen(metricsApp, config.host, config.metricsPort));
      }
      if (config.role !== 'api') {
        const run = (name: string, worker: Worker, intervalMs: number) =>
          workers.push(startWorker(worker, { name, intervalMs, logger }));
        for (const [name, worker] of reconcilers(services.reconciliation)) run(name, worker, 1_000);
        const { webhookDeliveries: deliveries, events } = services;
        workers.push(startDelivering({ deliveries, events, logger }));
        run('forget-idempotency-keys', forgetIdempotencyKeys(services.idempotency), 3_600_000);
      }
      return { port: listeners[0]?.port ?? 0 };
    },

    async stop() {
      isStopping = true;
      services.liveSessions.stop();
      webSocket.stop();
      await Promise.all(listeners.map((listener) => listener.stop(stopGraceMs)));
      await Promise.all(workers.map((worker) => worker.stop()));
      await services.notifications.drain();
      await httpClients.close();
      await webhookTransport.close();
      await graphql.stop();
      keyStore.shutdown();
      addressStore.shutdown();
      signInStore.shutdown();
      redis?.disconnect();
      subscriber?.disconnect();
      await hints.stop();
      await db.$disconnect();
      logger.flush();
    },
  };
}
