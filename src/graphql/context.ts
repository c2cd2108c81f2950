import type { Caller } from '../services/caller.ts';
import type { PaymentService } from '../services/payments.ts';
import type { RefundService } from '../services/refunds.ts';

/** What every resolver gets. */
export interface GraphqlContext {
  caller: Caller;
  traceId: string;
  /** From the `Idempotency-Key` header. */
  idempotencyKey: string | undefined;
  payments: PaymentService;
  refunds: RefundService;
}
