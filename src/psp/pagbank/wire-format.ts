import { z } from 'zod';
import { instant, optionally } from '../kit/moment.ts';
import { centavos, ifReadable, orUnreadable, splitUnreadable, told } from '../kit/response.ts';

/** `end_to_end_id` is documented nowhere; recorded responses have only a `notification_id` there. */
const pix = z.object({
  end_to_end_id: ifReadable(z.string()),
  /** Documented by others only; what it is of a charge by Pix is who paid. */
  holder: ifReadable(z.object({ name: told, tax_id: told, document: told })),
});

export const charge = z.object({
  id: z.string(),
  reference_id: z.string().nullish(),
  status: z.string(),
  paid_at: optionally(instant),
  created_at: optionally(instant),
  amount: z.object({
    value: centavos,
    summary: ifReadable(z.object({ paid: ifReadable(centavos), refunded: ifReadable(centavos) })),
  }),
  payment_method: z.object({ type: z.string().nullish(), pix: ifReadable(pix) }).nullish(),
});

/** An unreadable charge does not hide a paid one. If no other is paid, it may be the one that was. */
const chargesOfOrder = z
  .array(orUnreadable(charge, { id: 'id' }))
  .nullish()
  .transform((items, context) => {
    const { read, unreadable } = splitUnreadable(items ?? []);
    if (unreadable.length === 0 || read.some(({ status }) => status === 'PAID')) return read;
    const members = unreadable.flatMap((item) => item.members);
    context.addIssue({ code: 'custom', message: 'must be a charge', path: [members.join(', ')] });
    return z.NEVER;
  });

/** Has no charges until it is paid. */
export const order = z.object({
  id: z.string(),
  reference_id: z.string().nullish(),
  qr_codes: z
    .array(
      z.object({
        amount: z.object({ value: centavos }),
        text: ifReadable(z.string()),
        expiration_date: optionally(instant),
      }),
    )
    .nullish(),
  charges: chargesOfOrder,
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
