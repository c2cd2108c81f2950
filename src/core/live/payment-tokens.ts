import { z } from 'zod';
import type { KeyRing } from '../encryption/rules/envelope.ts';
import { ServiceError } from '../base/errors.ts';
import { signPaymentToken, verifyPaymentToken } from './rules/payment-token.ts';
import { assertMay, type Caller, type TokenCaller } from '../base/caller.ts';
import type { PaymentService } from '../payments/payments.ts';

export const paymentTokenSchema = z.object({
  token: z.string().meta({
    description:
      'For `Authorization: Bearer` in the payer’s browser. Can read this payment and nothing else.',
  }),
  expiresAt: z.iso.datetime().meta({ description: "Ten minutes after the payment's own expiry." }),
});

export type PaymentTokenView = z.output<typeof paymentTokenSchema>;

/** Issues tokens that an API key's holder gives to a payer's browser. */
export interface PaymentTokenService {
  /** Fails with `payment_not_payable` after the payment's expiry. */
  create(caller: Caller, paymentId: string): Promise<PaymentTokenView>;
  /** Undefined for a forged or expired token. Needs no database. */
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
      if (expiresAt <= now()) throw new ServiceError('payment_not_payable', 'This payment has expired');
      const token = signPaymentToken(keyRing, { organizationId, mode, paymentId: payment.id, expiresAt });
      return { token, expiresAt: expiresAt.toISOString() };
    },

    verify(token) {
      const claims = verifyPaymentToken(keyRing, token, now());
      return claims && { kind: 'token', ...claims };
    },
  };
}
