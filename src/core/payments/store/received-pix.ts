import type { PspReceivedPix } from '../../providers/rules/charge.ts';
import type { PixPayer } from '../rules/pix-payer.ts';
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

interface Found {
  owner: PixOwner;
  /** Whether nobody had told before who paid it. */
  isPayerNew: boolean;
}

const payerColumns = ({ name, document, message }: PixPayer) => ({
  payerName: name,
  payerDocument: document,
  payerMessage: message,
});

/** Whether the Pix is known, and of which payment: money is recorded once per organization and end-to-end id. */
export async function insertReceivedPix(tx: Queryable, received: ReceivedPix): Promise<Found> {
  const { reportedEndToEndId = null, reversals: _, isOnlyPix: __, parts: ___, payer, ...pix } = received;
  const data = { ...pix, reportedEndToEndId, ...(payer && payerColumns(payer)) };
  const { count } = await tx.receivedPix.createMany({ data: [data], skipDuplicates: true });
  if (count === 1) return { owner: 'new', isPayerNew: payer !== undefined };
  return (await findPixOwner(tx, received)) ?? { owner: 'another payment', isPayerNew: false };
}

/** Finds that of a known one; undefined if it is not. */
export async function findPixOwner(tx: Queryable, received: ReceivedPix): Promise<Found | undefined> {
  const { organizationId, endToEndId, paymentId, reportedEndToEndId = null, payer } = received;
  const where = { organizationId_endToEndId: { organizationId, endToEndId } };
  const select = {
    paymentId: true,
    reportedEndToEndId: true,
    payerName: true,
    payerDocument: true,
    payerMessage: true,
  } as const;
  const known = await tx.receivedPix.findUnique({ where, select });
  if (!known) return undefined;
  if (known.paymentId !== paymentId) return { owner: 'another payment', isPayerNew: false };
  // Some providers report these later than the money itself.
  const { payerName, payerDocument, payerMessage } = known;
  const isNameless = payerName === null && payerDocument === null && payerMessage === null;
  const data = {
    ...(reportedEndToEndId !== null && known.reportedEndToEndId === null && { reportedEndToEndId }),
    ...(payer && isNameless && payerColumns(payer)),
  };
  if (Object.keys(data).length > 0) await tx.receivedPix.update({ where, data, select: { paymentId: true } });
  return { owner: 'this payment', isPayerNew: payer !== undefined && isNameless };
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

/** What all Pix of a payment brought, less what was returned other than by our refunds. */
export async function sumKept(tx: Queryable, paymentId: string): Promise<Cents> {
  const { _sum: sum } = await tx.receivedPix.aggregate({
    where: { paymentId },
    _sum: { amountInCents: true, returnedInCents: true },
  });
  return cents((sum.amountInCents ?? 0n) - (sum.returnedInCents ?? 0n));
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
