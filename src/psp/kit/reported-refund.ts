import type { Cents } from '../../core/base/money.ts';
import { mayBeSince } from '../../core/refunds/rules/refund.ts';
import { sum } from '../../core/payments/rules/reversal.ts';
import type { OtherRefund, Refund, RefundRequest } from '../../core/providers/rules/charge.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';

/** A refund in the words of a PSP that we understand. */
export interface ReportedRefund extends Refund {
  amountInCents: Cents | null;
  createdAt?: Date | null;
}

const bySeniority = (one: { refundId: string }, other: { refundId: string }): number =>
  one.refundId < other.refundId ? -1 : 1;

/** So many that to try what they make up would take long. */
const maximumTried = 16;

/** Which of them make up a sum: the first that do. Undefined if none do. */
function madeOf<Part extends { amountInCents: Cents }>(
  sum: bigint,
  [first, ...others]: readonly Part[],
): Part[] | undefined {
  if (sum === 0n) return [];
  if (sum < 0n || !first) return undefined;
  const rest = madeOf(sum - first.amountInCents, others);
  return rest ? [first, ...rest] : madeOf(sum, others);
}

/** Whether an amount is one of the parts that make up a sum, beside these others; undefined if they leave it open. */
function isPartOf(
  sum: bigint,
  amount: Cents,
  others: readonly { amountInCents: Cents }[],
): boolean | undefined {
  if (sum === 0n) return false;
  if (others.length > maximumTried) return undefined;
  const [isIn, isOut] = [sum - amount, sum].map((rest) => madeOf(rest, others) !== undefined);
  return isIn === isOut ? undefined : isIn;
}

/**
 * The refund of this id, for PSPs that keep no name of ours in their list: the one whose name we know, else one of its
 * amount that is none of our others and not older. Of several refunds of an amount without a name, the earliest is taken to
 * be made first: all of them come to the same answer, and money is the same.
 */
export function ownRefund(
  listed: readonly ReportedRefund[],
  request: RefundRequest,
): ReportedRefund | undefined {
  const { refundId, refundReference, startedAt, otherRefunds, amountInCents } = request;
  if (refundReference !== null) return listed.find(({ reference }) => reference === refundReference);
  const names = otherRefunds.flatMap(({ reference }) => reference ?? []);
  const unknown = listed.filter(({ reference }) => !names.includes(reference ?? ''));
  const left = unknown
    .filter((each) => each.amountInCents === amountInCents)
    .toSorted((one, other) => (one.createdAt?.getTime() ?? 0) - (other.createdAt?.getTime() ?? 0));
  const candidate = left.find(({ createdAt }) => mayBeSince(startedAt, createdAt));
  if (!candidate) return undefined;
  const isUnlisted = ({ reference }: OtherRefund) =>
    reference === null || !listed.some((each) => each.reference === reference);
  const claimants = otherRefunds.filter((each) => isUnlisted(each) && !each.isTakenBack);
  // A return that was known as a sum alone may have any part of it listed under a name of its own.
  const sums = claimants.filter((each) => each.refundId === null && each.amountInCents > amountInCents);
  const parts = unknown.flatMap((each) =>
    each !== candidate && each.status === 'completed' && each.amountInCents !== null
      ? { amountInCents: each.amountInCents }
      : [],
  );
  const isPart = isPartOf(sum(sums), amountInCents, parts);
  if (isPart === undefined) throw new PspError('unknown', 'several refunds of this amount: which is ours?');
  if (isPart) return undefined;
  const same = claimants
    .filter((each) => each.amountInCents === amountInCents)
    .map((each) => ({ refundId: each.refundId ?? '', startedAt: each.startedAt ?? new Date(0) }));
  for (const each of [...same, { refundId, startedAt }].toSorted(bySeniority)) {
    const at = left.findIndex(({ createdAt }) => mayBeSince(each.startedAt, createdAt));
    const [taken] = at < 0 ? [] : left.splice(at, 1);
    if (each.refundId === refundId) return taken;
  }
  return undefined;
}

/**
 * What became of a refund, for PSPs that tell only the sum of what has left: all open refunds are decided together. Those
 * that the PSP accepted come first, then the earliest. Undefined if it is none of those made; fails with `unknown` where the
 * sum does not tell.
 */
export function refundInSum(returnedInCents: Cents, request: RefundRequest): Refund | undefined {
  const { refundId, refundReference, otherRefunds, amountInCents } = request;
  const own = { refundId, reference: refundReference, amountInCents, isOpen: true };
  const decided = otherRefunds.filter(({ isOpen }) => !isOpen);
  const candidates = [...otherRefunds, own]
    .flatMap((each) => (each.isOpen && each.refundId !== null ? { ...each, refundId: each.refundId } : []))
    .toSorted(
      (one, other) =>
        Number(one.reference === null) - Number(other.reference === null) || bySeniority(one, other),
    );
  const excess = returnedInCents - sum(decided);
  const made =
    excess >= sum(candidates)
      ? candidates
      : candidates.length <= maximumTried
        ? madeOf(excess, candidates)
        : undefined;
  const reference = refundReference ?? refundId;
  if (made?.some((each) => each.refundId === refundId)) return { reference, status: 'completed' };
  if (refundReference !== null) return { reference, status: 'pending' };
  if (made || excess < amountInCents) return undefined;
  throw new PspError('unknown', 'the provider reports only the sum of the refunds: is this one part of it?');
}

/** The refund that a PSP returned. Of another amount it is no refusal: money may have left all the same. */
export function requestedRefund(
  { reference, status, amountInCents, needsAuthorization = false }: ReportedRefund,
  request: RefundRequest,
): Refund {
  if (amountInCents === request.amountInCents) {
    return { reference, status, ...(needsAuthorization && { needsAuthorization }) };
  }
  throw new PspError('unknown', 'the provider returned a refund of another amount');
}
