import { z } from 'zod';
import { answerReader, instant, reais } from '../kit/answer.ts';
import type { OpenHttpClient } from '../http/http-client.ts';
import { refusalOf } from './mapping.ts';
import type { MercadoPagoSettings } from './settings.ts';

const id = z.union([z.int(), z.string()]).transform(String);

const payment = z.object({
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
  transaction_details: z.object({ transaction_id: z.string().nullish() }).nullish().catch(undefined),
});

const searchResult = z.object({
  results: z.array(z.object({ id, external_reference: z.string().nullish(), status: z.string().nullish() })),
});

const refund = z.object({ id, amount: reais, status: z.string(), date_created: instant.nullish() });

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

/** The Payments API, v1. */
export interface MercadoPagoClient {
  /** The same key answers the first payment. */
  createPayment(
    body: MercadoPagoPaymentBody,
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<MercadoPagoPayment>;
  findPayment(paymentId: string, signal: AbortSignal): Promise<MercadoPagoPayment | undefined>;
  /** The id of the payment that we named so, the paid one if there are several. */
  searchPayment(externalReference: string, signal: AbortSignal): Promise<string | undefined>;
  cancelPayment(paymentId: string, idempotencyKey: string, signal: AbortSignal): Promise<MercadoPagoPayment>;
  /** The same key answers the first refund. The amount is in reais. */
  createRefund(
    paymentId: string,
    { amount }: { amount: number },
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<MercadoPagoRefund>;
  listRefunds(paymentId: string, signal: AbortSignal): Promise<MercadoPagoRefund[]>;
}

/** A refund that waits for the Banco Central answers 400 without it. */
const showRefundsInProcess = { 'x-render-in-process-refunds': 'true' };

const read = answerReader(refusalOf);

export function createMercadoPagoClient(
  { accessToken, baseUrl }: MercadoPagoSettings,
  openHttp: OpenHttpClient,
): MercadoPagoClient {
  const http = openHttp();
  const payments = `${baseUrl}/v1/payments`;
  const authorization = `Bearer ${accessToken}`;
  const urlOf = (paymentId: string) => `${payments}/${encodeURIComponent(paymentId)}`;

  return {
    async createPayment(body, idempotencyKey, signal) {
      const headers = { authorization, 'x-idempotency-key': idempotencyKey };
      const response = await http.request({ method: 'POST', url: payments, headers, body, signal });
      return read(payment, response);
    },

    async findPayment(paymentId, signal) {
      const headers = { authorization };
      const response = await http.request({ method: 'GET', url: urlOf(paymentId), headers, signal });
      return response.status === 404 ? undefined : read(payment, response);
    },

    async searchPayment(externalReference, signal) {
      const query = new URLSearchParams({
        external_reference: externalReference,
        sort: 'date_created',
        criteria: 'asc',
      });
      const url = `${payments}/search?${query.toString()}`;
      const response = await http.request({ method: 'GET', url, headers: { authorization }, signal });
      const { results } = read(searchResult, response);
      const ours = results.filter(({ external_reference }) => external_reference === externalReference);
      return (ours.find(({ status }) => status === 'approved') ?? ours[0])?.id;
    },

    async cancelPayment(paymentId, idempotencyKey, signal) {
      const headers = { authorization, 'x-idempotency-key': idempotencyKey };
      const body = { status: 'cancelled' };
      const response = await http.request({ method: 'PUT', url: urlOf(paymentId), headers, body, signal });
      return read(payment, response);
    },

    async createRefund(paymentId, body, idempotencyKey, signal) {
      const headers = { authorization, 'x-idempotency-key': idempotencyKey, ...showRefundsInProcess };
      const url = `${urlOf(paymentId)}/refunds`;
      const response = await http.request({ method: 'POST', url, headers, body, signal });
      return read(refund, response);
    },

    async listRefunds(paymentId, signal) {
      const headers = { authorization, ...showRefundsInProcess };
      const url = `${urlOf(paymentId)}/refunds`;
      const response = await http.request({ method: 'GET', url, headers, signal });
      return read(z.array(refund), response);
    },
  };
}
