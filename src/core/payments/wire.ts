import type { AuditServices } from '../audit/wire.ts';
import type { LinkServices } from '../checkout/links/wire.ts';
import type { EventServices } from '../events/wire.ts';
import type { IdempotencyServices } from '../idempotency/wire.ts';
import type { ProviderServices } from '../providers/wire.ts';
import type { RoutingServices } from '../routing/wire.ts';
import type { NotificationServices } from '../settlement/notifications/wire.ts';
import type { UnmatchedPix } from '../settlement/recording/unmatched-pix.ts';
import type { SettlementServices } from '../settlement/wire.ts';
import type { Base } from '../wiring/base.ts';
import { createChargePayment } from './charge-payment.ts';
import { createPaymentCreation } from './create-payment.ts';
import { createDebitPayments } from './debit-payment.ts';
import { createFirstPayments } from './first-payment.ts';
import { createPaymentTermFilling } from './search-terms.ts';
import { createPaymentRetry } from './retry-payment.ts';
import { createPaymentUpdate } from './update-payment.ts';
import { createPaymentService } from './payments.ts';
import type { SandboxAccount } from '../sandbox/rules/sandbox-account.ts';
import { createSandboxService } from './sandbox.ts';

export type PaymentServices = ReturnType<typeof wirePayments>;

type Needs = AuditServices &
  EventServices &
  LinkServices &
  IdempotencyServices &
  ProviderServices &
  RoutingServices &
  SettlementServices &
  NotificationServices & { unmatchedPix: UnmatchedPix };

export function wirePayments(base: Base & Needs, sandbox: SandboxAccount) {
  const chargePayment = createChargePayment(base);
  const createPayment = createPaymentCreation({ ...base, chargePayment });
  return {
    payments: createPaymentService({
      ...base,
      createPayment,
      updatePayment: createPaymentUpdate(base),
      retryPayment: createPaymentRetry(base),
    }),
    debitPayments: createDebitPayments({ ...base, chargePayment }),
    firstPayments: createFirstPayments(base),
    sandbox: createSandboxService({ ...base, sandbox }),
    paymentTermFilling: createPaymentTermFilling(base),
  };
}
