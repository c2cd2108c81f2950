import { z } from 'zod';
import { allPages, responseReader } from '../kit/response.ts';
import type { HttpRequest, OpenHttpClient } from '../http/http-client.ts';
import { refundRefusalOf, refusalOf } from './refusal.ts';
import type { AsaasSettings } from './settings.ts';
import {
  type AsaasCustomerBody,
  type AsaasFinancialTransaction,
  type AsaasPayment,
  type AsaasPaymentBody,
  type AsaasPixTransaction,
  type AsaasQrCode,
  type AsaasRefund,
  customer,
  deletion,
  financialTransaction,
  listOf,
  payment,
  pixTransaction,
  qrCode,
  refund,
} from './wire.ts';

const pageSize = 100;

/** API v3. It has no idempotency keys: look before repeating a request. */
export interface AsaasClient {
  findPayment(paymentId: string, signal: AbortSignal): Promise<AsaasPayment | undefined>;
  searchPayment(externalReference: string, signal: AbortSignal): Promise<AsaasPayment | undefined>;
  createPayment(body: AsaasPaymentBody, signal: AbortSignal): Promise<AsaasPayment>;
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
  /** A page of the statement of these days (`YYYY-MM-DD`, in Brasília), newest first. */
  listFinancialTransactions(
    days: { startDate: string; finishDate: string },
    offset: number,
    signal: AbortSignal,
  ): Promise<Page<AsaasFinancialTransaction>>;
}

interface Page<Item> {
  items: Item[];
  hasMore: boolean;
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

  async function list<Item extends z.ZodType>(
    item: Item,
    path: string,
    query: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Page<z.output<Item>>> {
    const search = new URLSearchParams({ ...query, limit: String(pageSize) });
    const { data, hasMore } = read(listOf(item), await call('GET', `${path}?${search.toString()}`, signal));
    return { items: data, hasMore: hasMore === true };
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

    async createPayment(body, signal) {
      return read(payment, await call('POST', '/payments', signal, body));
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
      allPages((offset) => list(refund, `${pathOf(paymentId)}/refunds`, { offset: String(offset) }, signal)),

    listFinancialTransactions: (days, offset, signal) =>
      list(
        financialTransaction,
        '/financialTransactions',
        { ...days, order: 'desc', offset: String(offset) },
        signal,
      ),
  };
}
