import type { CredentialTraffic } from './store/credential-traffic.ts';
import { recordMissed, recordNotified } from './store/credential-traffic.ts';
import { recordSweepMissed } from '../settlement/store/sweeps.ts';
import { listLagMs } from '../settlement/rules/sweep-schedule.ts';
import type { Charge } from './rules/charge.ts';
import type { Polling } from './rules/request-quota.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Database } from '../../database/database.ts';
import type { PspAccount } from './psps.ts';

/** Learns from confirmations whether a PSP's notifications arrive. */
export interface TrafficObserver {
  /** Called when a notification led to this paid charge. */
  confirmedByNotification(account: PspAccount, known: CredentialTraffic): Promise<void>;
  /** Called when a look or a sweep found this charge paid while its payment was pending. */
  confirmedByPolling(account: PspAccount, known: CredentialTraffic, found: Found): Promise<void>;
}

interface Found {
  charge: Charge;
  by: Polling;
}

interface Dependencies {
  db: Database;
  now: () => Date;
  logger: Logger;
}

/** How often, at most, it is written down that notifications arrive. */
const precisionMs = 60_000;
/**
 * How long a notification may take before it counts as missed; polling may just be faster. Shorter when none has come for
 * minutes.
 */
const patienceMs = { arriving: 60_000, silent: 10_000 };
const silentMs = 10 * 60_000;

export function createTrafficObserver({ db, now, logger }: Dependencies): TrafficObserver {
  return {
    async confirmedByNotification({ credentialId }, { notifiedAt, missedAt }) {
      if (credentialId === null) return;
      const isKnown = notifiedAt && now().getTime() - notifiedAt.getTime() < precisionMs;
      if (isKnown && !(missedAt && missedAt >= notifiedAt)) return;
      await recordNotified(db, credentialId, now());
    },

    async confirmedByPolling({ provider, credentialId }, known, { charge, by }) {
      const { notifiedAt, missedAt, sweptAt } = known;
      const paidAt = charge.receivedPix[0]?.paidAt;
      const isSilent = !notifiedAt || now().getTime() - notifiedAt.getTime() > silentMs;
      const patience = isSilent ? patienceMs.silent : patienceMs.arriving;
      if (credentialId === null || !paidAt || now().getTime() - paidAt.getTime() < patience) return;
      if (by !== 'sweep' && sweptAt && paidAt.getTime() < sweptAt.getTime() - listLagMs) {
        logger.warn({ provider, credentialId }, 'a payment was found by polling: sweeps have missed it');
        await recordSweepMissed(db, credentialId, now());
      }
      if (notifiedAt && !(missedAt && missedAt >= notifiedAt)) {
        logger.warn(
          { provider, credentialId },
          'a payment was found by polling: its notification did not come',
        );
      }
      await recordMissed(db, credentialId, now());
    },
  };
}
