import { z } from 'zod';
import type { DisputeAnswerRequest } from '../../core/providers/rules/charge.ts';
import { Multipart } from '../http/multipart.ts';
import { responseReader } from '../kit/response.ts';
import type { OpenHttpClient } from '../http/http-client.ts';
import { refusalOf } from './refusal.ts';
import type { MercadoPagoSettings } from './settings.ts';
import {
  chargebacksFound,
  type MercadoPagoChargeback,
  type MercadoPagoFound,
  type MercadoPagoListed,
  type MercadoPagoPayment,
  type MercadoPagoPaymentBody,
  type MercadoPagoRefund,
  foundPage,
  payment,
  refund,
  searchResult,
  statementPage,
} from './wire-format.ts';

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
  /** Approved payments that last changed within the span, without the first `offset` of them. */
  searchApproved(span: Span, offset: number, signal: AbortSignal): Promise<Page<MercadoPagoFound>>;
  /** Payments approved within the span, whatever became of them; undefined for one that is no received Pix. */
  searchReceived(span: Span, offset: number, signal: AbortSignal): Promise<Page<MercadoPagoListed>>;
  /** Payments created within the span. */
  searchCreated(span: Span, offset: number, signal: AbortSignal): Promise<Page<MercadoPagoFound>>;
  cancelPayment(paymentId: string, idempotencyKey: string, signal: AbortSignal): Promise<MercadoPagoPayment>;
  /** The same key returns the first refund. The amount is in reais. */
  createRefund(
    paymentId: string,
    { amount }: { amount: number },
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<MercadoPagoRefund>;
  listRefunds(paymentId: string, signal: AbortSignal): Promise<MercadoPagoRefund[]>;
  /** The claim on a payment. */
  findChargeback(paymentId: string, signal: AbortSignal): Promise<MercadoPagoChargeback | undefined>;
  /** Supports the merchant's side of a claim: files of 10 MB together. */
  addDocumentation(
    chargebackId: string,
    documents: DisputeAnswerRequest['documents'],
    signal: AbortSignal,
  ): Promise<void>;
}

/** Includes both ends. */
interface Span {
  begin: Date;
  end: Date;
}

interface Page<Item> {
  results: Item[];
  paging: { total: number };
}

const pageSize = 50;
const uploadTimeoutMs = 20_000;

/** Without this header, a refund that is pending at the Banco Central returns 400. */
const showRefundsInProcess = { 'x-render-in-process-refunds': 'true' };

const read = responseReader(refusalOf);

export function createMercadoPagoClient(
  { accessToken, baseUrl }: MercadoPagoSettings,
  openHttp: OpenHttpClient,
): MercadoPagoClient {
  const http = openHttp();
  const payments = `${baseUrl}/v1/payments`;
  const chargebacks = `${baseUrl}/v1/chargebacks`;
  const authorization = `Bearer ${accessToken}`;
  const urlOf = (paymentId: string) => `${payments}/${encodeURIComponent(paymentId)}`;

  async function search<Schema extends z.ZodType>(
    schema: Schema,
    wanted: Record<string, string>,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const url = `${payments}/search?${new URLSearchParams(wanted).toString()}`;
    const response = await http.request({ method: 'GET', url, headers: { authorization }, signal });
    return read(schema, response);
  }

  const byDate = (date: string, { begin, end }: Span, offset: number) => ({
    range: date,
    begin_date: begin.toISOString(),
    end_date: end.toISOString(),
    sort: date,
    criteria: 'asc',
    limit: String(pageSize),
    offset: String(offset),
  });

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
      const { results } = await search(searchResult, wanted, signal);
      const ours = results.filter(({ external_reference }) => external_reference === externalReference);
      return (ours.find(({ status }) => status === 'approved') ?? ours[0])?.id;
    },

    searchApproved: (span, offset, signal) =>
      search(foundPage, { status: 'approved', ...byDate('date_last_updated', span, offset) }, signal),

    searchReceived: (span, offset, signal) =>
      search(statementPage, byDate('date_approved', span, offset), signal),

    searchCreated: (span, offset, signal) => search(foundPage, byDate('date_created', span, offset), signal),

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

    async findChargeback(paymentId, signal) {
      const query = new URLSearchParams({ payment_id: paymentId });
      const url = `${chargebacks}/search?${query.toString()}`;
      const response = await http.request({ method: 'GET', url, headers: { authorization }, signal });
      return response.status === 404 ? undefined : read(chargebacksFound, response).results[0];
    },

    async addDocumentation(chargebackId, documents, signal) {
      const body = new Multipart(
        documents.map(({ name, ...file }) => ({ ...file, name: 'files[]', fileName: name })),
      );
      const url = `${chargebacks}/${encodeURIComponent(chargebackId)}/documentation`;
      const headers = { authorization };
      const timeoutMs = uploadTimeoutMs;
      read(z.unknown(), await http.request({ method: 'POST', url, headers, body, signal, timeoutMs }));
    },
  };
}
