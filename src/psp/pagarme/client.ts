import { z } from 'zod';
import { centavos, instant, readAnswer } from '../answer.ts';
import type { HttpResponse, OpenHttpClient } from '../http-client.ts';
import { refusalOf } from './mapping.ts';
import type { PagarmeSettings } from './settings.ts';

const transaction = z.object({
  id: z.string().nullish(),
  status: z.string().nullish(),
  amount: centavos.nullish(),
  created_at: instant.nullish(),
  qr_code: z.string().nullish(),
  expires_at: instant.nullish(),
  end_to_end_id: z.string().nullish(),
  gateway_response: z
    .object({
      code: z.string().nullish(),
      errors: z.array(z.object({ message: z.string().nullish() })).nullish(),
    })
    .nullish()
    .catch(undefined),
});

const charge = z.object({
  id: z.string(),
  status: z.string(),
  amount: centavos,
  paid_amount: centavos.nullish(),
  canceled_amount: centavos.nullish(),
  paid_at: instant.nullish(),
  canceled_at: instant.nullish(),
  last_transaction: transaction.nullish(),
});

const order = z.object({
  id: z.string(),
  code: z.string().nullish(),
  amount: centavos,
  created_at: instant,
  charges: z.array(charge),
});

const transactions = z.object({ data: z.array(transaction) });

const found = z.object({ data: z.array(z.object({ id: z.string(), code: z.string().nullish() })) });

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

/** The API, core v5. Its idempotency keys are kept for 24 hours. */
export interface PagarmeClient {
  createOrder(body: PagarmeOrderBody, idempotencyKey: string, signal: AbortSignal): Promise<PagarmeOrder>;
  findOrder(orderId: string, signal: AbortSignal): Promise<PagarmeOrder | undefined>;
  /** The id of the order with this code, the oldest if there are several. */
  searchOrder(code: string, signal: AbortSignal): Promise<string | undefined>;
  /** The payer's, and one for each refund. */
  listTransactions(chargeId: string, signal: AbortSignal): Promise<PagarmeTransaction[]>;
  /** Cancels a charge that is not paid; refunds one that is, wholly without an amount. In centavos. */
  cancelCharge(
    chargeId: string,
    body: { amount?: number },
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<PagarmeCharge>;
}

const accepted = (response: HttpResponse): unknown => {
  if (response.status >= 400) throw refusalOf(response);
  return response.json;
};

export function createPagarmeClient(
  { secretKey, baseUrl }: PagarmeSettings,
  openHttp: OpenHttpClient,
): PagarmeClient {
  const http = openHttp();
  // The key is the user, and the password is empty.
  const authorization = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`;
  const orders = `${baseUrl}/orders`;

  return {
    async createOrder(body, idempotencyKey, signal) {
      const headers = { authorization, 'idempotency-key': idempotencyKey };
      const response = await http.request({ method: 'POST', url: orders, headers, body, signal });
      return readAnswer(order, accepted(response));
    },

    async findOrder(orderId, signal) {
      const url = `${orders}/${encodeURIComponent(orderId)}`;
      const response = await http.request({ method: 'GET', url, headers: { authorization }, signal });
      return response.status === 404 ? undefined : readAnswer(order, accepted(response));
    },

    async searchOrder(code, signal) {
      const url = `${orders}?${new URLSearchParams({ code }).toString()}`;
      const response = await http.request({ method: 'GET', url, headers: { authorization }, signal });
      return readAnswer(found, accepted(response)).data.findLast((each) => each.code === code)?.id;
    },

    async listTransactions(chargeId, signal) {
      const url = `${baseUrl}/charges/${encodeURIComponent(chargeId)}/transactions`;
      const response = await http.request({ method: 'GET', url, headers: { authorization }, signal });
      return readAnswer(transactions, accepted(response)).data;
    },

    async cancelCharge(chargeId, body, idempotencyKey, signal) {
      const url = `${baseUrl}/charges/${encodeURIComponent(chargeId)}`;
      const headers = { authorization, 'idempotency-key': idempotencyKey };
      const response = await http.request({ method: 'DELETE', url, headers, body, signal });
      return readAnswer(charge, accepted(response));
    },
  };
}
