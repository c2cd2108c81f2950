/** What waits for one outside party: its credential, or endpoint. Null: for none. */
export type Lane = string | null;

export interface DueInLane<L extends Lane = Lane> {
  lane: L;
  at: Date;
}

/** A part of what is due, in the order of time and lane. Of a lane many may be due at one time, so the next part begins after both. */
export interface DuePart {
  until: Date;
  /** Only what comes after this, first due first. */
  after?: DueInLane;
  /** Only what comes before this, last due first. */
  before?: DueInLane;
  /** Rows of lanes other than null, which is looked at in each part. */
  limit: number;
}

export interface LaneTurn<L extends Lane> {
  lane: L;
  /** When the first that was seen became due. */
  at: Date;
  /** Nothing that may be claimed is due earlier. */
  since: Date;
}

/**
 * Knows in which lanes something may be due, from what became due since it looked last. Looking costs as much as that, however many lanes
 * wait for a later time. What was committed late, or given a time long past, is found by looking back, a part at a time. All of it
 * is only a hint: losing it costs looking back.
 */
export interface DueLanes<L extends Lane> {
  look(this: void): Promise<void>;
  /** Lanes to claim from now: those found by this look, and others in turn. */
  next(this: void, hasRoom: (lane: L) => boolean): LaneTurn<L>[];
  /** There may be more in the lane, not before `from`. */
  keep(this: void, lane: L, since: Date, from?: Date): void;
  forget(this: void, lane: L): void;
  /** Whether it is worth looking again at once, after a claim that found something or not. */
  isMore(this: void, hasFound: boolean, hasRoom: (lane: L) => boolean): boolean;
}

/** A row is committed within this of its time, and the clocks of nodes may differ by as much. */
const slackMs = 500;
const lookBackEveryMs = 500;
/** Rows committed later than this are found when all that is overdue has been looked at. */
const lateMs = 10_000;
/** Looking back takes at most a tenth of the time. */
const lookBackShare = 10;
const partRows = 64;
/** Lanes known before that have a turn in one claim. */
const turns = 16;

/** Before and after every id of a lane. */
const lowest = '00000000-0000-0000-0000-000000000000';
const highest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const longAgo = new Date(0);

const earlier = (one: Date, other: Date): Date => (other < one ? other : one);

export function createDueLanes<L extends Lane>(
  find: (part: DuePart) => Promise<DueInLane<L>[]>,
  now: () => Date,
): DueLanes<L> {
  /** Lanes in which something may be due, in the order of their turns. None is claimed before its `from`. */
  const known = new Map<L, { at: Date; since: Date; from: Date }>();
  /** Those that the last look added. */
  const found = new Set<L>();
  let lookedAt = now();
  let lookBackAt = -Infinity;
  /** Where looking on and looking back continue; undefined once they have reached the end. */
  let onFrom: DueInLane | undefined;
  let backFrom: DueInLane | undefined;
  /** Whether the last look ended before it had seen all. */
  let isCut = false;

  function note({ lane, at }: DueInLane<L>, isBehind: boolean): void {
    const since = isBehind ? longAgo : at;
    const seen = known.get(lane) ?? { at, since, from: longAgo };
    if (!known.has(lane)) found.add(lane);
    known.set(lane, { ...seen, at: earlier(seen.at, at), since: earlier(seen.since, since) });
  }

  /** Returns where the part ended, if it did not reach the end. */
  async function lookAt(part: Omit<DuePart, 'limit'>): Promise<DueInLane | undefined> {
    const rows = await find({ ...part, limit: partRows });
    for (const row of rows) note(row, part.before !== undefined);
    const inLanes = rows.filter(({ lane }) => lane !== null);
    return inLanes.length < partRows ? undefined : inLanes.at(-1);
  }

  /** Returns whether it has seen everything that is due. */
  async function lookBack(at: Date): Promise<boolean> {
    const isWhole = backFrom === undefined;
    backFrom = await lookAt({ until: at, before: backFrom ?? { at, lane: highest } });
    isCut = backFrom !== undefined && found.size > 0;
    return isWhole && backFrom === undefined;
  }

  async function lookOn(at: Date, backMs: number): Promise<void> {
    const since = new Date(Math.min(lookedAt.getTime(), at.getTime()) - backMs);
    onFrom = await lookAt({ until: at, after: onFrom ?? { at: since, lane: lowest } });
    isCut ||= onFrom !== undefined;
  }

  async function look(): Promise<void> {
    const at = now();
    const startedAt = performance.now();
    found.clear();
    isCut = false;
    if (startedAt < lookBackAt) await lookOn(at, slackMs);
    else
      try {
        // Having seen all, it need not look on.
        if (await lookBack(at)) onFrom = undefined;
        else await lookOn(at, lateMs);
      } finally {
        const isSoon = backFrom !== undefined && found.size > 0;
        const tookMs = performance.now() - startedAt;
        lookBackAt = startedAt + Math.max(isSoon ? 0 : lookBackEveryMs, tookMs * lookBackShare);
      }
    lookedAt = at;
  }

  const claimable = (hasRoom: (lane: L) => boolean) =>
    [...known].flatMap(([lane, { at, since, from }]) =>
      from <= lookedAt && hasRoom(lane) ? [{ lane, at, since }] : [],
    );

  /** Those that the last claim was made from. */
  let hadTurn = new Set<L>();

  return {
    look,

    next(hasRoom) {
      const lanes = claimable(hasRoom);
      const others = lanes.filter(({ lane }) => !found.has(lane)).slice(0, turns);
      const chosen = [...lanes.filter(({ lane }) => found.has(lane)), ...others];
      hadTurn = new Set(chosen.map(({ lane }) => lane));
      return chosen;
    },

    keep(lane, since, from = longAgo) {
      // The last place, so that the others have their turns first.
      known.delete(lane);
      known.set(lane, { at: since, since, from });
    },

    forget: (lane) => known.delete(lane),

    isMore: (hasFound, hasRoom) =>
      isCut || (hasFound && claimable(hasRoom).some(({ lane }) => !hadTurn.has(lane))),
  };
}
