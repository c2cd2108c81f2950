import { z } from 'zod';
import { allPages, answerReader, brasiliaInstant, reais } from '../kit/answer.ts';
import type { HttpRequest, OpenHttpClient } from '../http/http-client.ts';
import { refusalOf } from './mapping.ts';
import type { AsaasSettings } from './settings.ts';

const refund = z.object({ status: z.string(), value: reais, description: z.string().nullish() });

const payment = z.object({
  id: z.string(),
  status: z.string(),
  value: reais,
  dueDate: brasiliaInstant,
  externalReference: z.string().nullish(),
  deleted: z.boolean().nullish(),
  pixTransaction: z.string().nullish(),
  refunds: z.array(refund).nullish(),
});

const qrCode = z.object({ payload: z.string(), expirationDate: brasiliaInstant.nullish() });

const pixTransaction = z.object({
  endToEndIdentifier: z.string(),
  value: reais,
  effectiveDate: brasiliaInstant.nullish(),
  dateCreated: brasiliaInstant.nullish(),
});

const customer = z.object({ id: z.string(), deleted: z.boolean().nullish() });

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), hasMore: z.boolean().nullish() });

const pageSize = 100;

export type AsaasPayment = z.output<typeof payment>;
export type AsaasQrCode = z.output<typeof qrCode>;
export type AsaasPixTransaction = z.output<typeof pixTransaction>;
export type AsaasRefund = z.output<typeof refund>;

export interface AsaasPaymentBody {
  customer: string;
  billingType: 'PIX';
  /** In reais. */
  value: number;
  /** `YYYY-MM-DD`, in Brasília. */
  dueDate: string;
  description?: string;
  externalReference: string;
}

export interface AsaasCustomerBody {
  name: string;
  cpfCnpj: string;
  email?: string;
  mobilePhone?: string;
  /** Asaas would write to the payer by e-mail and SMS, from its sandbox too. */
  notificationDisabled: true;
}

/** The API, v3. It has no idempotency key: whoever repeats must look first. */
export interface AsaasClient {
  findPayment(paymentId: string, signal: AbortSignal): Promise<AsaasPayment | undefined>;
  searchPayment(externalReference: string, signal: AbortSignal): Promise<AsaasPayment | undefined>;
  createPayment(body: AsaasPaymentBody, signal: AbortSignal): Promise<AsaasPayment>;
  deletePayment(paymentId: string, signal: AbortSignal): Promise<void>;
  getQrCode(paymentId: string, signal: AbortSignal): Promise<AsaasQrCode>;
  getPixTransaction(transactionId: string, signal: AbortSignal): Promise<AsaasPixTransaction>;
  /** The id of one with this CPF or CNPJ. */
  searchCustomer(cpfCnpj: string, signal: AbortSignal): Promise<string | undefined>;
  createCustomer(body: AsaasCustomerBody, signal: AbortSignal): Promise<string>;
  refundPayment(
    paymentId: string,
    body: { value: number; description: string },
    signal: AbortSignal,
  ): Promise<void>;
  /** All of them. */
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
