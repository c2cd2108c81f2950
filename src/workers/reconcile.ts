import { retryAfterMsOf } from '../core/providers/rules/psp-error.ts';
import type { Logger } from '../observability/logger.ts';
import type { DueWork } from '../core/settlement/reconciliation/reconciliation.ts';
import type { RunningWorker } from './loop.ts';
import { startPump } from './pump.ts';

type Kind = DueWork['kinds'][number];
type DueRow = Awaited<ReturnType<DueWork['claim']>>[number];
type Lane = DueRow['credentialId'];

const maximumInFlight = 512;
/** Concurrent lookups per credential in this process. The guard around each PSP limits them in total. */
const slotsPerCredential: Record<Kind, number> = {
  payment: 16,
  late_payment: 2,
  payment_attempt: 4,
  refund: 4,
  psp_notification: 8,
  recurrence: 4,
  dispute: 2,
  dispute_sweep: 1,
  psp_sweep: 1,
  listed_charge: 8,
  statement_day: 1,
};
/** While a PSP fails, its credential has slots for probes only, once per poll. */
const slotsWhileFailing = 2;
/** What has to wait longer makes way by itself: others of its lane, such as those that end, may not have to. */
const longestRestMs = 60_000;
/** Work without a credential involves the database only. */
const slotsWithoutCredential = 32;

/** A PSP that hangs or fails blocks only the slots of its own credential. */
export function startReconciling(work: DueWork, kind: Kind, logger: Logger): RunningWorker {
  const claim = work.continueClaims(kind);
  const failing = new Set<Lane>();
  /** Until when the PSP of a lane takes no more requests, in milliseconds of the process's clock. */
  const resting = new Map<Lane, number>();

  function isResting(lane: Lane): boolean {
    if ((resting.get(lane) ?? 0) > performance.now()) return true;
    resting.delete(lane);
    return false;
  }

  function slotsOf(lane: Lane): number {
    if (lane === null) return slotsWithoutCredential;
    if (isResting(lane)) return 0;
    return failing.has(lane) ? slotsWhileFailing : slotsPerCredential[kind];
  }

  /** Returns whether there is more to do with it. */
  async function run({ id, credentialId: lane }: DueRow): Promise<boolean> {
    try {
      const isMore = await work.run(kind, id);
      failing.delete(lane);
      return isMore;
    } catch (error) {
      const restMs = retryAfterMsOf(error);
      if (restMs === null) {
        failing.add(lane);
        logger.warn({ kind, id, error }, 'reconciliation failed, will retry');
      } else if (restMs <= longestRestMs) resting.set(lane, performance.now() + restMs);
      return false;
    }
  }

  return startPump<DueRow, Lane>(
    {
      name: `reconcile-${kind}`,
      maximumInFlight,
      share: 1,
      laneOf: ({ credentialId }) => credentialId,
      claim: (limit, inFlight) =>
        claim({ limit, slotsOf: (lane) => Math.max(0, slotsOf(lane) - (inFlight.get(lane) ?? 0)) }),
      async work(row, inFlight) {
        const { credentialId: lane } = row;
        if (await run(row)) return true;
        // If nothing waited for this slot, nothing was left behind; a failing PSP waits for the poll.
        const isFull = (inFlight.get(lane) ?? 0) >= slotsOf(lane);
        return isFull && !failing.has(lane) && !isResting(lane);
      },
    },
    logger,
  );
}
