import { z } from 'zod';
import { instant, optionally } from '../kit/moment.ts';
import { centavos, ifReadable, told } from '../kit/response.ts';

const transaction = z.object({
  id: ifReadable(z.string()),
  status: ifReadable(z.string()),
  amount: ifReadable(centavos),
  created_at: optionally(instant),
  qr_code: ifReadable(z.string()),
  expires_at: optionally(instant),
  end_to_end_id: ifReadable(z.string()),
  /** GetPixPayerResponse of pagarme/pagarme-nodejs-sdk. */
  payer: ifReadable(z.object({ name: told, document: told })),
  gateway_response: z
    .object({
      code: z.string().nullish(),
      errors: z.array(z.object({ message: z.string().nullish() })).nullish(),
    })
    .nullish()
    .catch(undefined),
});

export const charge = z.object({
  id: z.string(),
  status: z.string(),
  amount: centavos,
  paid_amount: centavos.nullish(),
  canceled_amount: centavos.nullish(),
  paid_at: optionally(instant),
  canceled_at: optionally(instant),
  last_transaction: ifReadable(transaction),
});

export const order = z.object({
  id: z.string(),
  code: z.string().nullish(),
  charges: z.array(charge),
});

export const transactions = z.object({
  data: z.array(transaction),
  paging: z.object({ total: z.int().nullish() }).nullish(),
});

export const found = z.object({ data: z.array(z.object({ id: z.string(), code: z.string().nullish() })) });

export type PagarmeTransaction = z.output<typeof transaction>;
export type PagarmeCharge = z.output<typeof charge>;
export type PagarmeOrder = z.output<typeof order>;

export interface PagarmePhone {
  country_code: string;
  area_code: string;
  number: string;
}

export interface PagarmeOrderBody {
  code: string;
  items: { amount: number; description: string; quantity: 1; code: string }[];
  customer: {
    name: string;
    email: string;
    type: 'individual' | 'company';
    document: string;
    document_type: 'CPF' | 'CNPJ';
    phones: { mobile_phone: PagarmePhone } | { home_phone: PagarmePhone };
  };
  /** `expires_in` is in seconds. */
  payments: { payment_method: 'pix'; pix: { expires_in: number } }[];
}
