import {
  type Charge,
  type ChargeName,
  type PspAdapter,
  type PspCapabilities,
  PspError,
  type Refund,
  type RefundRequest,
} from '../../domain/psp.ts';
import { asAskedFor, matched, requireSameAmount } from '../matched.ts';
import { checkPayer } from '../payer.ts';
import { heldExpirySeconds, type PspProvider, type PspTools } from '../provider.ts';
import { signIn } from '../sign-in.ts';
import { createWooviClient, type WooviCharge, type WooviRefund } from './client.ts';
import { chargeBodyOf, chargeOf, refundOf } from './mapping.ts';
import { wooviNotifications } from './notifications.ts';
import { type WooviSettings, wooviSettings } from './settings.ts';

const capabilities: PspCapabilities = {
  needsPayer: [],
  // No limits are documented; these are ours.
  expiryMinutes: { minimum: 5, maximum: 43_200 },
  cancel: true,
  refund: 'partial',
};

function connect(settings: WooviSettings, { http, now, logger }: PspTools): PspAdapter {
  const client = createWooviClient(settings, http);

  const read = (found: WooviCharge, name: Pick<ChargeName, 'transactionId'>): Charge =>
    matched(chargeOf(found, now()), name, logger);

  // Our id is an id to Woovi as well: it comes before the reference.
  async function findCharge(name: ChargeName, signal: AbortSignal) {
    const found = await client.findCharge(name.transactionId || (name.reference ?? ''), signal);
    return found && read(found, name);
  }

  function readRefund(refund: WooviRefund, request: RefundRequest): Refund {
    requireSameAmount(refund.value, request);
    return refundOf(refund);
  }

  async function findRefund(request: RefundRequest, signal: AbortSignal) {
    const refunds = await client.listRefunds(request.transactionId, signal);
    const ours = refunds.find(({ correlationID }) => correlationID === request.refundId);
    return ours && readRefund(ours, request);
  }

  return {
    capabilities,
    findCharge,
    findRefund,
    check: signIn(findCharge),

    async createCharge(request, signal) {
      checkPayer(capabilities, request.payer);
      const expiresIn = heldExpirySeconds(capabilities, request.expiresAt, now());
      const made = await client.createCharge(chargeBodyOf(request, expiresIn), signal);
      return asAskedFor(read(made, request), request, logger);
    },

    async cancelCharge(name, signal) {
      const before = await findCharge(name, signal);
      if (!before) throw new PspError('rejected', 'Woovi has no such charge');
      if (before.status !== 'active') return before;
      let refused: PspError | undefined;
      try {
        await client.deleteCharge(name.transactionId, signal);
      } catch (error) {
        // Refused as well when it was paid first.
        if (!(error instanceof PspError) || error.failure !== 'rejected') throw error;
        refused = error;
      }
      const after = await findCharge(name, signal);
      if (after?.status === 'paid') return after;
      if (refused) throw refused;
      // A deleted charge is gone, or ended before its time.
      return { ...before, status: 'cancelled' };
    },

    async refundCharge(request, signal) {
      const { transactionId, refundId, amountInCents } = request;
      try {
        const body = { correlationID: refundId, value: Number(amountInCents) };
        return readRefund(await client.createRefund(transactionId, body, signal), request);
      } catch (error) {
        // An id that was used before is refused.
        if (!(error instanceof PspError) || error.failure !== 'rejected') throw error;
        const made = await findRefund(request, signal);
        if (!made) throw error;
        return made;
      }
    },
  };
}

export const woovi: PspProvider<WooviSettings> = {
  name: 'woovi',
  capabilities,
  settingsSchema: wooviSettings,
  connect,
  notifications: wooviNotifications,
};
