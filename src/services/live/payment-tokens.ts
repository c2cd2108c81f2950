import { z } from 'zod';
import type { KeyRing } from '../../domain/security/envelope.ts';
import { ServiceError } from '../../domain/errors.ts';
import { signPaymentToken, verifyPaymentToken } from '../../domain/security/payment-token.ts';
import { assertMay, type Caller, type TokenCaller } from '../caller.ts';
import type { PaymentService } from '../payments/payments.ts';

export const paymentTokenSchema = z.object({
  token: z.string().meta({
    description: 'For `Authorization: Bearer` in the payer’s browser: reads this payment and nothing else.',
  }),
  expiresAt: z.iso.datetime().meta({ description: 'Ten minutes after the payment can be paid.' }),
});

export type PaymentTokenView = z.output<typeof paymentTokenSchema>;

/** What a key gives to the browser of a payer. */
export interface PaymentTokenService {
  /** Fails with a 409 when the payment's time is over. */
  create(caller: Caller, paymentId: string): Promise<PaymentTokenView>;
  /** Undefined for one that is forged or has expired. Without a look-up. */
  verify(token: string): TokenCaller | undefined;
}

interface Dependencies {
  keyRing: KeyRing;
  payments: Pick<PaymentService, 'get'>;
  now: () => Date;
}

const afterExpiryMs = 600_000;

export function createPaymentTokenService({ keyRing, payments, now }: Dependencies): PaymentTokenService {
  return {
    async create(caller, id) {
      assertMay(caller, 'payments:read');
      const payment = await payments.get(caller, id);
      const { organizationId, mode } = caller;
      const expiresMs = new Date(payment.expiresAt).getTime() + afterExpiryMs;
      const expiresAt = new Date(Math.floor(expiresMs / 1000) * 1000);
      if (expiresAt <= now())
        throw new ServiceError('payment_not_payable', 'The time to pay this payment is over');
      const token = signPaymentToken(keyRing, { organizationId, mode, paymentId: payment.id, expiresAt });
      return { token, expiresAt: expiresAt.toISOString() };
    },

    verify(token) {
      const claims = verifyPaymentToken(keyRing, token, now());
      return claims && { kind: 'token', ...claims };
    },
  };
}
