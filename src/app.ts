import { fileURLToPath } from 'node:url';
import type { Config } from './config.ts';
import type { KeyRing } from './domain/envelope.ts';
import { createGraphqlEndpoint } from './graphql/endpoint.ts';
import { createAuthenticator } from './http/authenticate.ts';
import { createGraphqlWebSocket } from './http/graphql-web-socket.ts';
import { type Listener, listen } from './http/listen.ts';
import { countBy, rateLimitWindowMs } from './http/rate-limit.ts';
import { createRateLimitStore, type RateLimitStore } from './http/rate-limit-store.ts';
import { createRedis } from './http/redis.ts';
import { createHttpApp, createMetricsApp } from './http/server.ts';
import type { Logger } from './observability/logger.ts';
import { createMetrics } from './observability/metrics.ts';
import { openDatabase } from './persistence/database.ts';
import { createKeyChanges } from './persistence/key-changes.ts';
import { createPaymentHints } from './persistence/payment-hints.ts';
import { createHttpClients } from './psp/http-client.ts';
import { createSignIn } from './services/sign-in.ts';
import { createWebhookTransport } from './webhooks/transport.ts';
import { startDelivering } from './workers/deliver-webhooks.ts';
import { forgetIdempotencyKeys } from './workers/forget-idempotency-keys.ts';
import { type RunningWorker, startWorker, type Worker } from './workers/loop.ts';
import { reconcilers } from './workers/reconcile.ts';
import { createServices, type Overrides, type Services } from './create-services.ts';

/** The same for the sources and for what is compiled. */
const dashboardDirectory = fileURLToPath(new URL('../dist/dashboard', import.meta.url));
const maximumConnections = 20;
const keyCacheMs = 30_000;
/** Alone, a node hears of no change that the command line makes, so it asks more often. */
const lonelyKeyCacheMs = 1_000;
const stopGraceMs = 15_000;

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
    dashboardDirectory,
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
