import { cents } from '../base/money.ts';
import { newId } from '../base/ids.ts';
import type { PspReceivedPix } from '../providers/rules/charge.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import { isRefusal, type Made, type Run, soon } from './run-steps.ts';

type MadeCharge = Made['charges'][number];

/** What neither the provider shows as returned nor we have asked to be. */
function keptInCents({ amountInCents, returnedInCents }: PspReceivedPix, { refunds }: MadeCharge): bigint {
  const askedInCents = refunds.reduce((sum, each) => sum + each.amountInCents, 0n);
  return amountInCents - (askedInCents > returnedInCents ? askedInCents : returnedInCents);
}

/** Whether the charge is over afterwards: cancelled, never made, or returned. */
async function endCharge({ adapter, now }: Run, made: MadeCharge): Promise<boolean> {
  const { cancel, hidesUnpaid } = adapter.capabilities;
  // Nobody has its code.
  if (made.reference === null && hidesUnpaid) return true;
  const found = await adapter.findCharge(made, soon());
  if (!found) return true;
  const ids = { ...made, reference: found.reference };
  if (found.status === 'active') {
    if (cancel === 'none') return true;
    const ended = await adapter.cancelCharge(ids, soon()).catch((error: unknown) => {
      if (made.isFirst && isRefusal(error)) return undefined;
      throw error;
    });
    return ended === undefined || ended.status === 'cancelled' || ended.status === 'expired';
  }
  const [pix] = found.receivedPix;
  if (!pix) return true;
  if (made.isUncertain) return false;
  const leftInCents = keptInCents(pix, made);
  if (leftInCents <= 0n) return true;
  const startedAt = now();
  const { status } = await adapter.refundCharge(
    {
      ...ids,
      refundId: newId(startedAt).replaceAll('-', ''),
      startedAt,
      refundReference: null,
      otherRefunds: made.refunds,
      endToEndId: pix.endToEndId,
      amountInCents: cents(leftInCents),
    },
    soon(),
  );
  return status === 'pending' || status === 'completed';
}

async function endRecurrence({ adapter }: Run, ids: Made['recurrences'][number]): Promise<boolean> {
  const found = await adapter.findRecurrence?.(ids, soon());
  if (!found || (found.status !== 'pending' && found.status !== 'active')) return true;
  const ended = await adapter.cancelRecurrence?.({ ...ids, reference: found.reference }, soon());
  return ended !== undefined && ended.status !== 'pending' && ended.status !== 'active';
}

/** Tried twice, unless it is refused: a charge may be paid while it is cancelled. */
async function hasEnded(end: () => Promise<boolean>, cancel: () => Promise<unknown>): Promise<boolean> {
  try {
    if (await end()) return true;
  } catch (error) {
    if (!(error instanceof PspError)) throw error;
    if (isRefusal(error)) return false;
  }
  // What cannot be read may still be cancelled.
  await cancel();
  return end().catch((error: unknown) => {
    if (error instanceof PspError) return false;
    throw error;
  });
}

/** Ends whatever the run has made and not ended, also after an interruption. Returns our ids of what may still be there. */
export async function leaveNothing(run: Run): Promise<string[]> {
  const left: string[] = [];
  const { adapter } = run;
  // Elsewhere that could refund somebody.
  const cancelUnseen = (ids: MadeCharge) => async () =>
    adapter.capabilities.cancel === 'unpaid' && adapter.cancelCharge(ids, soon()).catch(() => undefined);
  // The charge of a recurrence ends with it.
  for (const each of run.made.recurrences)
    if (
      !(await hasEnded(
        () => endRecurrence(run, each),
        () => Promise.resolve(),
      ))
    )
      left.push(each.recurrenceId);
  for (const each of run.made.charges)
    if (!(await hasEnded(() => endCharge(run, each), cancelUnseen(each)))) left.push(each.transactionId);
  return left;
}
