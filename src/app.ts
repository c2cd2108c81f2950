import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from './config.ts';
import type { KeyRing } from './core/encryption/rules/envelope.ts';
import { createGraphqlEndpoint } from './graphql/endpoint.ts';
import { createPersonAuthenticator } from './http/authentication/authenticate-people.ts';
import { createAuthenticator } from './http/authentication/authenticate.ts';
import { createGraphqlWebSocket } from './http/live/graphql-web-socket.ts';
import { createRequestNotes } from './http/live/request-notes.ts';
import { type Listener, listen } from './http/connections/listen.ts';
import { callerLimits, countBy } from './http/limits/rate-limit.ts';
import { createRateLimitStores } from './http/limits/rate-limit-stores.ts';
import { measureOperations } from './http/live/measure-operations.ts';
import { createMetricsApp } from './http/metrics-app.ts';
import { isReady, shareChecks } from './http/routes/health.ts';
import { createHttpApp } from './http/server.ts';
import { openInfrastructure } from './infrastructure/open-infrastructure.ts';
import type { LogFile } from './observability/log-file.ts';
import type { Logger } from './observability/logger.ts';
import { personHolder } from './core/base/caller.ts';
import { createSignInAudit } from './core/people/sign-in/sign-in-audit.ts';
import { createAdmission } from './core/people/admit-person.ts';
import { createSignIn } from './core/people/sign-in/sign-in.ts';
import { assertWritable } from './database/database.ts';
import { startDelivering } from './workers/deliver-webhooks.ts';
import { repeat, type Round, type RunningWorker } from './workers/loop.ts';
import { startReconciling } from './workers/reconcile.ts';
import { roundsOf, roundsOfEveryNode } from './workers/rounds.ts';
import type { Overrides, Services } from './core/create-services.ts';

/** They resolve to the same path from the sources and from the compiled code. */
const dashboardDirectory = fileURLToPath(new URL('../dist/dashboard', import.meta.url));
const docsDirectory = fileURLToPath(new URL('../dist/docs', import.meta.url));
const checkoutDirectory = fileURLToPath(new URL('../dist/checkout', import.meta.url));
const stopGraceMs = 15_000;

export interface App {
  services: Services;
  /** Resolves to the port, which the system picks for port 0. */
  start(): Promise<{ port: number }>;
  /** Drains requests and workers, then closes the connections. */
  stop(): Promise<void>;
}

export async function createApp(
  config: Config,
  databaseUrl: string,
  keyRing: KeyRing,
  logger: Logger,
  overrides: Overrides = {},
  log?: LogFile,
): Promise<App> {
  const foundation = { config, databaseUrl, keyRing, logger };
  const infrastructure = await openInfrastructure('node', foundation, overrides);
  const { services, db, redis, hints, metrics, tracing, clock } = infrastructure;
  const { now } = clock;
  const stores = createRateLimitStores({ redis, logger, metrics });

  if (log) metrics.watchLog(log.lostLines);

  let isStopping = false;
  const health = {
    checkDatabase: shareChecks(() => assertWritable(db)),
    redis: stores.redis,
    systemAheadMs: clock.systemAheadMs,
    isStopping: () => isStopping,
    isLogFailing: () => log?.isFailing() === true,
  };
  metrics.watchReadiness(() => isReady(health));
  const signInAudit = createSignInAudit({ db, keyRing, queue: services.auditQueue, logger, now });
  const onPersonChange = (userId: string) => infrastructure.callerChanges.publish(personHolder(userId));
  const signIn = createSignIn({
    audit: signInAudit,
    db,
    keyRing,
    publicUrl: config.publicUrl,
    trustedDeviceDays: config.trustedDeviceDays,
    logger,
    outageCount: infrastructure.outageCount,
    now,
    onSessionEnd: onPersonChange,
    identityProvider: config.identityProvider,
    admissionTo: (provider) =>
      createAdmission({ db, now, record: services.audit.record, onPersonChange }, provider),
  });
  const authenticator = createAuthenticator({
    keys: services.keyAuthentication,
    paymentTokens: services.paymentTokens,
    addresses: stores.addresses,
    addressLimitPerMinute: config.rateLimits.usual,
  });
  const people = createPersonAuthenticator({
    signIn,
    members: services.members,
    publicUrl: config.publicUrl,
  });
  const graphql = await createGraphqlEndpoint({ services, logger, now });
  const requestNotes = createRequestNotes({
    feed: services.requestFeed,
    kept: services.keptRequests,
    graphqlNames: graphql.names,
    recognize: authenticator.recognize,
    now,
  });
  const httpApp = await createHttpApp({
    services,
    authenticator,
    people,
    graphql,
    requestNotes,
    health,
    logger,
    metrics,
    tracing,
    now,
    keyStore: stores.keys,
    addressStore: stores.addresses,
    signInStore: stores.signIns,
    signIn,
    dashboardDirectory,
    docsDirectory,
    checkoutDirectory,
    settings: config,
  });

  const webSocket = createGraphqlWebSocket({
    graphql,
    sessions: services.liveSessions,
    authenticator,
    people,
    count: countBy(stores.keys, callerLimits(services.keyLimits, config.rateLimits.usual)),
    corsOrigins: config.corsOrigins,
    measure: measureOperations(logger, metrics, tracing, requestNotes.operation),
    logger,
  });

  const listeners: Listener[] = [];
  const workers: RunningWorker[] = [];

  return {
    services,

    async start() {
      // Loads Prisma's compiler now, so that the first request need not wait for it.
      await db.$connect();
      hints.listen();
      const at = { host: config.host, logger };
      if (config.role !== 'worker')
        listeners.push(await listen(httpApp, { ...at, port: config.port, takeUpgrade: webSocket.take }));
      if (config.metricsPort !== undefined) {
        const metricsApp = createMetricsApp({ health, logger, metrics, now });
        listeners.push(await listen(metricsApp, { ...at, port: config.metricsPort }));
      }
      const start = (round: Round) => workers.push(repeat(round, logger));
      roundsOfEveryNode(services).forEach(start);
      if (config.role !== 'api') {
        roundsOf(services).forEach(start);
        const { dueWork, webhookSender: sender, events } = services;
        for (const kind of dueWork.kinds) workers.push(startReconciling(dueWork, kind, logger));
        workers.push(startDelivering({ sender, events, logger }));
      }
      return { port: listeners[0]?.port ?? 0 };
    },

    async stop() {
      isStopping = true;
      for (const listener of listeners) listener.announceStop();
      if (listeners.length > 0 && config.role !== 'worker') await delay(config.stopDelayMs);
      services.liveSessions.stop();
      webSocket.stop();
      await Promise.all(listeners.map((listener) => listener.stop(stopGraceMs)));
      await Promise.all(workers.map((worker) => worker.stop()));
      await services.notifications.drain();
      await services.unreadableResponses.drain();
      await services.passwordRecovery.drain();
      services.payerViews.flush();
      await signInAudit.drain();
      await services.auditQueue.drain();
      await graphql.stop();
      stores.shutdown();
      await infrastructure.close();
    },
  };
}
