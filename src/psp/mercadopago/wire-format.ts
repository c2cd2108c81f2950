import { z } from 'zod';
import { instant, optionally } from '../kit/moment.ts';
import { eachIfReadable, ifReadable, orUnreadable, reais, told } from '../kit/response.ts';

const id = z.union([z.int(), z.string()]).transform(String);

export const refund = z.object({
  id,
  amount: reais,
  status: z.string(),
  date_created: optionally(instant),
});

/** A document that is a number lacks its leading zeros. */
const toldDocument = (digits: 11 | 14) =>
  ifReadable(z.union([z.string(), z.int().transform((value) => String(value).padStart(digits, '0'))]));

/**
 * Who paid, in responses that integrators show (`account_holder_name`, `identification`). Mercado Pago documents it nowhere, and
 * `payer` is the one asked for.
 */
const bankPayer = z.object({
  account_holder_name: told,
  identification: ifReadable(
    z.union([
      z.object({ type: z.literal('CPF'), number: toldDocument(11) }),
      z.object({ type: z.literal('CNPJ'), number: toldDocument(14) }),
    ]),
  ),
});

export const payment = z.object({
  id,
  status: z.string(),
  status_detail: ifReadable(z.string()),
  external_reference: z.string().nullish(),
  transaction_amount: reais,
  transaction_amount_refunded: ifReadable(reais),
  date_created: optionally(instant),
  date_approved: optionally(instant),
  date_last_updated: optionally(instant),
  date_of_expiration: optionally(instant),
  point_of_interaction: ifReadable(
    z.object({
      transaction_data: ifReadable(
        z.object({
          qr_code: ifReadable(z.string()),
          e2e_id: ifReadable(z.string()),
          bank_info: ifReadable(z.object({ payer: ifReadable(bankPayer) })),
        }),
      ),
    }),
  ),
  refunds: eachIfReadable(refund),
  transaction_details: ifReadable(z.object({ transaction_id: z.string().nullish() })),
});

/**
 * A claim (mercadopago.com.br/developers, "Manage chargebacks"; `ChargebackResponse` of its SDK). `date_created` can be null, and the
 * descriptions of documents are such as `File: img.png, Size: 3324`.
 */
const chargeback = z.object({
  id,
  reason: ifReadable(z.string()),
  documentation: z
    .array(z.object({ description: z.string().nullish() }))
    .nullish()
    .catch(undefined),
  date_documentation_deadline: optionally(instant),
  date_created: optionally(instant),
});

export const chargebacksFound = z.object({ results: z.array(chargeback) });

export type MercadoPagoChargeback = z.output<typeof chargeback>;

const found = z.object({
  id,
  external_reference: z.string().nullish(),
  status: z.string().nullish(),
  date_created: optionally(instant),
  date_last_updated: optionally(instant),
});

export const searchResult = z.object({
  paging: z.object({ total: z.int() }).nullish(),
  results: z.array(found),
});

/** Requires the paging, which is documented as always there: without it, nobody knows whether this is all. */
const searchPage = <Item extends z.ZodType>(item: Item) =>
  z.object({ paging: z.object({ total: z.int() }), results: z.array(item) });

export const foundPage = searchPage(found);

/**
 * The statuses of money that was credited, from "Payment status" of the reference, and all others. A payment with an unknown
 * status cannot be read, so that no money is passed over.
 */
const credited = ['approved', 'in_mediation', 'refunded', 'charged_back'] as const;
const notCredited = ['pending', 'authorized', 'in_process', 'rejected', 'cancelled'] as const;

const receivedPix = payment.extend({
  payment_method_id: z.literal('pix'),
  status: z.enum(credited),
  date_approved: instant,
  fee_details: z
    .array(z.object({ amount: reais, fee_payer: z.string().nullish() }))
    .nullish()
    .catch(undefined),
});

const notReceived = z
  .union([
    z.object({ payment_method_id: z.string().refine((method) => method !== 'pix') }),
    z.object({ status: z.enum(notCredited) }),
  ])
  .transform(() => undefined);

export const statementPage = searchPage(
  orUnreadable(z.union([receivedPix, notReceived]), { id: 'id', receivedAt: 'date_approved' }),
);

export type MercadoPagoListed = z.output<typeof statementPage>['results'][number];
export type MercadoPagoReceived = z.output<typeof receivedPix>;
export type MercadoPagoFound = z.output<typeof searchResult>['results'][number];
export type MercadoPagoFoundPage = z.output<typeof foundPage>;
export type MercadoPagoPayment = z.output<typeof payment>;
export type MercadoPagoRefund = z.output<typeof refund>;

export interface MercadoPagoPaymentBody {
  /** Mercado Pago takes reais. */
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
