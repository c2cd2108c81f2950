import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type Burden, createHeaviest } from './heaviest.ts';
import { version } from './version.ts';

type OperationKind = 'single' | 'subscription';

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

export interface Metrics {
  requestEnded(route: string, method: string, statusCode: number, seconds: number): void;
  /** A request or an operation failed, and not through its caller's fault. */
  requestFailed(code: string, mode: string | undefined): void;
  /** Counts operations over a WebSocket. A subscription is measured until it starts. */
  operationResponded(kind: OperationKind, statusCode: number, seconds: number): void;
  redisIsUp(isUp: boolean): void;
  /** System clock minus database clock. */
  clockIsAhead(seconds: number): void;
  /** `outcome`: `ok` or the kind of failure. */
  pspCallEnded(
    credential: { provider: string; credentialId: string },
    operation: string,
    outcome: string,
    seconds: number,
  ): void;
  /** An event of a payment was stored, or a payment `created`. */
  paymentTold(event: string, mode: string): void;
  /** A pending payment was found paid. */
  paymentConfirmed(provider: string, by: string): void;
  /** An organization took that much of this node. */
  organizationTook(burden: Burden, organizationId: string, amount: number): void;
  databaseMeasured(state: ServerState): void;
  /** How long the longest overdue check of payments at each provider has waited; replaces what was reported before. */
  setProviderBacklog(overdue: readonly { provider: string; seconds: number }[]): void;
  /** The PSP answered with HTTP 429. */
  pspRefusedRequest(provider: string, credentialId: string): void;
  /** `requests` are left of the provider's documented quota, as last counted. */
  pspRequestsLeft(provider: string, credentialId: string, requests: number): void;
  /** Replaces what was reported before. */
  certificatesExpire(
    certificates: readonly { provider: string; credentialId: string; expiresAt: Date }[],
  ): void;
  /** Open differences of all books; replaces what was reported before. */
  booksDiffer(differences: readonly { kind: string; count: number }[]): void;
  /** Refunds that need a person at a provider, by what they wait for. */
  refundsStuck(reason: string, count: number): void;
  /** The debit of a recurrence was not sent in time. */
  debitMissed(provider: string): void;
  /**
   * A confirmation that was not accepted: `forged`, from a `stranger`, for another transaction or amount, or
   * by a Pix `taken` by another payment.
   */
  confirmationRefused(
    provider: string,
    reason: 'forged' | 'unreadable' | 'stranger' | 'mismatch' | 'taken',
  ): void;
  /** Circuit breakers that are open, over all operations of a credential. */
  pspBreakersOpen(provider: string, credentialId: string, count: number): void;
  /** How long the longest overdue work of a kind has waited; 0: none is overdue. */
  setBacklog(kind: string, seconds: number): void;
  /** All kinds were set. */
  backlogMeasured(): void;
  /** Read whenever the metrics are. */
  watchReadiness(isReady: () => Promise<boolean>): void;
  /** Read whenever the metrics are. */
  watchPool(pool: string, usage: () => PoolUsage): void;
  /** Read whenever the metrics are. */
  watchLog(lostLines: () => number): void;
  webhookSent(outcome: 'ok' | 'failed', seconds: number): void;
  /** Prints the Prometheus exposition format. */
  text(): Promise<string>;
  contentType: string;
}

const longestBacklogAgeSeconds = 60;
/** Credentials that a node names in a label, in the order of their first calls. */
const namedCredentials = 100;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  let measuredAt: number | undefined;
  const backlogAge = () => (measuredAt === undefined ? undefined : (performance.now() - measuredAt) / 1_000);
  const requests = new Histogram({
    name: 'pix_http_request_seconds',
    help: 'Duration of requests by route, method and status; of GraphQL, the status of a server error inside a 200.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 12],
    registers,
  });
  const failures = new Counter({
    name: 'pix_server_errors_total',
    help: 'Requests and operations that failed through no fault of their caller, by error code and mode (live, test or none).',
    labelNames: ['code', 'mode'],
    registers,
  });
  const operations = new Histogram({
    name: 'pix_web_socket_operation_seconds',
    help: 'Time to the response of GraphQL operations over WebSocket, or to the start of a subscription.',
    labelNames: ['kind', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 12],
    registers,
  });
  const calls = new Histogram({
    name: 'pix_psp_call_seconds',
    help: 'Duration of calls to PSPs by provider, operation and outcome.',
    labelNames: ['provider', 'operation', 'outcome'],
    buckets: [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 12],
    registers,
  });
  const credentials = new Set<string>();
  const labelOf = (credentialId: string): string => {
    if (credentials.size < namedCredentials) credentials.add(credentialId);
    return credentials.has(credentialId) ? credentialId : 'other';
  };
  const credentialCalls = new Counter({
    name: 'pix_psp_calls_total',
    help: 'Calls to PSPs by provider, credential (the first 100 that this node called, and other) and outcome.',
    labelNames: ['provider', 'credential', 'outcome'],
    registers,
  });
  const payments = new Counter({
    name: 'pix_payments_total',
    help: 'Payments created, and events stored of payments, by event and mode.',
    labelNames: ['event', 'mode'],
    registers,
  });
  const confirmations = new Counter({
    name: 'pix_confirmations_total',
    help: 'Pending payments that were found paid, by provider and by what led to it: a notification, or asking.',
    labelNames: ['provider', 'by'],
    registers,
  });
  const heaviest = createHeaviest();
  new Gauge({
    name: 'pix_heaviest_organizations',
    help: 'What the ten organizations that took most of this node took in the last whole minute, by burden.',
    labelNames: ['burden', 'organization'],
    registers,
    collect() {
      this.reset();
      for (const { burden, organizationId: organization, amount } of heaviest.top())
        this.set({ burden, organization }, amount);
    },
  });
  new Gauge({
    name: 'pix_build_info',
    help: '1, by the version of the node and that of Node.js.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1);
  const serverConnections = new Gauge({
    name: 'pix_database_server_connections',
    help: 'Connections of everybody to the PostgreSQL server, used and maximum.',
    labelNames: ['state'],
    registers,
  });
  const archived = new Gauge({
    name: 'pix_wal_archived_timestamp_seconds',
    help: 'When PostgreSQL last archived a segment of its log, as result ok, and when it last failed to.',
    labelNames: ['result'],
    registers,
  });
  const providerBacklog = new Gauge({
    name: 'pix_provider_backlog_seconds',
    help: 'How long the longest overdue check of payments has waited, by provider, as far as the first thousand tell.',
    labelNames: ['provider'],
    registers,
    collect() {
      if ((backlogAge() ?? 0) > longestBacklogAgeSeconds) this.reset();
    },
  });
  const refusedRequests = new Counter({
    name: 'pix_psp_refused_requests_total',
    help: 'Requests that PSPs refused with HTTP 429, by provider and credential.',
    labelNames: ['provider', 'credential'],
    registers,
  });
  const requestsLeft = new Gauge({
    name: 'pix_psp_requests_left',
    help: "What is left of a PSP's documented quota of requests, by provider and credential.",
    labelNames: ['provider', 'credential'],
    registers,
  });
  const certificateExpiry = new Gauge({
    name: 'pix_psp_certificate_expiry_timestamp_seconds',
    help: 'When the client certificate of an enabled credential expires, by provider and credential.',
    labelNames: ['provider', 'credential'],
    registers,
  });
  const breakers = new Gauge({
    name: 'pix_psp_breakers_open',
    help: 'Open circuit breakers by provider and credential: operations that fail at once as the PSP keeps failing.',
    labelNames: ['provider', 'credential'],
    registers,
  });
  const backlog = new Gauge({
    name: 'pix_backlog_seconds',
    help: 'How long the longest overdue work has waited, by kind; 0: none is overdue. Gone when it could not be measured for a minute.',
    labelNames: ['kind'],
    registers,
    collect() {
      if ((backlogAge() ?? 0) > longestBacklogAgeSeconds) this.reset();
    },
  });
  new Gauge({
    name: 'pix_backlog_age_seconds',
    help: 'How long ago this node measured pix_backlog_seconds; nodes without workers have none.',
    registers,
    collect() {
      const age = backlogAge();
      if (age === undefined) this.remove();
      else this.set(age);
    },
  });
  let isReady = () => Promise.resolve(false);
  new Gauge({
    name: 'pix_ready',
    help: '1 while the node is ready to serve, as /readyz says.',
    registers,
    async collect() {
      this.set((await isReady()) ? 1 : 0);
    },
  });
  const pools = new Map<string, () => PoolUsage>();
  new Gauge({
    name: 'pix_database_connections',
    help: 'Connections to PostgreSQL by pool and state, and requests that are waiting for one.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, usage] of pools) {
        for (const [state, count] of Object.entries(usage())) this.set({ pool, state }, count);
      }
    },
  });
  let lostLines = () => 0;
  new Counter({
    name: 'pix_log_lines_lost_total',
    help: 'Log lines that could not be written: the disk is full, or the pipe is closed.',
    registers,
    collect() {
      this.reset();
      this.inc(lostLines());
    },
  });
  const bookDifferences = new Gauge({
    name: 'pix_book_differences',
    help: 'Open differences between the statements of providers and our records, by kind.',
    labelNames: ['kind'],
    registers,
  });
  const stuckRefunds = new Gauge({
    name: 'pix_refunds_stuck',
    help: 'Refunds that wait for a person at their provider, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const missedDebits = new Counter({
    name: 'pix_debits_missed_total',
    help: 'Debits of recurrences that were not sent in time, by provider.',
    labelNames: ['provider'],
    registers,
  });
  const redis = new Gauge({
    name: 'pix_redis_up',
    help: '1 while the rate limit is counted in Redis.',
    registers,
  });
  const clock = new Gauge({
    name: 'pix_clock_offset_seconds',
    help: 'Seconds that the system clock is ahead of the database clock.',
    registers,
  });
  const refused = new Counter({
    name: 'pix_confirmations_refused_total',
    help: 'Rejected payment confirmations, by provider and reason.',
    labelNames: ['provider', 'reason'],
    registers,
  });
  const webhooks = new Histogram({
    name: 'pix_webhook_seconds',
    help: 'Duration of requests to webhook endpoints by outcome.',
    labelNames: ['outcome'],
    buckets: [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers,
  });
  return {
    pspBreakersOpen: (provider, credential, count) => {
      breakers.set({ provider, credential }, count);
    },
    setBacklog: (kind, seconds) => {
      backlog.set({ kind }, seconds);
    },
    backlogMeasured: () => {
      measuredAt = performance.now();
    },
    watchReadiness: (check) => {
      isReady = check;
    },
    watchPool: (pool, usage) => {
      pools.set(pool, usage);
    },
    watchLog: (count) => {
      lostLines = count;
    },
    webhookSent: (outcome, seconds) => {
      webhooks.observe({ outcome }, seconds);
    },
    confirmationRefused: (provider, reason) => {
      refused.inc({ provider, reason });
    },
    requestFailed: (code, mode = 'none') => {
      failures.inc({ code, mode });
    },
    requestEnded: (route, method, statusCode, seconds) => {
      requests.observe({ route, method, status: statusCode }, seconds);
    },
    operationResponded: (kind, statusCode, seconds) => {
      operations.observe({ kind, status: statusCode }, seconds);
    },
    pspRefusedRequest: (provider, credential) => {
      refusedRequests.inc({ provider, credential });
    },
    pspRequestsLeft: (provider, credential, requests) => {
      requestsLeft.set({ provider, credential }, requests);
    },
    certificatesExpire: (certificates) => {
      certificateExpiry.reset();
      for (const { provider, credentialId: credential, expiresAt } of certificates) {
        certificateExpiry.set({ provider, credential }, Math.floor(expiresAt.getTime() / 1_000));
      }
    },
    booksDiffer: (differences) => {
      bookDifferences.reset();
      for (const { kind, count } of differences) bookDifferences.set({ kind }, count);
    },
    refundsStuck: (reason, count) => {
      stuckRefunds.set({ reason }, count);
    },
    debitMissed: (provider) => {
      missedDebits.inc({ provider });
    },
    clockIsAhead: (seconds) => {
      clock.set(seconds);
    },
    redisIsUp: (isUp) => {
      redis.set(isUp ? 1 : 0);
    },
    pspCallEnded: ({ provider, credentialId }, operation, outcome, seconds) => {
      calls.observe({ provider, operation, outcome }, seconds);
      credentialCalls.inc({ provider, credential: labelOf(credentialId), outcome });
    },
    paymentTold: (event, mode) => {
      payments.inc({ event, mode });
    },
    paymentConfirmed: (provider, by) => {
      confirmations.inc({ provider, by });
    },
    organizationTook: heaviest.took,
    databaseMeasured: ({ connections, maximumConnections, archivedAt, archivingFailedAt }) => {
      serverConnections.set({ state: 'used' }, connections);
      serverConnections.set({ state: 'maximum' }, maximumConnections);
      archived.reset();
      if (archivedAt) archived.set({ result: 'ok' }, archivedAt.getTime() / 1_000);
      if (archivingFailedAt) archived.set({ result: 'failed' }, archivingFailedAt.getTime() / 1_000);
    },
    setProviderBacklog: (overdue) => {
      providerBacklog.reset();
      for (const { provider, seconds } of overdue) providerBacklog.set({ provider }, seconds);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
