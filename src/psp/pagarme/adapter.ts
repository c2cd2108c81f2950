import type { Charge, ChargeIds } from '../../core/providers/rules/charge.ts';
import type { PspAdapter, PspCapabilities } from '../../core/providers/rules/psp.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { cancelled } from '../kit/outcome.ts';
import { requestedCharge, trustedCharge } from '../kit/trusted-charge.ts';
import { notifiedCharge } from '../kit/notification.ts';
import { checkPayer } from '../kit/payer.ts';
import { heldExpirySeconds, type PspProvider, type PspTools } from '../kit/provider.ts';
import { ownRefund, requestedRefund } from '../kit/reported-refund.ts';
import { pagarmeAbout } from './about.ts';
import { createPagarmeClient, pageSize } from './client.ts';
import type { PagarmeOrder } from './wire-format.ts';
import { chargeOf, failureOf, hasAddress, onlyChargeOf, orderBodyOf, refundsOf } from './mapping.ts';
import { pagarmeNotifications } from './notifications.ts';
import { type PagarmeSettings, pagarmeSettings } from './settings.ts';

type OurId = Pick<ChargeIds, 'transactionId' | 'kind'>;

const capabilities: PspCapabilities = {
  needsPayer: ['name', 'document', 'email', 'phone'],
  // Pagar.me accepts at most ten years.
  expiryMinutes: { minimum: 1, maximum: 5_256_000 },
  // The same request refunds a paid charge, and a Pix may arrive between any lookup and the request.
  cancel: 'may_refund',
  refund: 'partial',
  refundIdRetentionHours: 24,
  webhookRegistration: 'panel',
  disputePanel: 'https://dash.pagar.me',
  // `GET /charges` and `/orders` have `created_since` and `created_until`. `GET /payables` lists by day, but names only the
  // charge, while we know the order (pagarme/pagarme-nodejs-sdk 6.8.17, doc/controllers).
  noStatement: 'Pagar.me lists charges by the day they were made, whenever they were paid',
};

function connect(settings: PagarmeSettings, { http, now, logger }: PspTools): PspAdapter {
  const client = createPagarmeClient(settings, http);
  const account = { isTest: isTestKey(settings) };

  async function findOrder({ reference, transactionId }: ChargeIds, signal: AbortSignal) {
    const id = reference ?? (await client.searchOrder(transactionId, signal));
    return id === undefined ? undefined : client.findOrder(id, signal);
  }

  async function existing(ids: ChargeIds, signal: AbortSignal): Promise<PagarmeOrder> {
    const order = await findOrder(ids, signal);
    if (!order) throw new PspError('rejected', 'Pagar.me has no such order');
    return order;
  }

  const read = (order: PagarmeOrder, ids: OurId): Charge =>
    trustedCharge(chargeOf(order, account), ids, logger);

  async function findCharge(ids: ChargeIds, signal: AbortSignal) {
    const order = await findOrder(ids, signal);
    return order && read(order, ids);
  }

  return {
    capabilities,
    findCharge,

    // `created_since` and `created_until` of pagarme/pagarme-nodejs-sdk 6.8.17, doc/controllers/orders.md.
    async listCharges({ since, until }, cursor, signal) {
      const page = Number(cursor ?? 1);
      const listed = await client.listOrders({ since, until, page }, signal);
      const charges = listed.flatMap(({ id, code }) => notifiedCharge(code, id));
      return { charges, nextCursor: listed.length === pageSize ? String(page + 1) : null };
    },

    async createCharge(request, signal) {
      checkPayer(capabilities, request.payer);
      const expiresIn = heldExpirySeconds(capabilities, request.expiresAt, now());
      const body = orderBodyOf(request, expiresIn);
      const order = await client.createOrder(body, request.transactionId, signal);
      if (onlyChargeOf(order).status === 'failed') {
        const reason = failureOf(order, request.payer);
        throw new PspError('rejected', `Pagar.me's gateway failed: ${reason}`);
      }
      if (hasAddress(onlyChargeOf(order)) && !account.isTest) {
        throw new PspError(
          'unknown',
          'Pagar.me returned an address instead of a Pix code: Pix is not enabled at the gateway of this account',
        );
      }
      return requestedCharge(read(order, request), request, logger);
    },

    async cancelCharge(ids, signal) {
      const order = await existing(ids, signal);
      const own = { ...ids, reference: order.id };
      return cancelled(read(order, ids), {
        cancel: () => client.cancelCharge(onlyChargeOf(order).id, {}, `cancel-${ids.transactionId}`, signal),
        look: () => findCharge(own, signal),
      });
    },

    async refundCharge(request, signal) {
      const { id } = onlyChargeOf(await existing(request, signal));
      const body = { amount: Number(request.amountInCents) };
      const { last_transaction } = await client.cancelCharge(id, body, request.refundId, signal);
      const [refund] = refundsOf([last_transaction]);
      return refund ? requestedRefund(refund, request) : { reference: null, status: 'pending' };
    },

    async findRefund(request, signal) {
      const { id } = onlyChargeOf(await existing(request, signal));
      const ours = ownRefund(refundsOf(await client.listTransactions(id, signal)), request);
      return ours && requestedRefund(ours, request);
    },
  };
}

const isTestKey = ({ secretKey }: PagarmeSettings): boolean => secretKey.startsWith('sk_test_');

export const pagarme: PspProvider<PagarmeSettings> = {
  name: 'pagarme',
  about: pagarmeAbout,
  capabilities,
  // docs.pagar.me/reference/rate-limit: `GET /orders` and `/charges` in production, any endpoint in test accounts.
  quotaOf: (settings) =>
    isTestKey(settings)
      ? { requests: 10, windowSeconds: 1 }
      : { requests: 200, windowSeconds: 60, method: 'GET' },
  isTestKey,
  settingsSchema: pagarmeSettings,
  connect,
  notifications: pagarmeNotifications,
};
