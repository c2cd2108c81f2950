import { z } from 'zod';
import { answerReader } from '../kit/answer.ts';
import type { HttpRequest, OpenHttpClient } from '../http/http-client.ts';
import { isNotFound, refusalOf } from './mapping.ts';
import type { WooviSettings } from './settings.ts';
import {
  chargeAnswer,
  refundAnswer,
  refundsAnswer,
  type WooviCharge,
  type WooviChargeBody,
  type WooviRefund,
} from './wire.ts';

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
}

const read = answerReader(refusalOf);

export function createWooviClient({ appId, baseUrl }: WooviSettings, openHttp: OpenHttpClient): WooviClient {
  const http = openHttp();
  const call = (method: HttpRequest['method'], path: string, signal: AbortSignal, body?: object) =>
    http.request({
      method,
      url: `${baseUrl}/api/v1${path}`,
      // The bare AppID, without a scheme.
      headers: { authorization: appId },
      body,
      signal,
    });
  const pathOf = (correlationId: string) => `/charge/${encodeURIComponent(correlationId)}`;

  return {
    async createCharge(body, signal) {
      const response = await call('POST', '/charge?return_existing=true', signal, body);
      return read(chargeAnswer, response).charge;
    },

    async findCharge(correlationId, signal) {
      const response = await call('GET', pathOf(correlationId), signal);
      return isNotFound(response) ? undefined : read(chargeAnswer, response).charge;
    },

    async deleteCharge(correlationId, signal) {
      read(z.unknown(), await call('DELETE', pathOf(correlationId), signal));
    },

    async createRefund(correlationId, body, signal) {
      const response = await call('POST', `${pathOf(correlationId)}/refund`, signal, body);
      return read(refundAnswer, response).refund;
    },

    async listRefunds(correlationId, signal) {
      const response = await call('GET', `${pathOf(correlationId)}/refund`, signal);
      return read(refundsAnswer, response).refunds;
    },
  };
}
