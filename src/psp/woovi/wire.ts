import { z } from 'zod';
import { centavos, instant } from '../kit/answer.ts';

export const charge = z.object({
  status: z.string(),
  value: centavos,
  correlationID: z.string(),
  transactionID: z.string().nullish(),
  identifier: z.string().nullish(),
  expiresDate: instant,
  brCode: z.string().nullish(),
  paidAt: instant.nullish(),
  updatedAt: instant.nullish(),
});

/** A charge created in Woovi's dashboard may lack our id. */
export const refund = z.object({ status: z.string(), value: centavos, correlationID: z.string().nullish() });

export const chargeAnswer = z.object({ charge });
export const refundAnswer = z.object({ refund });
export const refundsAnswer = z.object({ refunds: z.array(refund) });

export type WooviCharge = z.output<typeof charge>;
export type WooviRefund = z.output<typeof refund>;

export interface WooviChargeBody {
  correlationID: string;
  /** In centavos. */
  value: number;
  type: 'DYNAMIC';
  /** In seconds. */
  expiresIn: number;
  comment?: string;
  customer?: { name: string; taxID?: string; email?: string; phone?: string };
}
