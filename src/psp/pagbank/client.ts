import { responseReader } from '../kit/response.ts';
import type { HttpRequest, HttpResponse, OpenHttpClient } from '../http/http-client.ts';
import { refusalOf } from './refusal.ts';
import type { PagbankSettings } from './settings.ts';
import {
  charge,
  foundCharges,
  order,
  type PagbankCharge,
  type PagbankOrder,
  type PagbankOrderBody,
} from './wire-format.ts';

/**
 * The Orders API. An idempotency key gets the same response again for the same body, and is refused for another one
 * (developer.pagbank.com.br/docs/chaves-publicas-e-de-idempotencia; the header is the one of
 * pagseguro/pagbank-for-woocommerce, Api.php). For how long is not documented.
 */
export interface PagbankClient {
  createOrder(body: PagbankOrderBody, idempotencyKey: string, signal: AbortSignal): Promise<PagbankOrder>;
  findOrder(orderId: string, signal: AbortSignal): Promise<PagbankOrder | undefined>;
  /**
   * The order of a charge with this reference. Only orders with charges are found, so only paid ones: `/orders`
   * can be searched by charge alone (developer.pagbank.com.br/reference/consultar-pedido-parametros).
   */
  searchPaidOrder(referenceId: string, signal: AbortSignal): Promise<PagbankOrder | undefined>;
  /** Refunds all or a part of a paid charge. The amount is in centavos. */
  cancelCharge(
    chargeId: string,
    amount: number,
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<PagbankCharge>;
}

const read = responseReader(refusalOf);

export function createPagbankClient(
  { token, baseUrl }: PagbankSettings,
  openHttp: OpenHttpClient,
): PagbankClient {
  const http = openHttp();
  const authorization = `Bearer ${token}`;

  const get = (path: string, signal: AbortSignal): Promise<HttpResponse> =>
    // Integrators report 406 from `/charges` for the usual header.
    http.request({ method: 'GET', url: baseUrl + path, headers: { authorization, accept: '*/*' }, signal });

  const post = (
    path: string,
    { body, idempotencyKey, signal }: Pick<HttpRequest, 'body' | 'signal'> & { idempotencyKey: string },
  ): Promise<HttpResponse> => {
    const headers = { authorization, 'x-idempotency-key': idempotencyKey };
    return http.request({ method: 'POST', url: baseUrl + path, headers, body, signal });
  };

  return {
    async createOrder(body, idempotencyKey, signal) {
      return read(order, await post('/orders', { body, idempotencyKey, signal }));
    },

    async findOrder(orderId, signal) {
      const response = await get(`/orders/${encodeURIComponent(orderId)}`, signal);
      return response.status === 404 ? undefined : read(order, response);
    },

    async searchPaidOrder(referenceId, signal) {
      const query = new URLSearchParams({ reference_id: referenceId });
      const response = await get(`/charges?${query.toString()}`, signal);
      if (response.status === 404) return undefined;
      const found = read(foundCharges, response).find(({ reference_id }) => reference_id === referenceId);
      if (!found) return undefined;
      const ofCharge = new URLSearchParams({ charge_id: found.id });
      return read(order, await get(`/orders?${ofCharge.toString()}`, signal));
    },

    async cancelCharge(chargeId, amount, idempotencyKey, signal) {
      const path = `/charges/${encodeURIComponent(chargeId)}/cancel`;
      const body = { amount: { value: amount } };
      return read(charge, await post(path, { body, idempotencyKey, signal }));
    },
  };
}
