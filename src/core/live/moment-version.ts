import type { PaymentMoment } from '../payments/store/live-payments.ts';
import { amountRefundedOf, amountReversedOf, paymentVersion } from '../payments/views/payment-view.ts';

/** What `paymentVersion` of its view would be. */
export const momentVersion = (moment: PaymentMoment): string => {
  const { status, confirmedAt, expiresAt, disputed } = moment;
  return paymentVersion({
    status,
    confirmedAt: confirmedAt?.toISOString(),
    expiresAt: expiresAt.toISOString(),
    amountRefunded: amountRefundedOf(moment),
    amountReversed: amountReversedOf(moment),
    disputed: disputed || undefined,
  });
};
