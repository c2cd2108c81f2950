import type { Cents } from '../../domain/money.ts';
import { PspError, type Refund, type RefundRequest } from '../../domain/providers/psp.ts';

/** A refund in the words of a PSP that we understand. */
export interface ToldRefund extends Refund {
  amountInCents: Cents | null;
  createdAt?: Date | null;
}

/** For the clocks of two machines. */
const clockSkewMs = 120_000;

/** The id begins with the milliseconds of its making (UUID v7), and no refund is older than its id. */
function isNotOlder({ createdAt }: ToldRefund, refundId: string): boolean {
  const madeAtMs = refundId[12] === '7' ? Number.parseInt(refundId.slice(0, 12), 16) : 0;
  return !createdAt || createdAt.getTime() >= madeAtMs - clockSkewMs;
}

/**
 * The refund of this id, for PSPs that keep no name of ours in their list: the one whose name we know, else the
 * only one of its amount that is none of our others and not older.
 */
export function ownRefund(listed: readonly ToldRefund[], request: RefundRequest): ToldRefund | undefined {
  const { refundId, refundReference, otherRefunds, amountInCents } = request;
  if (refundReference !== null) return listed.find(({ reference }) => reference === refundReference);
  const others = otherRefunds.flatMap(({ reference }) => reference ?? []);
  const possible = listed.filter(
    (refund) =>
      refund.amountInCents === amountInCents &&
      !others.includes(refund.reference ?? '') &&
      isNotOlder(refund, refundId),
  );
  const isClaimedTwice = otherRefunds.some(
    (other) => other.reference === null && other.amountInCents === amountInCents,
  );
  const [only, ...more] = possible;
  if (only && (isClaimedTwice || more.length > 0)) {
    throw new PspError('unknown', 'several refunds of this amount: which is ours?');
  }
  return only;
}

/** The refund that a PSP answered with. Of another amount it is no refusal: money may have left all the same. */
export function refundAskedFor(
  { reference, status, amountInCents }: ToldRefund,
  request: RefundRequest,
): Refund {
  if (amountInCents === request.amountInCents) return { reference, status };
  throw new PspError('unknown', 'the provider answered with a refund of another amount');
}
