import type { Caller } from '../services/caller.ts';
import type { EventService } from '../services/events.ts';
import type { LivePayments } from '../services/live-payments.ts';
import type { PaymentTokenService } from '../services/payment-tokens.ts';
import type { PaymentService } from '../services/payments.ts';
import type { RefundService } from '../services/refunds.ts';
import type { WebhookDeliveryService } from '../services/webhook-deliveries.ts';
import type { WebhookEndpointService } from '../services/webhook-endpoints.ts';

/** What the resolvers translate to. */
export interface GraphqlServices {
  payments: PaymentService;
  paymentTokens: PaymentTokenService;
  livePayments: LivePayments;
  refunds: RefundService;
  events: EventService;
  webhookEndpoints: WebhookEndpointService;
  webhookDeliveries: WebhookDeliveryService;
}

/** What every resolver gets. */
export interface GraphqlContext extends GraphqlServices {
  caller: Caller;
  traceId: string;
  /** From the `Idempotency-Key` header. */
  idempotencyKey: string | undefined;
}
