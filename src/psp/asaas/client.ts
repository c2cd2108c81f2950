import { z } from 'zod';
import { allPages, responseReader } from '../kit/response.ts';
import type { HttpRequest, OpenHttpClient } from '../http/http-client.ts';
import { refundRefusalOf, refusalOf } from './refusal.ts';
import type { AsaasSettings } from './account/settings.ts';
import {
  type AsaasCustomerBody,
  type AsaasListed,
  type AsaasPayment,
  type AsaasPaymentBody,
  type AsaasPixTransaction,
  type AsaasQrCode,
  type AsaasRefund,
  type AsaasRevisionBody,
  customer,
  deletion,
  listedCharge,
  listedPayment,
  listOf,
  pageOf,
  payment,
  pixTransaction,
  qrCode,
  refund,
} from './wire-format.ts';

const pageSize = 100;

/** API v3. It has no idempotency keys: look before repeating a request. */
export interface AsaasClient {
  findPayment(paymentId: string, signal: AbortSignal): Promise<AsaasPayment | undefined>;
  searchPayment(externalReference: string, signal: AbortSignal): Promise<AsaasPayment | undefined>;
  /** The payment that Asaas made when somebody paid that code. */
  findPaymentOfCode(pixQrCodeId: string, signal: AbortSignal): Promise<AsaasPayment | undefined>;
  createPayment(body: AsaasPaymentBody, signal: AbortSignal): Promise<AsaasPayment>;
  updatePayment(paymentId: string, body: AsaasRevisionBody, signal: AbortSignal): Promise<AsaasPayment>;
  deletePayment(paymentId: string, signal: AbortSignal): Promise<void>;
  getQrCode(paymentId: string, signal: AbortSignal): Promise<AsaasQrCode>;
  getPixTransaction(transactionId: string, signal: AbortSignal): Promise<AsaasPixTransaction>;
  createCustomer(body: AsaasCustomerBody, signal: AbortSignal): Promise<string>;
  refundPayment(
    paymentId: string,
    body: { value: number; description: string },
    signal: AbortSignal,
  ): Promise<void>;
  /** Every refund of the payment. */
  listRefunds(paymentId: string, signal: AbortSignal): Promise<AsaasRefund[]>;
  /** A page of the statement of these days, newest first, each line read with a schema of its own. */
  listFinancialTransactions<Line extends z.ZodType>(
    schema: Line,
    days: Days,
    offset: number,
    signal: AbortSignal,
  ): Promise<Page<z.output<Line>>>;
  /** A page of the payments made on these days. */
  listCreated(days: Days, offset: number, signal: AbortSignal): Promise<Page<z.output<typeof listedCharge>>>;
  /** A page of the Pix payments of these days; undefined for those whose money was not received. */
  listPaidByPix(days: Days, offset: number, signal: AbortSignal): Promise<Page<AsaasListed>>;
}

/** `YYYY-MM-DD` in Brasília, both included. */
interface Days {
  from: string;
  to: string;
}

export interface Page<Item> {
  items: Item[];
  hasMore: boolean;
  totalCount: number | null;
}

const read = responseReader(refusalOf);
const readRefund = responseReader(refundRefusalOf);

/** Makes requests with the API key. */
export function openAsaas({ apiKey, baseUrl }: AsaasSettings, openHttp: OpenHttpClient) {
  const http = openHttp();
  return (method: HttpRequest['method'], path: string, signal: AbortSignal, body?: object) =>
    http.request({ method, url: baseUrl + path, headers: { access_token: apiKey }, body, signal });
}

export function createAsaasClient(settings: AsaasSettings, openHttp: OpenHttpClient): AsaasClient {
  const call = openAsaas(settings, openHttp);
  const pathOf = (paymentId: string) => `/payments/${encodeURIComponent(paymentId)}`;

  const get = (path: string, query: Record<string, string>, signal: AbortSignal) => {
    const search = new URLSearchParams({ ...query, limit: String(pageSize) });
    return call('GET', `${path}?${search.toString()}`, signal);
  };

  async function page<Item extends z.ZodType>(
    item: Item,
    path: string,
    query: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Page<z.output<Item>>> {
    const { data, hasMore, totalCount = null } = read(pageOf(item), await get(path, query, signal));
    return { items: data, hasMore, totalCount };
  }

  return {
    async findPayment(paymentId, signal) {
      const response = await call('GET', pathOf(paymentId), signal);
      return response.status === 404 ? undefined : read(payment, response);
    },

    async searchPayment(externalReference, signal) {
      const query = new URLSearchParams({ externalReference });
      const response = await call('GET', `/payments?${query.toString()}`, signal);
      const found = read(listOf(payment), response).data.filter(
        (each) => each.externalReference === externalReference,
      );
      return found.find(({ deleted }) => !deleted) ?? found[0];
    },

    // docs.asaas.com/reference/list-payments, `pixQrCodeId`.
    async findPaymentOfCode(pixQrCodeId, signal) {
      const { data } = read(listOf(payment), await get('/payments', { pixQrCodeId }, signal));
      return data.find((each) => each.pixQrCodeId === pixQrCodeId);
    },

    async createPayment(body, signal) {
      return read(payment, await call('POST', '/payments', signal, body));
    },

    async updatePayment(paymentId, body, signal) {
      return read(payment, await call('PUT', pathOf(paymentId), signal, body));
    },

    async deletePayment(paymentId, signal) {
      read(deletion, await call('DELETE', pathOf(paymentId), signal));
    },

    async getQrCode(paymentId, signal) {
      return read(qrCode, await call('GET', `${pathOf(paymentId)}/pixQrCode`, signal));
    },

    async getPixTransaction(transactionId, signal) {
      const path = `/pix/transactions/${encodeURIComponent(transactionId)}`;
      return read(pixTransaction, await call('GET', path, signal));
    },

    async createCustomer(body, signal) {
      return read(customer, await call('POST', '/customers', signal, body)).id;
    },

    async refundPayment(paymentId, body, signal) {
      readRefund(z.unknown(), await call('POST', `${pathOf(paymentId)}/refund`, signal, body));
    },

    listRefunds: (paymentId, signal) =>
      allPages(async (offset) => {
        const response = await get(`${pathOf(paymentId)}/refunds`, { offset: String(offset) }, signal);
        const { data, hasMore } = read(listOf(refund), response);
        return { items: data, hasMore: hasMore === true };
      }),

    listFinancialTransactions(schema, { from, to }, offset, signal) {
      const query = { startDate: from, finishDate: to, order: 'desc', offset: String(offset) };
      return page(schema, '/financialTransactions', query, signal);
    },

    listCreated({ from, to }, offset, signal) {
      const query = { 'dateCreated[ge]': from, 'dateCreated[le]': to, offset: String(offset) };
      return page(listedCharge, '/payments', query, signal);
    },

    listPaidByPix({ from, to }, offset, signal) {
      const query = {
        billingType: 'PIX',
        'paymentDate[ge]': from,
        'paymentDate[le]': to,
        offset: String(offset),
      };
      return page(listedPayment, '/payments', query, signal);
    },
  };
}
