import {
  type Charge,
  type ChargeIds,
  type PspAdapter,
  type PspCapabilities,
  PspError,
} from '../../domain/providers/psp.ts';
import { cancelled } from '../kit/cancelled.ts';
import { asAskedFor, matched } from '../kit/matched.ts';
import { checkPayer } from '../kit/payer.ts';
import { heldExpirySeconds, type PspProvider, type PspTools } from '../kit/provider.ts';
import { signIn } from '../kit/check-by-lookup.ts';
import { refundAskedFor } from '../kit/reported-refund.ts';
import { wooviAbout } from './about.ts';
import { createWooviClient } from './client.ts';
import type { WooviCharge, WooviRefund } from './wire.ts';
import { chargeBodyOf, chargeOf, refundOf } from './mapping.ts';
import { wooviNotifications } from './notifications.ts';
import { type WooviSettings, wooviSettings } from './settings.ts';

const capabilities: PspCapabilities = {
  needsPayer: [],
  // No limits are documented; these are our own.
  expiryMinutes: { minimum: 5, maximum: 43_200 },
  cancel: 'unpaid',
  refund: 'partial',
  refundIdRetentionHours: Infinity,
};

function connect(settings: WooviSettings, { http, now, logger }: PspTools): PspAdapter {
  const client = createWooviClient(settings, http);

  const read = (found: WooviCharge, name: Pick<ChargeIds, 'transactionId'>): Charge =>
    matched(chargeOf(found, [], now()), name, logger);

  /** A paid charge stays COMPLETED after refunds, which are in a separate list. */
  async function returnsOf({ correlationID }: WooviCharge, signal: AbortSignal): Promise<WooviRefund[]> {
    try {
      return await client.listRefunds(correlationID, signal);
    } catch (error) {
      if (!(error instanceof PspError) || error.failure !== 'rejected') throw error;
      // The AppID may lack the permission, which must not hold up the money received.
      logger?.warn({ provider: 'woovi', reason: error.message }, 'refunds of a charge cannot be seen');
      return [];
    }
  }

  // Woovi identifies charges by our id, so it is preferred to the reference.
  async function findCharge(name: ChargeIds, signal: AbortSignal) {
    const found = await client.findCharge(name.transactionId || (name.reference ?? ''), signal);
    if (!found) return undefined;
    const charge = read(found, name);
    if (charge.status !== 'paid') return charge;
    return matched(chargeOf(found, await returnsOf(found, signal), now()), name, logger);
  }

  return {
    capabilities,
    findCharge,
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
      return cancelled(before, {
        cancel: () => client.deleteCharge(name.transactionId, signal),
        look: () => findCharge(name, signal),
      });
    },

    // Woovi refuses an id that was used before.
    async refundCharge(request, signal) {
      const { transactionId, refundId, amountInCents } = request;
      const body = { correlationID: refundId, value: Number(amountInCents) };
      return refundAskedFor(refundOf(await client.createRefund(transactionId, body, signal)), request);
    },

    async findRefund(request, signal) {
      const refunds = await client.listRefunds(request.transactionId, signal);
      const ours = refunds.find(({ correlationID }) => correlationID === request.refundId);
      return ours && refundAskedFor(refundOf(ours), request);
    },
  };
}

export const woovi: PspProvider<WooviSettings> = {
  name: 'woovi',
  about: wooviAbout,
  capabilities,
  settingsSchema: wooviSettings,
  connect,
  notifications: wooviNotifications,
};
