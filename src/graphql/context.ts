import type { ResponseReader } from '../services/response-limiter.ts';
import type { Caller } from '../services/caller.ts';
import type { Services } from '../services/create-services.ts';

/** What the resolvers translate to. */
export type GraphqlServices = Pick<
  Services,
  | 'payments'
  | 'paymentTokens'
  | 'livePayments'
  | 'refunds'
  | 'sandbox'
  | 'investigation'
  | 'statistics'
  | 'events'
  | 'webhookEndpoints'
  | 'webhookDeliveries'
  | 'apiKeys'
  | 'credentials'
  | 'ruleSets'
  | 'members'
  | 'invitations'
  | 'audit'
  | 'approvals'
  | 'organizationSettings'
>;

/** What every resolver gets. */
export interface GraphqlContext extends GraphqlServices {
  caller: Caller;
  traceId: string;
  /** By which pages are read, one after another, as long as the answer is not too large. */
  answer: ResponseReader;
  /** From the `Idempotency-Key` header. */
  idempotencyKey: string | undefined;
}
