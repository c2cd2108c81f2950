import { z } from 'zod';
import { responseReader } from '../kit/response.ts';
import type { OpenHttpClient } from '../http/http-client.ts';
import { refusalOf } from './refusal.ts';
import type { MercadoPagoSettings } from './settings.ts';
import {
  type MercadoPagoFound,
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
  /** Id of the payment with our transaction id; the paid one if there are several. Reaches back twelve months. */
  searchPayment(externalReference: string, signal: AbortSignal): Promise<string | undefined>;
  /** Payments that were approved or changed since, after the first `offset` of them. */
  searchApproved(
    span: { begin: Date; end: Date },
    offset: number,
    signal: AbortSignal,
  ): Promise<{ results: MercadoPagoFound[]; total: number }>;
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

const pageSize = 50;

/** Without it, a refund pending at the Banco Central returns 400. */
const showRefundsInProcess = { 'x-render-in-process-refunds': 'true' };

const read = responseReader(refusalOf);

export function createMercadoPagoClient(
  { accessToken, baseUrl }: MercadoPagoSettings,
  openHttp: OpenHttpClient,
): MercadoPagoClient {
  const http = openHttp();
  const payments = `${baseUrl}/v1/payments`;
  const authorization = `Bearer ${accessToken}`;
  const urlOf = (paymentId: string) => `${payments}/${encodeURIComponent(paymentId)}`;

  async function search(wanted: Record<string, string>, signal: AbortSignal) {
    const url = `${payments}/search?${new URLSearchParams(wanted).toString()}`;
    const response = await http.request({ method: 'GET', url, headers: { authorization }, signal });
    return read(searchResult, response);
  }

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
      const wanted = { external_reference: externalReference, sort: 'date_created', criteria: 'asc' };
      const { results } = await search(wanted, signal);
      const ours = results.filter(({ external_reference }) => external_reference === externalReference);
      return (ours.find(({ status }) => status === 'approved') ?? ours[0])?.id;
    },

    async searchApproved({ begin, end }, offset, signal) {
      const wanted = {
        status: 'approved',
        range: 'date_last_updated',
        begin_date: begin.toISOString(),
        end_date: end.toISOString(),
        sort: 'date_last_updated',
        criteria: 'asc',
        limit: String(pageSize),
        offset: String(offset),
      };
      const { results, paging } = await search(wanted, signal);
      return { results, total: paging?.total ?? 0 };
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
