import { z } from 'zod';
import { allPages, answerReader } from '../kit/answer.ts';
import type { HttpRequest, OpenHttpClient } from '../http/http-client.ts';
import { refusalOf } from './mapping.ts';
import type { AsaasSettings } from './settings.ts';
import {
  type AsaasCustomerBody,
  type AsaasPayment,
  type AsaasPaymentBody,
  type AsaasPixTransaction,
  type AsaasQrCode,
  type AsaasRefund,
  customer,
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
  /** Id of a customer with this CPF or CNPJ. */
  searchCustomer(cpfCnpj: string, signal: AbortSignal): Promise<string | undefined>;
  createCustomer(body: AsaasCustomerBody, signal: AbortSignal): Promise<string>;
  refundPayment(
    paymentId: string,
    body: { value: number; description: string },
    signal: AbortSignal,
  ): Promise<void>;
  /** Every refund of the payment. */
  listRefunds(paymentId: string, signal: AbortSignal): Promise<AsaasRefund[]>;
}

const read = answerReader(refusalOf);

export function createAsaasClient({ apiKey, baseUrl }: AsaasSettings, openHttp: OpenHttpClient): AsaasClient {
  const http = openHttp();
  const call = (method: HttpRequest['method'], path: string, signal: AbortSignal, body?: object) =>
    http.request({ method, url: baseUrl + path, headers: { access_token: apiKey }, body, signal });
  const pathOf = (paymentId: string) => `/payments/${encodeURIComponent(paymentId)}`;

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
      read(z.unknown(), await call('DELETE', pathOf(paymentId), signal));
    },

    async getQrCode(paymentId, signal) {
      return read(qrCode, await call('GET', `${pathOf(paymentId)}/pixQrCode`, signal));
    },

    async getPixTransaction(transactionId, signal) {
      const path = `/pix/transactions/${encodeURIComponent(transactionId)}`;
      return read(pixTransaction, await call('GET', path, signal));
    },

    async searchCustomer(cpfCnpj, signal) {
      const query = new URLSearchParams({ cpfCnpj });
      const response = await call('GET', `/customers?${query.toString()}`, signal);
      return read(listOf(customer), response).data.find(({ deleted }) => !deleted)?.id;
    },

    async createCustomer(body, signal) {
      return read(customer, await call('POST', '/customers', signal, body)).id;
    },

    async refundPayment(paymentId, body, signal) {
      read(z.unknown(), await call('POST', `${pathOf(paymentId)}/refund`, signal, body));
    },

    listRefunds: (paymentId, signal) =>
      allPages(async (offset) => {
        const page = `limit=${pageSize}&offset=${offset}`;
        const response = await call('GET', `${pathOf(paymentId)}/refunds?${page}`, signal);
        const { data, hasMore } = read(listOf(refund), response);
        return { items: data, hasMore: hasMore === true };
      }),
  };
}
