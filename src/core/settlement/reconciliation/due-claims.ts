import { createDueLanes, type Lane } from '../../base/pacing/due-lanes.ts';
import type { Database } from '../../../database/database.ts';
import { checkLeaseMs } from '../rules/check-schedule.ts';
import { claimDue, type DueKind, type DueRow, findDue } from '../store/due.ts';

export interface Room {
  limit: number;
  /** Limit of rows of a credential. */
  slotsOf(this: void, lane: Lane): number;
}

interface ClaimedRows {
  items: DueRow[];
  /** Whether it is worth claiming again at once. */
  isMore: boolean;
}

export interface DueClaims {
  /** Looks everywhere. */
  claim(kind: DueKind, room: Room): Promise<DueRow[]>;
  /** Claims that cost as much as what is due, a part at a time, and as much as a few credentials. */
  continueClaims(kind: DueKind): (room: Room) => Promise<ClaimedRows>;
}

interface Dependencies {
  db: Database;
  now: () => Date;
}

export function createDueClaims({ db, now }: Dependencies): DueClaims {
  function claimFrom(kind: DueKind, limit: number, slotsOf: ReadonlyMap<Lane, number>) {
    const at = now();
    return claimDue(db, kind, {
      now: at,
      leasedUntil: new Date(at.getTime() + checkLeaseMs),
      limit,
      slotsOf,
    });
  }

  const everything = 2 ** 31 - 1;

  return {
    async claim(kind, { limit, slotsOf }) {
      const due = await findDue(db, kind, { until: now(), limit: everything });
      const lanes = new Map(due.map(({ lane }) => [lane, slotsOf(lane)]));
      return (await claimFrom(kind, limit, lanes)).claimed;
    },

    continueClaims(kind) {
      const lanes = createDueLanes((part) => findDue(db, kind, part), now);
      return async ({ limit, slotsOf }) => {
        await lanes.look();
        const hasRoom = (lane: Lane) => slotsOf(lane) > 0;
        const turns = lanes.next(hasRoom);
        const slots = new Map(turns.map(({ lane }) => [lane, slotsOf(lane)]));
        if (slots.size === 0) return { items: [], isMore: lanes.isMore(false, hasRoom) };
        const { claimed, paused } = await claimFrom(kind, limit, slots);
        const left = new Map(slots);
        for (const { credentialId: lane } of claimed) left.set(lane, (left.get(lane) ?? 0) - 1);
        for (const { lane, since } of turns) {
          const pausedUntil = paused.get(lane);
          if (pausedUntil || left.get(lane) === 0 || claimed.length >= limit)
            lanes.keep(lane, since, pausedUntil);
          else lanes.forget(lane);
        }
        return { items: claimed, isMore: lanes.isMore(claimed.length > 0, hasRoom) };
      };
    },
  };
}
