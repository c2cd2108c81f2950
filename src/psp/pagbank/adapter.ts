import { LRUCache } from 'lru-cache';
import type { Charge, ChargeIds, ChargeRequest } from '../../core/providers/rules/charge.ts';
import type { PspAdapter, PspCapabilities } from '../../core/providers/rules/psp.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { trustedCharge, requestedCharge } from '../kit/trusted-charge.ts';
import { checkPayer } from '../kit/payer.ts';
import { heldExpiry, type PspProvider, type PspTools } from '../kit/provider.ts';
import { pagbankAbout } from './about.ts';
import { createPagbankClient } from './client.ts';
import { chargeOf, orderBodyOf, pixChargeOf, refundOf, wasPaid } from './mapping.ts';
import { pagbankNotifications } from './notifications.ts';
import { type PagbankSettings, pagbankSettings } from './settings.ts';
import type { PagbankCharge, PagbankOrder } from './wire-format.ts';

type OurId = Pick<ChargeIds, 'transactionId' | 'kind'>;

const capabilities: PspCapabilities = {
  needsPayer: ['name', 'document', 'email'],
  // 24 hours by default; no maximum is documented.
  expiryMinutes: { minimum: 1, maximum: 525_600 },
  // A code cannot be withdrawn: `/charges/{id}/cancel` accepts only a paid charge.
  cancel: 'none',
  hidesUnpaid: true,
  // PagBank refunds within 90 days (developer.pagbank.com.br/docs/cancelando-uma-cobrança).
  refund: 'partial',
  // We send a key, but PagBank documents neither how long it is known nor that a refund respects it, so we look first.
  refundIdRetentionHours: 0,
  webhookRegistration: 'per_charge',
  disputePanel: 'https://minhaconta.pagbank.com.br',
  // The statement is the EDI, on another host and with a user and a token that PagBank gives on request
  // (developer.pagbank.com.br/docs/api-do-extrato-edi).
  noStatement: 'the Orders API lists nothing by day',
};

function connect(settings: PagbankSettings, { http, now, logger }: PspTools): PspAdapter {
  const client = createPagbankClient(settings, http);
  /** How often each refund was refused for the time being: for a key that it knows, PagBank would repeat the refusal. */
  const refusals = new LRUCache<string, number>({ max: 1_000 });

  const read = (order: PagbankOrder, ids: OurId): Charge => trustedCharge(chargeOf(order), ids, logger);

  /**
   * An order that was never paid is not found by our id. To the service it does not exist: only the response to
   * its creation has the code, so nobody can pay it, and creating it again returns the same one.
   */
  async function findOrder({ reference, transactionId }: ChargeIds, signal: AbortSignal) {
    return reference === null
      ? client.searchPaidOrder(transactionId, signal)
      : client.findOrder(reference, signal);
  }

  async function findCharge(ids: ChargeIds, signal: AbortSignal) {
    const order = await findOrder(ids, signal);
    return order && read(order, ids);
  }

  /** Tries again once if the response was lost: the same key returns the same order, with the code. */
  async function createOrder(request: ChargeRequest, signal: AbortSignal): Promise<PagbankOrder> {
    const body = orderBodyOf(request, heldExpiry(capabilities, request.expiresAt, now()));
    const create = () => client.createOrder(body, request.transactionId, signal);
    return create().catch((error: unknown) => {
      if (!(error instanceof PspError) || error.failure !== 'unknown' || signal.aborted) throw error;
      return create().catch(() => {
        throw error;
      });
    });
  }

  async function paidCharge(ids: ChargeIds, signal: AbortSignal): Promise<PagbankCharge> {
    const order = await findOrder(ids, signal);
    const charge = order && pixChargeOf(order);
    if (charge && wasPaid(charge)) return charge;
    throw new PspError('rejected', 'PagBank has no paid charge of this order');
  }

  return {
    capabilities,
    findCharge,

    async createCharge(request, signal) {
      checkPayer(capabilities, request.payer);
      return requestedCharge(read(await createOrder(request, signal), request), request, logger);
    },

    cancelCharge: () =>
      Promise.reject(new PspError('rejected', 'PagBank cannot cancel a code; it expires by itself')),

    async refundCharge(request, signal) {
      const { id } = await paidCharge(request, signal);
      const { refundId, amountInCents } = request;
      const refused = refusals.get(refundId);
      const key = refused === undefined ? refundId : `${refundId}-${refused}`;
      const charge = await client
        .cancelCharge(id, Number(amountInCents), key, signal)
        .catch((error: unknown) => {
          if (error instanceof PspError && error.failure === 'not_yet')
            refusals.set(refundId, (refused ?? 0) + 1);
          throw error;
        });
      const accepted = refundOf(charge, { ...request, refundReference: refundId });
      return accepted ?? { reference: refundId, status: 'pending' };
    },

    async findRefund(request, signal) {
      return refundOf(await paidCharge(request, signal), request);
    },
  };
}

export const pagbank: PspProvider<PagbankSettings> = {
  name: 'pagbank',
  about: pagbankAbout,
  capabilities,
  settingsSchema: pagbankSettings,
  connect,
  notifications: pagbankNotifications,
};
