import type { Cents } from '../../domain/money.ts';
import type { Refund, RefundRequest } from '../../domain/providers/psp.ts';
import { PspError } from '../../domain/providers/psp-error.ts';

/** A refund in the words of a PSP that we understand. */
export interface ReportedRefund extends Refund {
  amountInCents: Cents | null;
  createdAt?: Date | null;
}

/** For the clocks of two machines. */
const clockSkewMs = 120_000;

/** The id begins with the milliseconds of its making (UUID v7), and no refund is older than its id. */
function isNotOlder({ createdAt }: ReportedRefund, refundId: string): boolean {
  const madeAtMs = refundId[12] === '7' ? Number.parseInt(refundId.slice(0, 12), 16) : 0;
  return !createdAt || createdAt.getTime() >= madeAtMs - clockSkewMs;
}

/**
 * The refund of this id, for PSPs that keep no name of ours in their list: the one whose name we know, else the
 * only one of its amount that is none of our others and not older.
 */
export function ownRefund(
  listed: readonly ReportedRefund[],
  request: RefundRequest,
): ReportedRefund | undefined {
  const { refundId, refundReference, otherRefunds, amountInCents } = request;
  if (refundReference !== null) return listed.find(({ reference }) => reference === refundReference);
  const others = otherRefunds.flatMap(({ reference }) => reference ?? []);
  const possible = listed.filter(
    (refund) =>
      refund.amountInCents === amountInCents &&
      !others.includes(refund.reference ?? '') &&
      isNotOlder(refund, refundId),
  );
  // Of a return that was known as a sum alone, any part may be listed under a name of its own.
  const isClaimedTwice = otherRefunds.some(({ reference, amountInCents: other }) =>
    reference === null ? other === amountInCents : !listed.some((refund) => refund.reference === reference),
  );
  const [only, ...more] = possible;
  if (only && (isClaimedTwice || more.length > 0)) {
    throw new PspError('unknown', 'several refunds of this amount: which is ours?');
  }
  return only;
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
