import type { CallerChanges } from './domain/caller-changes.ts';
import type { KeyRing } from './domain/envelope.ts';
import type { WebhookTransport } from './domain/webhook.ts';
import type { Logger } from './observability/logger.ts';
import type { Metrics } from './observability/metrics.ts';
import type { Database } from './persistence/database.ts';
import { gather } from './persistence/gather.ts';
import type { PaymentHints } from './persistence/payment-hints.ts';
import {
  changeSandboxCharge,
  findSandboxCharge,
  hasSandboxRefund,
  insertSandboxCharges,
  insertSandboxPix,
  insertSandboxRefund,
} from './persistence/sandbox-charges.ts';
import { createCatalogue } from './psp/catalogue.ts';
import type { OpenHttpClient } from './psp/http-client.ts';
import { createSandbox, type Sandbox } from './psp/sandbox/adapter.ts';
import type { SandboxStore } from './psp/sandbox/store.ts';
import { type ApiKeyService, createApiKeyService } from './services/api-keys.ts';
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
import { createPasswordService, type PasswordService } from './services/passwords.ts';
import { createPaymentTokenService, type PaymentTokenService } from './services/payment-tokens.ts';
import { createPaymentService, type PaymentService } from './services/payments.ts';
import { createLivePsps, type Psps } from './services/psps.ts';
import { createReconciliation, type Reconciliation } from './services/reconciliation.ts';
import { createRefunding } from './services/refunding.ts';
import { createRefundService, type RefundService } from './services/refunds.ts';
import { createRoutingService } from './services/routing.ts';
import { createRuleSetService, type RuleSetService } from './services/rule-sets.ts';
import { createSandboxService, type SandboxService } from './services/sandbox.ts';
import { createSessionService, type SessionService } from './services/sessions.ts';
import { createSettlement } from './services/settlement.ts';
import { createSealedCredentials } from './services/sealed-credentials.ts';
import { createSecondFactorService, type SecondFactorService } from './services/second-factors.ts';
import { createStatisticsService, type StatisticsService } from './services/statistics.ts';
import { createWebhookDeliveryService, type WebhookDeliveryService } from './services/webhook-deliveries.ts';
import { createWebhookEndpointService, type WebhookEndpointService } from './services/webhook-endpoints.ts';

/** What tests put in place of the real thing. */
export interface Overrides {
  now?: () => Date;
  idempotencyLeaseMs?: number;
}

export interface Services {
  organizations: OrganizationService;
  members: MemberService;
  passwords: PasswordService;
  sessions: SessionService;
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
  callerChanges: CallerChanges;
  keyCacheMs: number;
  keyRing: KeyRing;
  publicUrl: string;
  pspHttp: OpenHttpClient;
  webhookTransport: WebhookTransport;
  logger: Logger;
  metrics: Metrics;
}

/** Longer than a create may take, so that nobody is taken over who is alive. */
const idempotencyLeaseMs = 20_000;

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
  const { hints, callerChanges, keyCacheMs, keyRing, publicUrl, pspHttp } = tools;
  const { webhookTransport, logger, metrics } = tools;
  const now = overrides.now ?? (() => new Date());
  const audit = createAuditService({ db, now });
  const catalogue = createCatalogue({ http: pspHttp, now, logger, metrics });
  const sealed = createSealedCredentials({ db, keyRing, publicUrl });
  const credentials = createCredentialService({ db, audit, now, sealed, catalogue });
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
  const refunding = createRefunding({ db, psps, now });
  const refunds = createRefundService({ db, audit, events, refunding, idempotency, now, logger });
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
  const apiKeys = createApiKeyService({ db, audit, now, changes: callerChanges, cacheMs: keyCacheMs });
  const sessions = createSessionService({ db, now });
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
    passwords: createPasswordService({ db, now, audit, changes: callerChanges }),
    sessions,
    members: createMemberService({ db, now, audit, changes: callerChanges }),
    secondFactors: createSecondFactorService({ db, keyRing }),
    audit,
    apiKeys,
    credentials,
    ruleSets: createRuleSetService({ db, audit, now }),
    payments,
    paymentTokens: createPaymentTokenService({ keyRing, payments, now }),
    livePayments: createLivePayments({ db, payments, hints, now, logger }),
    liveSessions: createLiveSessions({ apiKeys, people: sessions, changes: callerChanges, now, logger }),
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
