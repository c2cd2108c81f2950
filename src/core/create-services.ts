import type { Base } from './wiring/base.ts';
import { wireAudit } from './audit/wire.ts';
import { createResponseLimiter } from './base/pacing/response-limiter.ts';
import { wireBatches } from './batches/wire.ts';
import { wireBooks, wireUnmatchedPix } from './books/wire.ts';
import { wireLinks } from './checkout/links/wire.ts';
import { wireCheckout } from './checkout/wire.ts';
import { wireConformance } from './conformance/wire.ts';
import { wireDisputes } from './disputes/wire.ts';
import { createEncryptionService } from './encryption/encryption.ts';
import type { PaymentHints } from './events/payment-hints.ts';
import { wireEvents } from './events/wire.ts';
import type { CallLedger } from './health/rules/call-ledger.ts';
import { wireHealth } from './health/wire.ts';
import { wireIdempotency } from './idempotency/wire.ts';
import { type LiveTools, wireLive } from './live/wire.ts';
import type { SandboxAccount } from './sandbox/rules/sandbox-account.ts';
import { wirePayments } from './payments/wire.ts';
import { wireApprovalGate, wireApprovals } from './people/approvals/wire.ts';
import type { Mailer } from './people/rules/mailer.ts';
import type { RateLimits } from './people/rules/rate-limits.ts';
import { wirePeople } from './people/wire.ts';
import type { RetentionDays } from './privacy/retention.ts';
import { wirePrivacy } from './privacy/wire.ts';
import type { PspCatalogue } from './providers/psp-catalogue.ts';
import { wireProviders } from './providers/wire.ts';
import { wireRecurrences } from './recurrences/wire.ts';
import { wireRefunds } from './refunds/wire.ts';
import { wireReports } from './reports/wire.ts';
import { wireRestore } from './restore/wire.ts';
import { wireRouting } from './routing/wire.ts';
import { wireNotifications } from './settlement/notifications/wire.ts';
import { wireReconciliation } from './settlement/reconciliation/wire.ts';
import { createTestClockService } from './settlement/reconciliation/advance-clock.ts';
import { wireSettlement } from './settlement/wire.ts';
import type { WebhookTransport } from './webhooks/rules/webhook.ts';
import { wireWebhooks } from './webhooks/wire.ts';

/** Replacements used by tests. */
export interface Overrides {
  /** Instead of the database's clock. */
  now?: () => Date;
  idempotencyLeaseMs?: number;
}

/** What one noun or two depend on. */
export interface Tools extends LiveTools {
  hints: PaymentHints;
  keyCacheMs: number;
  rateLimits: RateLimits;
  retention: RetentionDays;
  catalogue: PspCatalogue;
  /** Where the catalogue counts its calls. */
  callLedger: Pick<CallLedger, 'take'>;
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  sandbox: SandboxAccount;
  webhookTransport: WebhookTransport;
}

/** Wires the services for both the server and the command line. Each noun is given what comes before it. */
export function createServices(base: Base, tools: Tools, { idempotencyLeaseMs }: Overrides = {}) {
  const { hints, catalogue, sandbox } = tools;
  const audit = wireAudit(base);
  const events = wireEvents({ ...base, ...audit, hints });
  const gate = wireApprovalGate({ ...base, ...audit, ...events });
  const guarded = { ...base, ...audit, ...gate };
  const idempotency = wireIdempotency(base, idempotencyLeaseMs);
  const links = wireLinks(base);
  const providers = wireProviders(guarded, { catalogue, sandbox: sandbox.adapter });
  const routing = wireRouting({ ...guarded, ...providers });
  const unmatched = wireUnmatchedPix(base);
  const settlement = wireSettlement({ ...base, ...unmatched, ...events, ...providers });
  const notifications = wireNotifications({ ...base, ...unmatched, ...providers, ...settlement });
  const beforePayments = { ...guarded, ...events, ...idempotency, ...links, ...providers, ...settlement };
  const payments = wirePayments({ ...beforePayments, ...unmatched, ...routing, ...notifications }, sandbox);
  const recurrences = wireRecurrences({ ...beforePayments, ...routing, ...payments }, sandbox);
  const disputes = wireDisputes(beforePayments);
  const testClock = createTestClockService({ ...base, ...audit, ...settlement, ...recurrences, ...disputes });
  const batches = wireBatches({ ...base, ...audit, ...idempotency, ...payments });
  const books = wireBooks({ ...base, ...audit, ...unmatched, ...providers, ...settlement }, sandbox);
  const refunds = wireRefunds(beforePayments);
  const people = wirePeople(guarded, tools);
  const live = wireLive({ ...beforePayments, ...payments, ...recurrences, ...people }, tools);
  const checkout = wireCheckout({ ...beforePayments, ...routing, ...payments, ...live });
  const webhooks = wireWebhooks(guarded, tools.webhookTransport);
  const approvals = wireApprovals(
    { ...guarded, ...events },
    {
      ...providers.credentials.guarded,
      ...routing.ruleSets.guarded,
      ...routing.defaultFallbacks.guarded,
      ...routing.diversions.guarded,
      ...webhooks.webhookEndpoints.guarded,
      ...people.organizationSettings.guarded,
      ...refunds.refunds.guarded,
      ...recurrences.recurrences.guarded,
      ...disputes.disputes.guarded,
      ...people.invitations.guarded,
      ...people.members.guarded,
      ...people.apiKeys.guarded,
    },
  );
  return {
    ...audit,
    ...events,
    ...idempotency,
    ...links,
    ...providers,
    ...routing,
    ...unmatched,
    ...notifications,
    ...payments,
    ...batches,
    ...recurrences,
    ...disputes,
    testClock,
    ...books,
    ...refunds,
    ...people,
    ...live,
    ...checkout,
    ...webhooks,
    ...approvals,
    ...wireConformance({ ...base, ...audit, ...providers, ...notifications }),
    ...wireReports({ ...base, ...audit, ...links, ...providers, ...payments, ...routing }),
    ...wireHealth({ ...base, ...audit }, tools),
    ...wirePrivacy({ ...base, ...audit }, tools.retention),
    ...wireRestore({ ...base, ...audit, ...providers, ...settlement }),
    ...wireReconciliation({
      ...base,
      ...settlement,
      ...notifications,
      ...recurrences,
      ...disputes,
      ...books,
      ...refunds,
    }),
    encryption: createEncryptionService(base),
    responses: createResponseLimiter(),
  };
}

export type Services = ReturnType<typeof createServices>;
