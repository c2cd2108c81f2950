import { type DetailedHTMLProps, type HTMLAttributes, useEffect, useState } from 'react';
import { type FollowedPayment, followPayment, secondsLeft } from './follow-payment.ts';
import type { Payment, PaymentAddress, PaymentError, PaymentStatus } from './payment.ts';
import type { PixCheckout } from './pix-checkout.ts';

export { type Due, PaymentError, type Payment, type PaymentAddress, type PaymentStatus } from './payment.ts';

/** Nothing is known until the service has responded. */
export interface PixPayment {
  payment?: Payment | undefined;
  status?: PaymentStatus | undefined;
  /** Seconds, while the payment is pending. */
  timeLeft?: number | undefined;
  /** Can be copied while the payment is pending. */
  code?: string | undefined;
  /** The code as an image, for `src`. */
  qrCode?: string | undefined;
  /** The service has not been reached for a while; it is tried again. */
  isOffline: boolean;
  /** The service refuses: a wrong token, or one that has ended. */
  error?: PaymentError | undefined;
}

const unknown: FollowedPayment = { isOffline: false };

function useSecondsLeft(state: FollowedPayment): number | undefined {
  const { endsAtMs } = state;
  const isPending = state.payment?.status === 'pending' && !state.error;
  const [left, setLeft] = useState<number>();
  useEffect(() => {
    if (!isPending || endsAtMs === undefined) return undefined;
    const tick = (): void => setLeft(secondsLeft({ endsAtMs, isOffline: false }));
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [isPending, endsAtMs]);
  return isPending ? left : undefined;
}

/** The payment as it is and as it changes. Without an address, such as while your server creates the payment, it waits. */
export function usePixPayment(address: PaymentAddress | undefined): PixPayment {
  const { service, paymentId, token } = address ?? {};
  const key = JSON.stringify([service, paymentId, token]);
  const [followed, setFollowed] = useState({ key, state: unknown });
  useEffect(() => {
    if (!service || !paymentId || !token) return undefined;
    return followPayment({ service, paymentId, token }, (state) => setFollowed({ key, state }));
  }, [key, service, paymentId, token]);

  // What was known of another payment is not shown as this one.
  const state = followed.key === key ? followed.state : unknown;
  const { payment, isOffline, error } = state;
  const timeLeft = useSecondsLeft(state);
  const pending = payment?.status === 'pending' && !error ? payment : undefined;
  const image = pending?.pixQrCodeBase64;
  return {
    payment,
    status: payment?.status,
    timeLeft,
    code: pending?.pixCopyPaste,
    qrCode: image && `data:image/png;base64,${image}`,
    isOffline,
    error,
  };
}

type PixCheckoutProps = DetailedHTMLProps<HTMLAttributes<PixCheckout>, PixCheckout> & Partial<PaymentAddress>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      /** Import `@pix-service/checkout` as well. React 19 or newer. */
      'pix-checkout': PixCheckoutProps;
    }
  }
}
