import type { AuditServices } from '../audit/wire.ts';
import type { LinkServices } from '../checkout/links/wire.ts';
import type { EventServices } from '../events/wire.ts';
import type { PaymentServices } from '../payments/wire.ts';
import type { PeopleServices } from '../people/wire.ts';
import type { RecurrenceServices } from '../recurrences/wire.ts';
import type { SettlementServices } from '../settlement/wire.ts';
import type { Base } from '../wiring/base.ts';
import { createLiveRecurrences } from './live-recurrences.ts';
import { createLivePayments } from './live-payments.ts';
import { createLiveSessions } from './live-sessions.ts';
import { createPaymentTokenService } from './payment-tokens.ts';
import { createKeptRequests, type KeptRequest } from './kept-requests.ts';
import { createRequestFeed } from './request-feed.ts';
import type { RequestArchive } from './rules/request-archive.ts';
import type { RequestRelay } from './rules/request-relay.ts';
import type { ServedRequest } from './served-request.ts';

export type LiveServices = ReturnType<typeof wireLive>;

type Needs = AuditServices &
  EventServices &
  LinkServices &
  SettlementServices &
  PaymentServices &
  PeopleServices &
  RecurrenceServices;

export interface LiveTools {
  requestRelay: RequestRelay<ServedRequest>;
  requestArchive: RequestArchive<KeptRequest>;
}

export const wireLive = (base: Base & Needs, { requestRelay, requestArchive }: LiveTools) => ({
  livePayments: createLivePayments(base),
  liveRecurrences: createLiveRecurrences(base),
  liveSessions: createLiveSessions({
    ...base,
    keys: base.keyAuthentication,
    people: base.sessions,
    changes: base.callerChanges,
  }),
  paymentTokens: createPaymentTokenService(base),
  requestFeed: createRequestFeed(requestRelay),
  keptRequests: createKeptRequests(requestArchive),
});
