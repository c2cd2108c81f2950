import type { Answer } from '../services/answers.ts';
import type { ApiKeyService } from '../services/people/api-keys.ts';
import type { ApprovalService } from '../services/approvals/approvals.ts';
import type { AuditService } from '../services/audit/audit.ts';
import type { Caller } from '../services/caller.ts';
import type { CredentialService } from '../services/providers/credentials.ts';
import type { EventService } from '../services/webhooks/events.ts';
import type { LivePayments } from '../services/live/live-payments.ts';
import type { PaymentTokenService } from '../services/live/payment-tokens.ts';
import type { InvestigationService } from '../services/reports/investigation.ts';
import type { InvitationService } from '../services/people/invitations.ts';
import type { MemberService } from '../services/people/members.ts';
import type { OrganizationSettingsService } from '../services/people/organization-settings.ts';
import type { PaymentService } from '../services/payments/payments.ts';
import type { RefundService } from '../services/refunds/refunds.ts';
import type { RuleSetService } from '../services/providers/rule-sets.ts';
import type { SandboxService } from '../services/payments/sandbox.ts';
import type { StatisticsService } from '../services/reports/statistics.ts';
import type { WebhookDeliveryService } from '../services/webhooks/webhook-deliveries.ts';
import type { WebhookEndpointService } from '../services/webhooks/webhook-endpoints.ts';

/** What the resolvers translate to. */
export interface GraphqlServices {
  payments: PaymentService;
  paymentTokens: PaymentTokenService;
  livePayments: LivePayments;
  refunds: RefundService;
  sandbox: SandboxService;
  investigation: InvestigationService;
  statistics: StatisticsService;
  events: EventService;
  webhookEndpoints: WebhookEndpointService;
  webhookDeliveries: WebhookDeliveryService;
  apiKeys: ApiKeyService;
  credentials: CredentialService;
  ruleSets: RuleSetService;
  members: MemberService;
  invitations: InvitationService;
  audit: AuditService;
  approvals: ApprovalService;
  organizationSettings: OrganizationSettingsService;
}

/** What every resolver gets. */
export interface GraphqlContext extends GraphqlServices {
  caller: Caller;
  traceId: string;
  /** By which pages are read, one after another, as long as the answer is not too large. */
  answer: Answer;
  /** From the `Idempotency-Key` header. */
  idempotencyKey: string | undefined;
}
