import { z } from 'zod';
import { instant, reais } from '../kit/response.ts';

export const id = z.union([z.int(), z.string()]).transform(String);

export const refund = z.object({ id, amount: reais, status: z.string(), date_created: instant.nullish() });

export const payment = z.object({
  id,
  status: z.string(),
  status_detail: z.string().nullish(),
  external_reference: z.string().nullish(),
  transaction_amount: reais,
  transaction_amount_refunded: reais.nullish(),
  date_created: instant,
  date_approved: instant.nullish(),
  date_last_updated: instant.nullish(),
  date_of_expiration: instant.nullish(),
  point_of_interaction: z
    .object({
      transaction_data: z
        .object({ qr_code: z.string().nullish(), e2e_id: z.string().nullish().catch(undefined) })
        .nullish(),
    })
    .nullish(),
  refunds: z.array(refund).nullish().catch(undefined),
  transaction_details: z.object({ transaction_id: z.string().nullish() }).nullish().catch(undefined),
});

export const searchResult = z.object({
  paging: z.object({ total: z.int() }).nullish(),
  results: z.array(z.object({ id, external_reference: z.string().nullish(), status: z.string().nullish() })),
});

export type MercadoPagoFound = z.output<typeof searchResult>['results'][number];
export type MercadoPagoPayment = z.output<typeof payment>;
export type MercadoPagoRefund = z.output<typeof refund>;

export interface MercadoPagoPaymentBody {
  /** In reais. */
  transaction_amount: number;
  description?: string;
  payment_method_id: 'pix';
  external_reference: string;
  notification_url?: string;
  date_of_expiration: string;
  payer: {
    email: string;
    first_name?: string;
    last_name?: string;
    identification?: { type: 'CPF' | 'CNPJ'; number: string };
  };
}
