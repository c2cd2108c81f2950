import type { Answer } from '../services/answers.ts';
import type { ApiKeyService } from '../services/api-keys.ts';
import type { ApprovalService } from '../services/approvals.ts';
import type { AuditService } from '../services/audit.ts';
import type { Caller } from '../services/caller.ts';
import type { CredentialService } from '../services/credentials.ts';
import type { EventService } from '../services/events.ts';
import type { LivePayments } from '../services/live-payments.ts';
import type { PaymentTokenService } from '../services/payment-tokens.ts';
import type { InvestigationService } from '../services/investigation.ts';
import type { InvitationService } from '../services/invitations.ts';
import type { MemberService } from '../services/members.ts';
import type { OrganizationSettingsService } from '../services/organization-settings.ts';
import type { PaymentService } from '../services/payments.ts';
import type { RefundService } from '../services/refunds.ts';
import type { RuleSetService } from '../services/rule-sets.ts';
import type { SandboxService } from '../services/sandbox.ts';
import type { StatisticsService } from '../services/statistics.ts';
import type { WebhookDeliveryService } from '../services/webhook-deliveries.ts';
import type { WebhookEndpointService } from '../services/webhook-endpoints.ts';

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
