import type { Database } from '../../database/database.ts';
import { type ClaimedDelivery, claimDeliveries, type DeliveryClaim } from './store/delivery-claims.ts';

/**
 * Claims at most `limit` due deliveries for one lease. `sending` counts the requests in flight per endpoint. No endpoint gets
 * more than its share, and no organization more than brings it to `limit`.
 */
type ClaimDeliveries = (limit: number, sending: ReadonlyMap<string, number>) => Promise<ClaimedDelivery[]>;

export interface DeliveryClaims {
  claim: ClaimDeliveries;
  /**
   * Claims that continue where the last one ended, so that their cost does not grow with what was delivered: while PostgreSQL
   * has to keep old versions of rows, as during a dump, they are passed over. These claims find whatever became due in between,
   * no matter who made it due. A delivery whose time was moved back, as when an endpoint is enabled again, is found by looking
   * everywhere now and then.
   */
  continueClaims(): ClaimDeliveries;
}

interface Dependencies {
  db: Database;
  now: () => Date;
}

/** Longer than a request can take, so a live sender never loses its claim. */
const leaseMs = 30_000;
const endpointLimit = 20;
const failingEndpointLimit = 2;
/** A delivery is committed within this of its time, and the clocks of nodes may differ by as much. */
const slackMs = 500;
const lookEverywhereMs = 500;
/** Looking everywhere takes at most a tenth of the time. */
const lookEverywhereShare = 10;

export function createDeliveryClaims({ db, now }: Dependencies): DeliveryClaims {
  const claimFrom = (
    limit: number,
    sending: ReadonlyMap<string, number>,
    at: Date,
    from?: DeliveryClaim['from'],
  ) => {
    const leasedUntil = new Date(at.getTime() + leaseMs);
    const limits = { limit, endpointLimit, failingEndpointLimit };
    return claimDeliveries(db, { now: at, leasedUntil, ...limits, sending, ...(from && { from }) });
  };

  return {
    claim: async (limit, sending) => (await claimFrom(limit, sending, now())).claimed,

    continueClaims() {
      let behind = new Map<string, Date>();
      let lookedAt = now();
      let lookEverywhereAt = -Infinity;

      async function lookEverywhere(limit: number, sending: ReadonlyMap<string, number>, at: Date) {
        const startedAt = performance.now();
        try {
          return await claimFrom(limit, sending, at);
        } finally {
          const tookMs = performance.now() - startedAt;
          lookEverywhereAt = startedAt + Math.max(lookEverywhereMs, tookMs * lookEverywhereShare);
        }
      }

      return async (limit, sending) => {
        const at = now();
        const since = new Date(Math.min(lookedAt.getTime(), at.getTime()) - slackMs);
        const found =
          performance.now() >= lookEverywhereAt
            ? await lookEverywhere(limit, sending, at)
            : await claimFrom(limit, sending, at, { since, behind });
        ({ behind } = found);
        lookedAt = at;
        return found.claimed;
      };
    },
  };
}
