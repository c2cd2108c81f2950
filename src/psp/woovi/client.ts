import { z } from 'zod';
import type { DisputeAnswerRequest } from '../../core/providers/rules/charge.ts';
import { Multipart } from '../http/multipart.ts';
import { responseReader } from '../kit/response.ts';
import type { HttpRequest, OpenHttpClient } from '../http/http-client.ts';
import { isNotFound, refusalOf } from './refusal.ts';
import type { WooviSettings } from './settings.ts';
import {
  chargeResponse,
  chargesPage,
  disputeResponse,
  fileResponse,
  pixRefundResponse,
  refundResponse,
  refundsResponse,
  receivedResponse,
  transactionResponse,
  transactionsResponse,
  type WooviCharge,
  type WooviChargeBody,
  type WooviDispute,
  type WooviEvidence,
  type WooviRefund,
  type WooviReceived,
  type WooviTransaction,
} from './wire-format.ts';

/** Charges are identified by their correlationID, which is ours. */
export interface WooviClient {
  /** Returns the existing charge if the correlationID was used before. */
  createCharge(body: WooviChargeBody, signal: AbortSignal): Promise<WooviCharge>;
  findCharge(correlationId: string, signal: AbortSignal): Promise<WooviCharge | undefined>;
  deleteCharge(correlationId: string, signal: AbortSignal): Promise<void>;
  createRefund(
    correlationId: string,
    body: { correlationID: string; value: number },
    signal: AbortSignal,
  ): Promise<WooviRefund>;
  listRefunds(correlationId: string, signal: AbortSignal): Promise<WooviRefund[]>;
  /** Returns money of a Pix that belongs to no charge. */
  createRefundOfPix(
    body: { correlationID: string; value: number; transactionEndToEndId: string },
    signal: AbortSignal,
  ): Promise<WooviRefund>;
  findRefund(correlationId: string, signal: AbortSignal): Promise<WooviRefund | undefined>;
  /** Requires the scope TRANSACTION_GET. */
  findTransaction(endToEndId: string, signal: AbortSignal): Promise<WooviTransaction | undefined>;
  /** Undefined also if it is no received Pix. */
  findReceived(endToEndId: string, signal: AbortSignal): Promise<WooviReceived | undefined>;
  /** The transactions of a charge. Requires the scope TRANSACTION_GET_LIST. */
  listTransactions(correlationId: string, signal: AbortSignal): Promise<WooviTransaction[]>;
  /** The transactions between `start` and `end`, without the first `skip` of them. */
  listTransactionsBetween<Transaction>(
    schema: z.ZodType<TransactionPage<Transaction>>,
    query: { start: Date; end: Date; skip: number },
    signal: AbortSignal,
  ): Promise<TransactionPage<Transaction>>;
  /** The charges created between `start` and `end`, without the first `skip` of them. */
  listChargesBetween(
    query: { start: Date; end: Date; skip: number },
    signal: AbortSignal,
  ): Promise<z.output<typeof chargesPage>>;
  /** Requires the scope DISPUTE_GET. */
  findDispute(endToEndId: string, signal: AbortSignal): Promise<WooviDispute | undefined>;
  /** Returns the id of the file, also if the correlationID was used before. Requires the scope FILE_POST. */
  upload(document: DisputeAnswerRequest['documents'][number], signal: AbortSignal): Promise<string>;
  /** The id is that of the dispute, or of its Pix. */
  addEvidence(disputeId: string, documents: readonly WooviEvidence[], signal: AbortSignal): Promise<void>;
}

interface TransactionPage<Transaction> {
  transactions: Transaction[];
  pageInfo: { hasNextPage: boolean; totalCount?: number | null | undefined };
}

const read = responseReader(refusalOf);

/** Makes requests with the AppID. */
export function openWoovi({ appId, baseUrl }: WooviSettings, openHttp: OpenHttpClient) {
  const http = openHttp();
  return (method: HttpRequest['method'], path: string, signal: AbortSignal, body?: object) =>
    http.request({
      method,
      url: `${baseUrl}/api/v1${path}`,
      // Woovi expects the bare AppID, without a scheme.
      headers: { authorization: appId },
      body,
      signal,
    });
}

export function createWooviClient(settings: WooviSettings, openHttp: OpenHttpClient): WooviClient {
  const call = openWoovi(settings, openHttp);
  const pathOf = (correlationId: string) => `/charge/${encodeURIComponent(correlationId)}`;

  async function list<Page>(
    schema: z.ZodType<Page>,
    [path, { start, end, skip }]: [path: string, between: { start: Date; end: Date; skip: number }],
    signal: AbortSignal,
  ): Promise<Page> {
    const query = new URLSearchParams({
      start: start.toISOString(),
      end: end.toISOString(),
      skip: String(skip),
    });
    return read(schema, await call('GET', `${path}?${query.toString()}`, signal));
  }

  return {
    async createCharge(body, signal) {
      const response = await call('POST', '/charge?return_existing=true', signal, body);
      return read(chargeResponse, response).charge;
    },

    async findCharge(correlationId, signal) {
      const response = await call('GET', pathOf(correlationId), signal);
      return isNotFound(response) ? undefined : read(chargeResponse, response).charge;
    },

    async deleteCharge(correlationId, signal) {
      read(z.unknown(), await call('DELETE', pathOf(correlationId), signal));
    },

    async createRefund(correlationId, body, signal) {
      const response = await call('POST', `${pathOf(correlationId)}/refund`, signal, body);
      return read(refundResponse, response).refund;
    },

    async listRefunds(correlationId, signal) {
      const response = await call('GET', `${pathOf(correlationId)}/refund`, signal);
      return read(refundsResponse, response).refunds;
    },

    async createRefundOfPix(body, signal) {
      return read(refundResponse, await call('POST', '/refund', signal, body)).refund;
    },

    async findRefund(correlationId, signal) {
      const response = await call('GET', `/refund/${encodeURIComponent(correlationId)}`, signal);
      return isNotFound(response) ? undefined : read(pixRefundResponse, response).pixTransactionRefund;
    },

    async findTransaction(endToEndId, signal) {
      const response = await call('GET', `/transaction/${encodeURIComponent(endToEndId)}`, signal);
      return isNotFound(response) ? undefined : read(transactionResponse, response).transaction;
    },

    async findReceived(endToEndId, signal) {
      const response = await call('GET', `/transaction/${encodeURIComponent(endToEndId)}`, signal);
      return isNotFound(response) ? undefined : read(receivedResponse, response).transaction;
    },

    listTransactionsBetween: (schema, between, signal) => list(schema, ['/transaction', between], signal),
    listChargesBetween: (between, signal) => list(chargesPage, ['/charge', between], signal),

    async listTransactions(correlationId, signal) {
      const query = new URLSearchParams({ charge: correlationId });
      const response = await call('GET', `/transaction?${query.toString()}`, signal);
      return isNotFound(response) ? [] : read(transactionsResponse, response).transactions;
    },

    async findDispute(endToEndId, signal) {
      const response = await call('GET', `/dispute/${encodeURIComponent(endToEndId)}`, signal);
      return isNotFound(response) ? undefined : read(disputeResponse, response).dispute;
    },

    async upload({ id: correlationID, name: fileName, mediaType, content }, signal) {
      const file = { name: 'file', fileName, mediaType, content };
      const body = new Multipart([file], { purpose: 'DISPUTE_EVIDENCE', correlationID });
      return read(fileResponse, await call('POST', '/files', signal, body)).file.id;
    },

    async addEvidence(disputeId, documents, signal) {
      const path = `/dispute/${encodeURIComponent(disputeId)}/evidence`;
      read(z.unknown(), await call('POST', path, signal, { documents }));
    },
  };
}
