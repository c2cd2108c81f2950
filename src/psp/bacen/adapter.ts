import { type Charge, type PspAdapter, type PspCapabilities, PspError } from '../../domain/providers/psp.ts';
import { asAskedFor } from '../kit/matched.ts';
import { heldExpirySeconds, type PspProvider, type PspTools } from '../kit/provider.ts';
import { refundAskedFor } from '../kit/reported-refund.ts';
import { bacenAbout } from './about.ts';
import { createBacenClient } from './client.ts';
import { amountOf, type Cob, cobRequestOf, readCob, refundOf } from './mapping.ts';
import { bacenNotifications } from './notifications.ts';
import { type BacenSettings, bacenSettings } from './settings.ts';

const capabilities: PspCapabilities = {
  needsPayer: [],
  // The standard has no maximum; this is the longest that we request.
  expiryMinutes: { minimum: 1, maximum: 43_200 },
  cancel: 'unpaid',
  refund: 'partial',
  refundIdRetentionHours: Infinity,
};

/** How long after its expiry, by our clock, a charge that is still ATIVA may turn out to be paid. */
const latestPixMs = 60_000;

function connect(settings: BacenSettings, tools: PspTools): PspAdapter {
  const client = createBacenClient(settings, tools);
  const { now, logger } = tools;

  function read(cob: Cob, transactionId: string): Charge {
    const { charge, mismatches } = readCob(cob, transactionId, settings);
    if (mismatches.length > 0) {
      logger?.error(
        { provider: 'bacen', transactionId, mismatches },
        'the charge does not match the request',
      );
    }
    return charge;
  }

  return {
    capabilities,

    async createCharge(request, signal) {
      const { transactionId, expiresAt } = request;
      const expirySeconds = heldExpirySeconds(capabilities, expiresAt, now());
      const body = cobRequestOf(request, settings.pixKey, expirySeconds);
      const charge = read(await client.createCob(transactionId, body, signal), transactionId);
      return asAskedFor(charge, request, logger);
    },

    async findCharge({ transactionId }, signal) {
      const cob = await client.findCob(transactionId, signal);
      return cob && read(cob, transactionId);
    },

    async cancelCharge({ transactionId }, signal) {
      const charge = read(await client.cancelCob(transactionId, signal), transactionId);
      if (charge.status !== 'active') return charge;
      // Some PSPs do not cancel expired charges.
      const hasExpired = charge.expiresAt.getTime() + latestPixMs <= now().getTime();
      if (hasExpired) return { ...charge, status: 'expired' };
      throw new PspError('rejected', 'the provider did not cancel the charge');
    },

    async refundCharge(request, signal) {
      const refund = await client.createDevolucao(request, amountOf(request.amountInCents), signal);
      return refundAskedFor(refundOf(refund), request);
    },

    async findRefund(request, signal) {
      const refund = await client.findDevolucao(request, signal);
      return refund && refundAskedFor(refundOf(refund), request);
    },

    check: (signal) => client.signIn(signal),
  };
}

/** Any PSP that follows the Banco Central's API Pix (2.9.0). */
export const bacen: PspProvider<BacenSettings> = {
  name: 'bacen',
  about: bacenAbout,
  capabilities,
  settingsSchema: bacenSettings,
  connect,
  notifications: bacenNotifications,
};
