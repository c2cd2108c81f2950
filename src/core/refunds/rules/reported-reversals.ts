import { type Cents, cents } from '../../base/money.ts';
import type { PspReceivedPix, PspReversal } from '../../providers/rules/charge.ts';
import { mayBeSince, type RefundStatus } from './refund.ts';
import { isTakenBack, type KnownReversal, type ReversalStatus, sum } from '../../payments/rules/reversal.ts';

const totalPrefix = 'total:';

/** Stands in for the id of a reversal when the provider reports only how much of a Pix has left; numbered from 1. */
function totalReference(known: readonly KnownReversal[]): string {
  const numbers = known.flatMap(({ pspReference }) =>
    pspReference.startsWith(totalPrefix) ? Number(pspReference.slice(totalPrefix.length)) : [],
  );
  return `${totalPrefix}${Math.max(0, ...numbers) + 1}`;
}

export type ReportedReversal = Omit<PspReversal, 'status'> & {
  status: ReversalStatus;
  /** The name under which the same money is known, if the provider names it differently now. */
  replaces?: string;
};

interface OwnRefund {
  /** The transaction id sent to the provider. */
  refundId: string;
  pspReference: string | null;
  amountInCents: Cents;
  status: RefundStatus;
  startedAt: Date;
}

/**
 * Some providers name a return by the second it was made in. If several share a name, the one known by it keeps it, in whatever
 * order they are listed, and the others get a number.
 */
function distinctlyNamed(
  reported: readonly PspReversal[],
  known: readonly KnownReversal[],
): readonly PspReversal[] {
  const names = reported.map(({ reference }) => reference);
  if (new Set(names).size === names.length) return reported;
  const knownAmounts = new Map(known.map(({ pspReference, amountInCents }) => [pspReference, amountInCents]));
  const used = new Set<string>();
  return reported.map((reversal) => {
    const isOther = (name: string) =>
      used.has(name) || (knownAmounts.get(name) ?? reversal.amountInCents) !== reversal.amountInCents;
    let reference = reversal.reference;
    for (let number = 2; isOther(reference); number++) reference = `${reversal.reference}#${number}`;
    used.add(reference);
    return { ...reversal, reference };
  });
}

const isOf = ({ refundId, pspReference }: OwnRefund, { reference }: PspReversal): boolean =>
  reference === refundId || reference === pspReference;

/** Separates a report's news of our refunds from returns that we cannot attribute to anybody. */
function sortedOut(
  listed: readonly PspReversal[],
  refunds: readonly OwnRefund[],
  known: readonly KnownReversal[],
) {
  const unlisted = refunds.filter((refund) => !listed.some((item) => isOf(refund, item)));
  const isDone = (refund: OwnRefund) =>
    refund.status === 'completed' ||
    (refund.status === 'pending' && listed.some((item) => item.status === 'completed' && isOf(refund, item)));
  const isKnown = new Set(known.map(({ pspReference }) => pspReference));
  const open = unlisted.filter(({ status }) => status === 'pending');
  const unnamed = open.filter(({ pspReference }) => pspReference === null);
  const candidates = [...unnamed];
  const others = listed.filter((item) => {
    if (refunds.some((refund) => isOf(refund, item))) return false;
    if (!item.mayBeOurs || isKnown.has(item.reference)) return true;
    // Nobody was told of it, and the refund whose response was lost is still to be found by its name.
    if (item.status === 'failed') return false;
    const mayBe = candidates.findIndex(
      ({ amountInCents, startedAt }) =>
        amountInCents === item.amountInCents && mayBeSince(startedAt, item.reversedAt),
    );
    if (mayBe >= 0) candidates.splice(mayBe, 1);
    return mayBe < 0;
  });
  return { done: refunds.filter(isDone), open, others, hasSetAside: candidates.length < unnamed.length };
}

/** So many that to try what they make up would take long. */
const maximumTried = 16;

/** The most of a sum that these can be, each as a whole or not at all. */
function mostOf(sum: bigint, [first, ...others]: readonly OwnRefund[]): bigint {
  if (!first) return 0n;
  const without = mostOf(sum, others);
  if (first.amountInCents > sum) return without;
  const most = first.amountInCents + mostOf(sum - first.amountInCents, others);
  return most > without ? most : without;
}

export interface ExplainedReport {
  /** New reversals, and known ones that the report shows differently. */
  changes: ReportedReversal[];
  /** Some of what left may or may not be an open refund of ours; a report made after the refund is settled will tell. */
  isUndecided: boolean;
  /** Refunds of ours that the report shows as made, and that are still to be recorded so. */
  arrivingInCents: Cents;
}

/**
 * Explains what a provider reports to have left a Pix. Money listed under the name of one of our refunds is that refund, and
 * money listed under any other name is a reversal. Unlisted money is explained, in this order, by our completed refunds, known
 * reversals and as many open refunds that are not listed as fit in it, and finally by a reversal without a name. Never more than
 * was received can have left.
 */
export function explainReport(
  {
    amountInCents,
    returnedInCents,
    reversals = [],
  }: Pick<PspReceivedPix, 'amountInCents' | 'returnedInCents' | 'reversals'>,
  refunds: readonly OwnRefund[],
  known: readonly KnownReversal[],
): ExplainedReport {
  const knownAs = new Map(known.map((reversal) => [reversal.pspReference, reversal]));
  const listed = distinctlyNamed(reversals, known);
  const { done, open, others, hasSetAside } = sortedOut(listed, refunds, known);
  const told = others.flatMap(({ status, ...item }) =>
    status === 'unrecognised' ? [] : [{ ...item, status }],
  );
  const toldNames = new Set(told.map(({ reference }) => reference));
  // These are known only as a sum, as what a chargeback took, or under a name that turned out to be a refund of ours. They
  // stand until the same money is listed under a name of its own.
  const standing = known.filter(
    ({ status, pspReference }) => status === 'completed' && !toldNames.has(pspReference),
  );
  const named = told.map((item): ReportedReversal => {
    if (knownAs.has(item.reference) || item.status !== 'completed') return item;
    const same = standing.findIndex((other) => other.amountInCents === item.amountInCents);
    const [replaced] = same >= 0 ? standing.splice(same, 1) : [];
    if (!replaced) return item;
    const reason = isTakenBack(replaced) ? replaced.reason : item.reason;
    return { ...item, reason, replaces: replaced.pspReference };
  });
  const changes: ReportedReversal[] = [];
  let left = amountInCents - sum(done) - sum(standing);
  for (const item of named) {
    const earlier = knownAs.get(item.reference);
    const isGone = item.status === 'completed';
    const most = left > 0n ? left : 0n;
    const amount = isGone && item.amountInCents > most ? cents(most) : item.amountInCents;
    if (isGone) left -= amount;
    if (earlier?.status === item.status && earlier.amountInCents === amount) continue;
    if (amount > 0n) changes.push({ ...item, amountInCents: amount });
    else if (earlier) changes.push({ ...item, amountInCents: earlier.amountInCents, status: 'failed' });
  }
  const returned = returnedInCents < amountInCents ? returnedInCents : amountInCents;
  const unexplained = returned - (amountInCents - left);
  const explainable = open.length > maximumTried ? sum(open) : mostOf(unexplained, open);
  const rest = cents(unexplained - explainable);
  if (rest > 0n) {
    changes.push({
      reference: totalReference(known),
      reason: 'returned_at_psp',
      amountInCents: rest,
      status: 'completed',
      reversedAt: null,
    });
  }
  return {
    changes,
    isUndecided: hasSetAside || (unexplained > 0n && open.length > 0),
    arrivingInCents: cents(sum(done.filter(({ status }) => status === 'pending'))),
  };
}
