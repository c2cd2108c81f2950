import type { ResponseReader } from '../../core/base/pacing/response-limiter.ts';
import type { Caller } from '../../core/base/caller.ts';
import type { Services } from '../../core/create-services.ts';
import type { OperationNotes } from '../../transport/operation-notes.ts';

/** The services that resolvers call. */
export type GraphqlServices = Pick<
  Services,
  | 'payments'
  | 'paymentTokens'
  | 'paymentLinks'
  | 'livePayments'
  | 'requestFeed'
  | 'refunds'
  | 'sandbox'
  | 'investigation'
  | 'statistics'
  | 'receipts'
  | 'savedViews'
  | 'providerHealth'
  | 'attention'
  | 'alertPreferences'
  | 'forgetting'
  | 'events'
  | 'webhookEndpoints'
  | 'webhookDeliveries'
  | 'webhookHealth'
  | 'webhookRequests'
  | 'apiKeys'
  | 'credentials'
  | 'unreadableResponses'
  | 'ruleSets'
  | 'members'
  | 'sessions'
  | 'invitations'
  | 'audit'
  | 'books'
  | 'differences'
  | 'approvals'
  | 'organizations'
  | 'organizationSettings'
  | 'organizationProfile'
>;

/** The context of every resolver. */
export interface GraphqlContext extends GraphqlServices {
  caller: Caller;
  traceId: string;
  /** Reads pages one after another while the response stays within its size limit. */
  reader: ResponseReader;
  /** Comes from the `Idempotency-Key` header. */
  idempotencyKey: string | undefined;
  /** The mutations of this document so far have used these. */
  usedKeys: Set<string>;
  /** Written for whoever follows the requests of the key. */
  notes: OperationNotes;
}
