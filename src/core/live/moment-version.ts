import { debitView } from '../payments/views/debit-view.ts';
import type { PaymentMoment } from '../payments/store/live-payments.ts';
import { amountRefundedOf, amountReversedOf, paymentVersion } from '../payments/views/payment-view.ts';

/** Equals `paymentVersion` of the payment's view, without making the view. */
export const momentVersion = (moment: PaymentMoment): string => {
  const { status, confirmedAt, expiresAt, disputed, overdue, revision, debit } = moment;
  return paymentVersion({
    status,
    confirmedAt: confirmedAt?.toISOString(),
    expiresAt: expiresAt.toISOString(),
    amountRefunded: amountRefundedOf(moment),
    amountReversed: amountReversedOf(moment),
    disputed: disputed || undefined,
    overdue: (overdue && status === 'pending') || undefined,
    revision,
    debit: debit ? debitView(debit) : undefined,
  });
};
