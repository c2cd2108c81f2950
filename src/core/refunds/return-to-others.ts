import { operatorFor } from '../base/caller.ts';
import { ServiceError } from '../base/errors.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Database } from '../../database/database.ts';
import { claimReturns, endReturn } from './store/returns.ts';
import type { RefundService } from './refunds.ts';

/** Returns what somebody else than the payer asked for has paid, where the organization wants that. */
export interface ReturnsToOthers {
  /** Refunds up to `limit` payments that are due; returns how many. Safe to kill at any moment. */
  runDue(limit: number): Promise<number>;
}

/** Longer than a refund takes. */
const leaseMs = 60_000;

const reason = 'Pago por outra pessoa';

interface Dependencies {
  db: Database;
  refunds: Pick<RefundService, 'create'>;
  now: () => Date;
  logger: Logger;
}

export function createReturnsToOthers({ db, refunds, now, logger }: Dependencies): ReturnsToOthers {
  async function giveBack({ id, organizationId, mode }: Awaited<ReturnType<typeof claimReturns>>[number]) {
    const caller = { ...operatorFor(organizationId, mode), isRule: true as const };
    try {
      // Whoever takes over after a crash finds the refund by the key.
      await refunds.create(caller, id, { reason }, `other-payer-${id}`);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'idempotency_key_in_flight') {
        logger.warn({ paymentId: id, error }, 'a payment of another payer is not returned yet');
        return;
      }
      // Somebody refunds it already, or it is disputed: it stays for a person to review.
      logger.warn({ paymentId: id, reason: error.code }, 'a payment of another payer cannot be returned');
    }
    await endReturn(db, id);
  }

  return {
    async runDue(limit) {
      const leasedUntil = new Date(now().getTime() + leaseMs);
      const due = await claimReturns(db, { now: now(), leasedUntil, limit });
      await Promise.all(due.map(giveBack));
      return due.length;
    },
  };
}
