import type { AuditServices } from '../audit/wire.ts';
import type { EventServices } from '../events/wire.ts';
import type { IdempotencyServices } from '../idempotency/wire.ts';
import type { Gate } from '../people/approvals/wire.ts';
import type { ProviderServices } from '../providers/wire.ts';
import type { SettlementServices } from '../settlement/wire.ts';
import type { Base } from '../wiring/base.ts';
import { createDisputeAnswers } from './answer-dispute.ts';
import { createDisputeRunner } from './dispute-runner.ts';
import { createDisputeSweeper } from './dispute-sweep.ts';
import { createDisputeService } from './disputes.ts';

export type DisputeServices = ReturnType<typeof wireDisputes>;

type Needs = AuditServices &
  Gate &
  EventServices &
  IdempotencyServices &
  ProviderServices &
  SettlementServices;

export function wireDisputes(base: Base & Needs) {
  const disputeAnswers = createDisputeAnswers(base);
  return {
    disputes: createDisputeService({ ...base, disputeAnswers }),
    disputeRunner: createDisputeRunner({ ...base, disputeAnswers }),
    disputeSweeper: createDisputeSweeper(base),
  };
}
