import { z } from 'zod';
import { allPages, answerReader, centavos, instant } from '../kit/answer.ts';
import type { OpenHttpClient } from '../http/http-client.ts';
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

const transactions = z.object({
  data: z.array(transaction),
  paging: z.object({ total: z.int().nullish() }).nullish(),
});

const pageSize = 30;

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
  /** All of them: the payer's, and one for each refund. */
  listTransactions(chargeId: string, signal: AbortSignal): Promise<PagarmeTransaction[]>;
  /** Cancels a charge that is not paid; refunds one that is, wholly without an amount. In centavos. */
  cancelCharge(
    chargeId: string,
    body: { amount?: number },
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<PagarmeCharge>;
}

const read = answerReader(refusalOf);

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
      return read(order, response);
    },

    async findOrder(orderId, signal) {
      const url = `${orders}/${encodeURIComponent(orderId)}`;
      const response = await http.request({ method: 'GET', url, headers: { authorization }, signal });
      return response.status === 404 ? undefined : read(order, response);
    },

    async searchOrder(code, signal) {
      const url = `${orders}?${new URLSearchParams({ code }).toString()}`;
      const response = await http.request({ method: 'GET', url, headers: { authorization }, signal });
      return read(found, response).data.findLast((each) => each.code === code)?.id;
    },

    listTransactions: (chargeId, signal) =>
      allPages(async (itemCount) => {
        const page = `page=${Math.floor(itemCount / pageSize) + 1}&size=${pageSize}`;
        const url = `${baseUrl}/charges/${encodeURIComponent(chargeId)}/transactions?${page}`;
        const response = await http.request({ method: 'GET', url, headers: { authorization }, signal });
        const { data, paging } = read(transactions, response);
        return { items: data, hasMore: itemCount + data.length < (paging?.total ?? 0) };
      }),

    async cancelCharge(chargeId, body, idempotencyKey, signal) {
      const url = `${baseUrl}/charges/${encodeURIComponent(chargeId)}`;
      const headers = { authorization, 'idempotency-key': idempotencyKey };
      const response = await http.request({ method: 'DELETE', url, headers, body, signal });
      return read(charge, response);
    },
  };
}
