import type { TestClocks } from '../../clock/test-clocks.ts';
import type { CheckoutTokenKind } from '../rules/checkout-token.ts';
import type { PaymentView } from '../../payments/views/payment-view.ts';
import type { RecurrenceView } from '../../recurrences/views/recurrence-view.ts';
import { withAmountToday } from '../../payments/views/due-view.ts';
import { qrCodeOf } from '../../payments/views/qr-codes.ts';
import type { CheckoutKeys } from './checkout-keys.ts';

/** The addresses of checkout pages, each of which opens its page to anybody who has it. */
export interface CheckoutLinks {
  /** Begins with PUBLIC_URL, whatever `Host` a request names. */
  urlOf(kind: CheckoutTokenKind, id: string): string;
  /** Adds what a payer needs: QR code and amount of today while it can be paid, and the address of the checkout page. */
  withCheckout(view: PaymentView, organizationId: string): PaymentView;
  /** Adds the address of the page on which the payer permits it, while they can. */
  withConsent(view: RecurrenceView): RecurrenceView;
  /** The id that an address was made for; undefined if we did not sign its token. Needs no database. */
  idOf(kind: CheckoutTokenKind, token: string): string | undefined;
}

const paths: Record<CheckoutTokenKind, string> = { payment: '/pay/', link: '/pay/l/', recurrence: '/pay/r/' };

export function createCheckoutLinks(
  keys: Pick<CheckoutKeys, 'sign' | 'verify'>,
  publicUrl: string,
  testClocks: Pick<TestClocks, 'nowIn'>,
): CheckoutLinks {
  const urlOf: CheckoutLinks['urlOf'] = (kind, id) => publicUrl + paths[kind] + keys.sign(kind, id);
  return {
    urlOf,
    withCheckout: (view, organizationId) => ({
      ...withAmountToday(view, testClocks.nowIn({ organizationId, mode: view.isTest ? 'test' : 'live' })),
      pixQrCodeBase64:
        view.status === 'pending' && view.pixCopyPaste ? qrCodeOf(view.pixCopyPaste) : undefined,
      // A debit is paid by the payer's bank alone.
      checkoutUrl: view.debit ? undefined : urlOf('payment', view.id),
    }),
    withConsent: (view) =>
      view.status === 'pending' ? { ...view, checkoutUrl: urlOf('recurrence', view.id) } : view,
    idOf: (kind, token) => keys.verify(kind, token),
  };
}
