import { z } from 'zod';
import { instant, optionally } from '../kit/moment.ts';
import { centavos } from '../kit/response.ts';

/** `end_to_end_id` is documented nowhere; recorded responses have only a `notification_id` there. */
const pix = z.object({ end_to_end_id: z.string().nullish() });

export const charge = z.object({
  id: z.string(),
  reference_id: z.string().nullish(),
  status: z.string(),
  paid_at: optionally(instant),
  created_at: optionally(instant),
  amount: z.object({
    value: centavos,
    summary: z.object({ paid: centavos.nullish(), refunded: centavos.nullish() }).nullish(),
  }),
  payment_method: z.object({ type: z.string().nullish(), pix: pix.nullish() }).nullish(),
});

/** Has no charges until it is paid. */
export const order = z.object({
  id: z.string(),
  reference_id: z.string().nullish(),
  qr_codes: z
    .array(
      z.object({
        amount: z.object({ value: centavos }),
        text: z.string().nullish(),
        expiration_date: optionally(instant),
      }),
    )
    .nullish(),
  charges: z.array(charge).nullish(),
});

/** Integrators have seen both shapes. */
export const foundCharges = z.union([z.array(charge), charge.transform((only) => [only])]);

export type PagbankCharge = z.output<typeof charge>;
export type PagbankOrder = z.output<typeof order>;

export interface PagbankPhone {
  country: string;
  area: string;
  number: string;
  type: 'MOBILE' | 'HOME';
}

export interface PagbankOrderBody {
  reference_id: string;
  customer: { name: string; email: string; tax_id: string; phones?: PagbankPhone[] };
  /** PagBank takes centavos. */
  items: { name: string; quantity: 1; unit_amount: number }[];
  qr_codes: { amount: { value: number }; expiration_date: string }[];
  notification_urls?: string[];
}
