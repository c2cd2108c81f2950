import type { PspReceivedPix } from '../../providers/rules/charge.ts';
import { type Cents, cents } from '../../base/money.ts';
import type { Queryable } from '../../../database/database.ts';
import type { LockedPayment } from './payment-changes.ts';

export interface ReceivedPix extends PspReceivedPix {
  paidAt: Date;
  organizationId: string;
  paymentId: string;
  attemptId: string;
  createdAt: Date;
}

export type PixOwner = 'new' | 'this payment' | 'another payment';

/** Whether the Pix is known, and of which payment: money is recorded once per organization and end-to-end id. */
export async function insertReceivedPix(tx: Queryable, received: ReceivedPix): Promise<PixOwner> {
  const { reportedEndToEndId = null, reversals: _, isOnlyPix: __, parts: ___, ...pix } = received;
  const data = { ...pix, reportedEndToEndId };
  const { count } = await tx.receivedPix.createMany({ data: [data], skipDuplicates: true });
  return count === 1 ? 'new' : ((await findPixOwner(tx, received)) ?? 'another payment');
}

/** Finds that of a known one; undefined if it is not. */
export async function findPixOwner(tx: Queryable, received: ReceivedPix): Promise<PixOwner | undefined> {
  const { organizationId, endToEndId, paymentId, reportedEndToEndId = null } = received;
  const where = { organizationId_endToEndId: { organizationId, endToEndId } };
  const select = { paymentId: true, reportedEndToEndId: true } as const;
  const known = await tx.receivedPix.findUnique({ where, select });
  if (!known) return undefined;
  if (known.paymentId !== paymentId) return 'another payment';
  // Some providers report it later than the money itself.
  if (reportedEndToEndId !== null && known.reportedEndToEndId === null) {
    await tx.receivedPix.update({ where, data: { reportedEndToEndId }, select: { paymentId: true } });
  }
  return 'this payment';
}

/** The first Pix of the charge that the payer was given; Pix for lost charges are handled by people. */
export async function findFirstReceivedPix(
  tx: Queryable,
  { id: paymentId, attemptId }: Pick<LockedPayment, 'id' | 'attemptId'>,
): Promise<{ endToEndId: string; attemptId: string; returnedInCents: Cents } | null> {
  if (!attemptId) return null;
  const pix = await tx.receivedPix.findFirst({
    where: { paymentId, attemptId },
    orderBy: [{ createdAt: 'asc' }, { endToEndId: 'asc' }],
    select: { endToEndId: true, attemptId: true, returnedInCents: true },
  });
  return pix && { ...pix, returnedInCents: cents(pix.returnedInCents) };
}

/** Records how much of a Pix was returned other than by our refunds. */
export async function changeReturned(
  tx: Queryable,
  { organizationId, endToEndId }: Pick<ReceivedPix, 'organizationId' | 'endToEndId'>,
  returnedInCents: Cents,
): Promise<void> {
  await tx.receivedPix.update({
    where: { organizationId_endToEndId: { organizationId, endToEndId } },
    data: { returnedInCents },
    select: { paymentId: true },
  });
}
