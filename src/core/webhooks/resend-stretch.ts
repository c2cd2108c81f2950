import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import { ServiceError, Unavailable } from '../base/errors.ts';
import { firstIdAt } from '../base/ids.ts';
import type { Database } from '../../database/database.ts';
import { findEventBeyond, resendDeliveriesAfter } from './store/webhook-deliveries.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../base/caller.ts';

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  now: () => Date;
}

/** Returns how many events are sent again. */
export type ResendStretch = (
  caller: Caller,
  endpointId: string,
  period: { since: Date; until: Date | undefined },
) => Promise<number>;

/** Events per transaction. */
const resendAtOnce = 5_000;
const maximumResent = 20_000;
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** Shared by all organizations, because payments come first. */
const resendSlots = { atOnce: 2, waiting: 20 };

interface Stretch {
  since: Date;
  afterEventId: string;
  beforeEventId: string;
}

export function createResendStretch({ db, audit, now }: Dependencies): ResendStretch {
  const resending = new Set<string>();
  const slots = bulkhead(resendSlots.atOnce, resendSlots.waiting);

  async function assertFew(caller: Caller, stretch: Stretch): Promise<void> {
    if (caller.kind === 'operator') return;
    const beyond = await findEventBeyond(db, caller, { ...stretch, limit: maximumResent });
    if (!beyond) return;
    throw new ServiceError(
      'too_many_events',
      `since must leave at most ${maximumResent} events: send them in parts, the first of them until ${beyond.toISOString()}`,
    );
  }

  /** Works in parts to keep transactions short, and records each part in the audit log. */
  async function resendParts(caller: Caller, endpointId: string, stretch: Stretch): Promise<number> {
    const { organizationId, mode } = caller;
    const endpoint = { id: endpointId, organizationId, mode };
    const resendPart = (afterEventId: string) =>
      db.$transaction(async (tx) => {
        const wanted = { ...stretch, afterEventId, limit: resendAtOnce };
        const part = await resendDeliveriesAfter(tx, endpoint, wanted, now());
        const details = { since: stretch.since.toISOString(), resent: part.resent };
        if (part.resent > 0 || afterEventId === stretch.afterEventId) {
          await audit.record(tx, caller, 'webhook_endpoint.resend_since', endpointId, details);
        }
        return part;
      });
    let resent = 0;
    for (let after: string | null = stretch.afterEventId; after !== null;) {
      const part = await resendPart(after);
      resent += part.resent;
      after = part.lastEventId;
    }
    return resent;
  }

  /** Runs one per organization, and only a few in all. */
  async function resendInTurn(organizationId: string, resend: () => Promise<number>): Promise<number> {
    if (resending.has(organizationId)) {
      throw new ServiceError(
        'resend_in_progress',
        'Another resend is in progress: wait until it has finished',
        {
          retryAfterSeconds: 1,
        },
      );
    }
    resending.add(organizationId);
    try {
      return await slots.execute(resend);
    } catch (error) {
      throw error instanceof BulkheadRejectedError ? new Unavailable('full') : error;
    } finally {
      resending.delete(organizationId);
    }
  }

  return (caller, endpointId, { since, until }) => {
    const stretch = {
      since,
      afterEventId: firstIdAt(since),
      beforeEventId: until ? firstIdAt(until) : lastId,
    };
    return resendInTurn(caller.organizationId, async () => {
      await assertFew(caller, stretch);
      return resendParts(caller, endpointId, stretch);
    });
  };
}
