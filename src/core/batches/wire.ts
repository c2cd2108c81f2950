import type { AuditServices } from '../audit/wire.ts';
import type { IdempotencyServices } from '../idempotency/wire.ts';
import type { PaymentServices } from '../payments/wire.ts';
import type { Base } from '../wiring/base.ts';
import { createBatchService } from './batches.ts';
import { createBatchRunner } from './run-batches.ts';

export const wireBatches = (base: Base & AuditServices & IdempotencyServices & PaymentServices) => ({
  batches: createBatchService(base),
  batchRunner: createBatchRunner({ ...base, createPayment: base.payments.createInBatch }),
});
