import type { AuditServices } from '../audit/wire.ts';
import type { EventServices } from '../events/wire.ts';
import type { IdempotencyServices } from '../idempotency/wire.ts';
import type { Gate } from '../people/approvals/wire.ts';
import type { ProviderServices } from '../providers/wire.ts';
import type { Base } from '../wiring/base.ts';
import { createRefundExport } from './refund-export.ts';
import { createRefundLists } from './refund-lists.ts';
import { createRefundWatch } from './refund-watch.ts';
import { createRefundService } from './refunds.ts';
import { createReturnsToOthers } from './return-to-others.ts';
import { createRefundSender } from './send-refund.ts';

export type RefundServices = ReturnType<typeof wireRefunds>;

type Needs = AuditServices & Gate & EventServices & IdempotencyServices & ProviderServices;

export function wireRefunds(base: Base & Needs) {
  const refunds = createRefundService({ ...base, refundSender: createRefundSender(base) });
  const refundLists = createRefundLists(base);
  return {
    refunds,
    refundLists,
    refundExport: createRefundExport({ ...base, refundLists }),
    refundWatch: createRefundWatch(base),
    returnsToOthers: createReturnsToOthers({ ...base, refunds }),
  };
}
