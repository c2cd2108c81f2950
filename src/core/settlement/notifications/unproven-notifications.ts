import { LRUCache } from 'lru-cache';
import type { NotifiedCharge } from '../../providers/rules/charge.ts';
import { PspError } from '../../providers/rules/psp-error.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Database } from '../../../database/database.ts';
import { findChargeAttemptByReference } from '../../payments/store/charge-attempts.ts';
import type { Settlement } from '../settlement.ts';

export interface UnprovenNotifications {
  /**
   * Looks at the charge that an unproven notification names, if it is ours, at most once a minute per charge and node. Nothing
   * is stored or tried again, because polling finds what is missed. `cause` is the place of the notification's request in its
   * trace.
   */
  follow(credentialId: string, charges: readonly NotifiedCharge[], cause?: string): Promise<void>;
}

interface Dependencies {
  db: Database;
  settlement: Pick<Settlement, 'lookUpUnproven'>;
  logger: Logger;
}

const pauseMs = 60_000;
const maximumRemembered = 10_000;

export function createUnprovenNotifications({ db, settlement, logger }: Dependencies): UnprovenNotifications {
  const followed = new LRUCache<string, true>({ max: maximumRemembered, ttl: pauseMs });

  return {
    async follow(credentialId, [charge], cause) {
      const reference = charge?.reference;
      const name = `${credentialId} ${reference}`;
      if (!reference || followed.has(name)) return;
      const attempt = await findChargeAttemptByReference(db, credentialId, reference);
      if (!attempt || followed.has(name)) return;
      followed.set(name, true);
      await settlement.lookUpUnproven(attempt, cause).catch((error: unknown) => {
        if (!(error instanceof PspError)) throw error;
        logger.info({ credentialId, reason: error.message }, 'an unproven notification was not followed');
      });
    },
  };
}
