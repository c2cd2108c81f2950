import { createDueLanes, type LaneTurn } from '../base/pacing/due-lanes.ts';
import type { Database } from '../../database/database.ts';
import { type ClaimedDelivery, claimDeliveries, findDueEndpoints } from './store/delivery-claims.ts';

export interface DeliveryClaims {
  /**
   * Looks everywhere, and claims at most `limit` due deliveries for one lease. `sending` counts the requests in flight per endpoint.
   * No endpoint gets more than its share, and no organization more than brings it to `limit`.
   */
  claim(limit: number, sending: ReadonlyMap<string, number>): Promise<ClaimedDelivery[]>;
  /**
   * Claims that continue where the last one ended, so that their cost does not grow with what was delivered: while PostgreSQL
   * has to keep old versions of rows, as during a dump, they are passed over.
   */
  continueClaims(): (
    limit: number,
    sending: ReadonlyMap<string, number>,
  ) => Promise<{ items: ClaimedDelivery[]; isMore: boolean }>;
}

interface Dependencies {
  db: Database;
  now: () => Date;
}

/** Longer than a request can take, so a live sender never loses its claim. */
const leaseMs = 30_000;
const endpointLimit = 20;
const failingEndpointLimit = 2;
const everything = 2 ** 31 - 1;

export function createDeliveryClaims({ db, now }: Dependencies): DeliveryClaims {
  function claimFrom(
    endpoints: readonly LaneTurn<string>[],
    limit: number,
    sending: ReadonlyMap<string, number>,
  ) {
    const at = now();
    const leasedUntil = new Date(at.getTime() + leaseMs);
    const limits = { limit, endpointLimit, failingEndpointLimit };
    return claimDeliveries(db, { now: at, leasedUntil, ...limits, sending, endpoints });
  }

  return {
    async claim(limit, sending) {
      const due = await findDueEndpoints(db, { until: now(), limit: everything });
      const first = new Map(due.toReversed().map(({ lane, at }) => [lane, { lane, at, since: at }]));
      return (await claimFrom([...first.values()], limit, sending)).claimed;
    },

    continueClaims() {
      const lanes = createDueLanes((part) => findDueEndpoints(db, part), now);
      return async (limit, sending) => {
        await lanes.look();
        const hasRoom = (id: string) => (sending.get(id) ?? 0) < endpointLimit;
        const endpoints = lanes.next(hasRoom);
        if (endpoints.length === 0) return { items: [], isMore: lanes.isMore(false, hasRoom) };
        const { claimed, behind } = await claimFrom(endpoints, limit, sending);
        for (const { lane } of endpoints) {
          const since = behind.get(lane);
          if (since) lanes.keep(lane, since);
          else lanes.forget(lane);
        }
        return { items: claimed, isMore: lanes.isMore(claimed.length > 0, hasRoom) };
      };
    },
  };
}
