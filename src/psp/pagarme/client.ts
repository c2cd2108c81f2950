import type { z } from 'zod';
import { allPages, responseReader } from '../kit/response.ts';
import type { OpenHttpClient } from '../http/http-client.ts';
import { refusalOf } from './refusal.ts';
import type { PagarmeSettings } from './settings.ts';
import {
  charge,
  found,
  order,
  type PagarmeCharge,
  type PagarmeOrder,
  type PagarmeOrderBody,
  type PagarmeTransaction,
  transactions,
} from './wire-format.ts';

/** The most that the list of orders returns (docs.pagar.me/reference/listar-pedidos). */
export const pageSize = 30;

/** API core v5. Idempotency keys are kept for 24 hours. */
export interface PagarmeClient {
  createOrder(body: PagarmeOrderBody, idempotencyKey: string, signal: AbortSignal): Promise<PagarmeOrder>;
  findOrder(orderId: string, signal: AbortSignal): Promise<PagarmeOrder | undefined>;
  /** Id of the order with this code; the oldest if there are several. */
  searchOrder(code: string, signal: AbortSignal): Promise<string | undefined>;
  /** A page of the orders created within the span. The first page is 1. */
  listOrders(
    span: { since: Date; until: Date; page: number },
    signal: AbortSignal,
  ): Promise<z.output<typeof found>['data']>;
  /** Every transaction: the payer's, and one per refund. */
  listTransactions(chargeId: string, signal: AbortSignal): Promise<PagarmeTransaction[]>;
  /** Cancels an unpaid charge; refunds a paid one, in full if no amount is given. The amount is in centavos. */
  cancelCharge(
    chargeId: string,
    body: { amount?: number },
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<PagarmeCharge>;
}

const read = responseReader(refusalOf);

export function createPagarmeClient(
  { secretKey, baseUrl }: PagarmeSettings,
  openHttp: OpenHttpClient,
): PagarmeClient {
  const http = openHttp();
  // The key is the username; the password is empty.
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

    async listOrders({ since, until, page }, signal) {
      const query = new URLSearchParams({
        created_since: since.toISOString(),
        created_until: until.toISOString(),
        page: String(page),
        size: String(pageSize),
      });
      const url = `${orders}?${query.toString()}`;
      const response = await http.request({ method: 'GET', url, headers: { authorization }, signal });
      return read(found, response).data;
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
