import { z } from 'zod';
import { answerReader } from '../kit/answer.ts';
import type { OpenHttpClient } from '../http/http-client.ts';
import { refusalOf } from './mapping.ts';
import type { MercadoPagoSettings } from './settings.ts';
import {
  type MercadoPagoPayment,
  type MercadoPagoPaymentBody,
  type MercadoPagoRefund,
  payment,
  refund,
  searchResult,
} from './wire.ts';

/** Payments API v1. */
export interface MercadoPagoClient {
  /** The same key returns the first payment. */
  createPayment(
    body: MercadoPagoPaymentBody,
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<MercadoPagoPayment>;
  findPayment(paymentId: string, signal: AbortSignal): Promise<MercadoPagoPayment | undefined>;
  /** Id of the payment with our transaction id; the paid one if there are several. */
  searchPayment(externalReference: string, signal: AbortSignal): Promise<string | undefined>;
  cancelPayment(paymentId: string, idempotencyKey: string, signal: AbortSignal): Promise<MercadoPagoPayment>;
  /** The same key returns the first refund. The amount is in reais. */
  createRefund(
    paymentId: string,
    { amount }: { amount: number },
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<MercadoPagoRefund>;
  listRefunds(paymentId: string, signal: AbortSignal): Promise<MercadoPagoRefund[]>;
}

/** Without it, a refund pending at the Banco Central returns 400. */
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
