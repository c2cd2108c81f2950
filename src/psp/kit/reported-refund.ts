import type { Cents } from '../../core/base/money.ts';
import { sum } from '../../core/payments/rules/reversal.ts';
import type { OtherRefund, Refund, RefundRequest } from '../../core/providers/rules/psp.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';

/** A refund in the words of a PSP that we understand. */
export interface ReportedRefund extends Refund {
  amountInCents: Cents | null;
  createdAt?: Date | null;
}

/** The clocks of two machines differ by less. */
const clockSkewMs = 120_000;

/** The id begins with the milliseconds of its making (UUID v7), and no refund is older than its id. */
function isNotOlder({ createdAt }: ReportedRefund, refundId: string): boolean {
  const madeAtMs = refundId[12] === '7' ? Number.parseInt(refundId.slice(0, 12), 16) : 0;
  return !createdAt || createdAt.getTime() >= madeAtMs - clockSkewMs;
}

type OpenRefund = Pick<OtherRefund, 'amountInCents'> & { refundId: string };

const bySeniority = (one: OpenRefund, other: OpenRefund): number => (one.refundId < other.refundId ? -1 : 1);

/**
 * The refund of this id, for PSPs that keep no name of ours in their list: the one whose name we know, else one of its
 * amount that is none of our others. Of several refunds of an amount without a name, the earliest is taken to be made first:
 * all of them come to the same answer, and money is the same.
 */
export function ownRefund(
  listed: readonly ReportedRefund[],
  request: RefundRequest,
): ReportedRefund | undefined {
  const { refundId, refundReference, otherRefunds, amountInCents } = request;
  if (refundReference !== null) return listed.find(({ reference }) => reference === refundReference);
  const names = otherRefunds.flatMap(({ reference }) => reference ?? []);
  const left = listed
    .filter((each) => each.amountInCents === amountInCents && !names.includes(each.reference ?? ''))
    .toSorted((one, other) => (one.createdAt?.getTime() ?? 0) - (other.createdAt?.getTime() ?? 0));
  const isUnlisted = ({ reference }: OtherRefund) =>
    reference === null || !listed.some((each) => each.reference === reference);
  const claimants = otherRefunds.filter(isUnlisted);
  // A return that was known as a sum alone may have any part of it listed under a name of its own.
  if (
    left.length > 0 &&
    claimants.some((each) => each.refundId === null && each.amountInCents > amountInCents)
  )
    throw new PspError('unknown', 'several refunds of this amount: which is ours?');
  const same = claimants
    .filter((each) => each.amountInCents === amountInCents)
    .map((each) => ({ ...each, refundId: each.refundId ?? '' }));
  for (const each of [...same, { refundId, amountInCents }].toSorted(bySeniority)) {
    const at = left.findIndex((refund) => isNotOlder(refund, each.refundId));
    const [taken] = at < 0 ? [] : left.splice(at, 1);
    if (each.refundId === refundId) return taken;
  }
  return undefined;
}

/** So many that to try what they make up would take long. */
const maximumTried = 16;

/** Which of them make up a sum: the first that do. Undefined if none do. */
function madeOf(sum: bigint, [first, ...others]: readonly OpenRefund[]): OpenRefund[] | undefined {
  if (sum === 0n) return [];
  if (sum < 0n || !first) return undefined;
  const rest = madeOf(sum - first.amountInCents, others);
  return rest ? [first, ...rest] : madeOf(sum, others);
}

/**
 * What became of a refund, for PSPs that tell only the sum of what has left: all open refunds are decided together. Those
 * that the PSP accepted come first, then the earliest. Undefined if it is none of those made; fails with `unknown` where the
 * sum does not tell.
 */
export function refundInSum(returnedInCents: Cents, request: RefundRequest): Refund | undefined {
  const { refundId, refundReference, otherRefunds, amountInCents } = request;
  const own = { refundId, reference: refundReference, amountInCents, isOpen: true };
  const [decided, open] = [otherRefunds.filter(({ isOpen }) => !isOpen), [...otherRefunds, own]];
  const candidates = open
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
