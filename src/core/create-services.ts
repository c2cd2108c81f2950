import type { CallerChanges } from './base/caller-changes.ts';
import type { RequestRelay } from './live/rules/request-relay.ts';
import type { CallLedger } from './health/rules/call-ledger.ts';
import type { Mailer } from './people/rules/mailer.ts';
import type { KeyRing } from './encryption/rules/envelope.ts';
import type { WebhookTransport } from './webhooks/rules/webhook.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { Database } from '../database/database.ts';
import type { PaymentHints } from './events/payment-hints.ts';
import { createApiKeyService } from './people/keys/api-keys.ts';
import { createBacklog } from './health/backlog.ts';
import { createResponseLimiter } from './base/pacing/response-limiter.ts';
import { createApprovalDecisions } from './people/approvals/approval-decisions.ts';
import { createApprovalGate } from './people/approvals/approval-gate.ts';
import { createApprovalService } from './people/approvals/approvals.ts';
import { createAuditChainService } from './audit/audit-chain.ts';
import { createAuditExport } from './audit/audit-export.ts';
import { createAuditQueue } from './audit/audit-queue.ts';
import { createAuditService } from './audit/audit.ts';
import { createCheckout } from './checkout/checkout.ts';
import { createCheckoutKeys } from './checkout/links/checkout-keys.ts';
import { createCheckoutLinks } from './checkout/links/checkout-links.ts';
import { createLinkCheckout } from './checkout/link-checkout.ts';
import { createPaymentLinkService } from './checkout/payment-links.ts';
import { createChargePayment } from './payments/charge-payment.ts';
import { createPaymentCreation } from './payments/create-payment.ts';
import { createCredentialService } from './providers/credentials.ts';
import { createEncryptionService } from './encryption/encryption.ts';
import { createChangePayments } from './events/change-payments.ts';
import { createEventService } from './events/events.ts';
import { createAlertMail } from './health/alert-mail.ts';
import { createAlertPreferences } from './health/alert-preferences.ts';
import { createAlertWatch } from './health/alert-watch.ts';
import { createAttentionService } from './health/attention.ts';
import { createCallRecorder } from './health/call-recorder.ts';
import { createProviderHealth } from './health/provider-health.ts';
import { createIdempotency } from './idempotency/idempotency.ts';
import { createInvestigationService } from './reports/investigation.ts';
import { createInvitationLinks } from './people/invitation-links.ts';
import { createInvitationService } from './people/invitations.ts';
import { createLinkMail } from './people/link-mail.ts';
import { createLivePayments } from './live/live-payments.ts';
import { createLiveSessions } from './live/live-sessions.ts';
import { createRequestFeed } from './live/request-feed.ts';
import type { ServedRequest } from './live/served-request.ts';
import { createKeyAuthentication } from './people/keys/key-authentication.ts';
import { createMemberService } from './people/members.ts';
import { createTrafficObserver } from './providers/credential-traffic.ts';
import { createNotificationTokens } from './providers/notification-tokens.ts';
import { createNotificationHints } from './settlement/notifications/notification-hints.ts';
import { createNotifiedCharges } from './settlement/notifications/notified-charges.ts';
import { createNotificationService } from './settlement/notifications/psp-notifications.ts';
import { createOrganizationSettingsService } from './people/organizations/organization-settings.ts';
import { createOrganizationProfileService } from './people/organizations/organization-profile.ts';
import { createOrganizationService } from './people/organizations/organizations.ts';
import { createPasswordRecovery } from './people/password-recovery.ts';
import { createPasswordService } from './people/passwords.ts';
import { createPayerViews } from './audit/payer-views.ts';
import { createPaymentExportService } from './reports/payment-export.ts';
import { createPaymentTermFilling } from './payments/payment-terms.ts';
import { createReceiptExport } from './books/receipt-export.ts';
import { createReceiptRollUp } from './books/receipt-roll-up.ts';
import { createReceipts } from './books/receipts.ts';
import { createPaymentRollUp } from './reports/payment-roll-up.ts';
import { createPaymentTokenService } from './live/payment-tokens.ts';
import { createPaymentService } from './payments/payments.ts';
import type { PspCatalogue } from './providers/psp-catalogue.ts';
import { createLivePsps, type Psps, sandboxConnection } from './providers/psps.ts';
import { createDueWork, createReconciliation } from './settlement/reconciliation/reconciliation.ts';
import { createRefundSender } from './refunds/send-refund.ts';
import { createRefundService } from './refunds/refunds.ts';
import { createSavedViews } from './reports/saved-views.ts';
import type { ReadSource } from '../database/read-source.ts';
import type { Reports } from '../database/reports.ts';
import { createRetention, type RetentionDays } from './privacy/retention.ts';
import { createRoutingService } from './routing/routing.ts';
import { createRuleSetService } from './routing/rule-sets.ts';
import { createSandboxService, type SandboxAccount } from './payments/sandbox.ts';
import { createSessionService } from './people/sessions.ts';
import { createSettlement } from './settlement/settlement.ts';
import { createCertificateWatch } from './providers/certificate-watch.ts';
import { createBooks } from './books/books.ts';
import { createBookExport } from './books/book-export.ts';
import { createBookWatch } from './books/book-watch.ts';
import { createDifferences } from './books/differences.ts';
import { createStatementImport } from './books/statement-import.ts';
import { createForgetting } from './privacy/forgetting.ts';
import { createForgottenList } from './privacy/forgotten-list.ts';
import { createPersonForgetter } from './privacy/forget-person.ts';
import { createDatabaseCopies } from './restore/database-copies.ts';
import { createRestoreCheck } from './restore/restore-check.ts';
import { createSweeper } from './settlement/sweep.ts';
import { createWatchedPayments } from './settlement/watched-payments.ts';
import { createSealedCredentials } from './providers/sealed-credentials.ts';
import { createUnreadableResponses } from './providers/unreadable-responses.ts';
import { createStatisticsService } from './reports/statistics.ts';
import { createWebhookDeliveryService } from './webhooks/webhook-deliveries.ts';
import { createRoutableCredentials } from './routing/routable-credentials.ts';
import { createWebhookHealth } from './webhooks/webhook-health.ts';
import { createWebhookRequests } from './webhooks/webhook-request.ts';
import { createWebhookSender } from './webhooks/webhook-sender.ts';
import { createWebhookEndpointService } from './webhooks/webhook-endpoints.ts';

/** Replacements used by tests. */
export interface Overrides {
  /** Instead of the database's clock. */
  now?: () => Date;
  idempotencyLeaseMs?: number;
}

/** What the services depend on besides the database. */
export interface Tools {
  /** For lists. */
  lists: ReadSource;
  reports: Reports;
  hints: PaymentHints;
  callerChanges: CallerChanges;
  requestRelay: RequestRelay<ServedRequest>;
  keyCacheMs: number;
  keyRing: KeyRing;
  publicUrl: string;
  retention: RetentionDays;
  catalogue: PspCatalogue;
  /** Where the catalogue counts its calls. */
  callLedger: Pick<CallLedger, 'take'>;
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  sandbox: SandboxAccount;
  webhookTransport: WebhookTransport;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  /** The database's clock, used for every decision that other nodes can see. */
  now: () => Date;
}

/** Longer than a create can take, so a live request never loses its claim. */
const idempotencyLeaseMs = 20_000;

/** Wires the services for both the server and the command line. */
export function createServices(db: Database, tools: Tools, overrides: Overrides = {}) {
  const { lists, reports, hints, callerChanges, keyCacheMs, keyRing, publicUrl } = tools;
  const { catalogue, sandbox, webhookTransport, logger, metrics, tracing, now } = tools;
  const sendsEmail = tools.mailer !== undefined;
  const audit = createAuditService({ reports, now });
  const gate = createApprovalGate({ db, audit, keyRing, now });
  const auditQueue = createAuditQueue({ db, logger });
  const payerViews = createPayerViews({ queue: auditQueue, now });
  const checkoutKeys = createCheckoutKeys({ db, keyRing, now });
  const links = createCheckoutLinks(checkoutKeys, publicUrl);
  const sealed = createSealedCredentials({ db, keyRing, publicUrl });
  const credentials = createCredentialService({ db, audit, gate, now, sealed, catalogue });
  const routable = createRoutableCredentials({ db, catalogue });
  const ruleSets = createRuleSetService({ db, audit, gate, credentials: routable, now });
  const webhookEndpoints = createWebhookEndpointService({
    db,
    audit,
    gate,
    now,
    keyRing,
    transport: webhookTransport,
  });
  const organizationSettings = createOrganizationSettingsService({ db, audit, gate, now });
  const unreadableResponses = createUnreadableResponses({ db, audit, payerViews, keyRing, now, logger });
  const psps: Psps = {
    test: ({ provider }) => Promise.resolve(sandboxConnection(catalogue.standIn(sandbox.adapter, provider))),
    live: createLivePsps(credentials, catalogue, unreadableResponses),
  };
  const idempotency = createIdempotency({ db, leaseMs: overrides.idempotencyLeaseMs ?? idempotencyLeaseMs });
  const changePayments = createChangePayments({ db, hints, now });
  const traffic = createTrafficObserver({ db, now, logger });
  const settlement = createSettlement({ db, changePayments, psps, traffic, now, logger, metrics, tracing });
  const routing = createRoutingService({ db, credentials: routable });
  const refundSender = createRefundSender({ db, psps, now });
  const refunds = createRefundService({
    db,
    audit,
    changePayments,
    gate,
    refundSender,
    idempotency,
    now,
    logger,
  });
  const linkMail = createLinkMail({ db, mailer: tools.mailer, keyRing, now, logger });
  const invitations = createInvitationService({ db, now, audit, gate, linkMail, publicUrl });
  const apiKeys = createApiKeyService({ db, audit, gate, now, changes: callerChanges });
  const members = createMemberService({ db, now, audit, gate, changes: callerChanges });
  const decisions = createApprovalDecisions({
    audit,
    changePayments,
    gate,
    changes: {
      ...credentials.guarded,
      ...ruleSets.guarded,
      ...webhookEndpoints.guarded,
      ...organizationSettings.guarded,
      ...refunds.guarded,
      ...invitations.guarded,
      ...members.guarded,
      ...apiKeys.guarded,
    },
    now,
  });
  const notifications = createNotificationService({
    db,
    credentials,
    tokens: createNotificationTokens({ db }),
    catalogue,
    charges: createNotifiedCharges({ db, psps, settlement, now, logger, metrics }),
    hints: createNotificationHints({ db, settlement, logger }),
    unreadable: unreadableResponses,
    now,
    logger,
    metrics,
  });
  const sweeper = createSweeper({ db, psps, settlement, now, logger });
  const statementImport = createStatementImport({ db, psps, sandbox, settlement, now, logger });
  const dueWork = createDueWork({
    db,
    settlement,
    refunds,
    notifications,
    sweeper,
    statementImport,
    now,
  });
  const keyAuthentication = createKeyAuthentication({ db, now, changes: callerChanges, cacheMs: keyCacheMs });
  const sessions = createSessionService({ db, audit, changes: callerChanges, now });
  const copies = createDatabaseCopies({ db, now, logger });
  const personForgetter = createPersonForgetter({ db, keyRing, now });
  const watched = createWatchedPayments({ db, now, logger });
  const payments = createPaymentService({
    db,
    lists,
    reports,
    audit,
    payerViews,
    createPayment: createPaymentCreation({
      db,
      audit,
      routing,
      idempotency,
      chargePayment: createChargePayment({ db, psps, now, logger }),
      hints,
      links,
      now,
    }),
    settlement,
    idempotency,
    links,
    watched,
  });
  const livePayments = createLivePayments({ db, payments, payerViews, hints, links, watched, now, logger });
  const receipts = createReceipts({ reports, now });
  return {
    organizations: createOrganizationService({ db, audit, now }),
    organizationSettings,
    organizationProfile: createOrganizationProfileService({ db, audit, now }),
    approvals: createApprovalService({ db, decisions, now }),
    passwords: createPasswordService({ db, now, audit, changes: callerChanges, publicUrl }),
    passwordRecovery: createPasswordRecovery({ db, linkMail, publicUrl, now, logger }),
    sessions,
    invitations,
    linkMail,
    invitationLinks: createInvitationLinks({ db, now, audit }),
    members,
    encryption: createEncryptionService({ db, keyRing, now }),
    audit,
    auditExport: createAuditExport({ db, audit }),
    auditChain: createAuditChainService({ db, logger }),
    auditQueue,
    payerViews,
    apiKeys,
    keyAuthentication,
    credentials,
    certificateWatch: createCertificateWatch({ db, sealed, catalogue, now, logger, metrics }),
    statementImport,
    books: createBooks({ db, audit, lists, now }),
    bookExport: createBookExport({ lists, now }),
    differences: createDifferences({ db, audit, now }),
    bookWatch: createBookWatch({ db, metrics }),
    ruleSets,
    responses: createResponseLimiter(),
    payments,
    checkout: createCheckout({ db, links, livePayments, watched, now }),
    checkoutKeys,
    checkoutLinks: links,
    paymentLinks: createPaymentLinkService({ db, lists, audit, payerViews, links, routing, now }),
    linkCheckout: createLinkCheckout({ db, links, payments, routing, now }),
    paymentExport: createPaymentExportService({ db, audit, payments }),
    paymentTokens: createPaymentTokenService({ keyRing, payments, now }),
    livePayments,
    requestFeed: createRequestFeed(tools.requestRelay),
    liveSessions: createLiveSessions({
      keys: keyAuthentication,
      people: sessions,
      changes: callerChanges,
      now,
      logger,
    }),
    refunds,
    sandbox: createSandboxService({ db, audit, payerViews, links, sandbox, notifications, settlement }),
    investigation: createInvestigationService({ db, payments, payerViews, links, unreadableResponses, now }),
    statistics: createStatisticsService({ reports }),
    callRecorder: createCallRecorder({ db, ledger: tools.callLedger, logger }),
    attention: createAttentionService({ reports, now }),
    alertWatch: createAlertWatch({ db, publicUrl, sendsEmail, now, logger }),
    alertMail: createAlertMail({ db, mailer: tools.mailer, publicUrl, now, logger }),
    alertPreferences: createAlertPreferences({ db, audit, sendsEmail }),
    providerHealth: createProviderHealth({ reports, now }),
    paymentRollUp: createPaymentRollUp({ db }),
    receiptRollUp: createReceiptRollUp({ db }),
    receipts,
    receiptExport: createReceiptExport({ receipts }),
    savedViews: createSavedViews({ db }),
    paymentTermFilling: createPaymentTermFilling({ db }),
    notifications,
    unreadableResponses,
    events: createEventService({ db, hints, payerViews }),
    webhookEndpoints,
    webhookDeliveries: createWebhookDeliveryService({ db, audit, now }),
    webhookHealth: createWebhookHealth({ db, now }),
    webhookRequests: createWebhookRequests({ db, keyRing, transport: webhookTransport, payerViews, now }),
    webhookSender: createWebhookSender({
      db,
      keyRing,
      transport: webhookTransport,
      now,
      logger,
      metrics,
      tracing,
    }),
    dueWork,
    backlog: createBacklog({ db, now, metrics }),
    reconciliation: createReconciliation(dueWork, { db, now, logger }),
    idempotency,
    retention: createRetention({ db, days: tools.retention, now }),
    forgetting: createForgetting({ db, audit, forgetter: personForgetter, keyRing, now }),
    personForgetter,
    forgottenList: createForgottenList({ db, audit, forgetter: personForgetter, keyRing }),
    databaseCopies: copies,
    restoreCheck: createRestoreCheck({ db, audit, copies, psps, settlement, now, logger }),
  };
}

export type Services = ReturnType<typeof createServices>;
