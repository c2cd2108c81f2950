import type { Payment, PaymentStatus } from '../rules/payment.ts';
import type { PspReceivedPix } from '../../providers/rules/psp.ts';
import type { Mode } from '../../base/mode.ts';
import { type Cents, cents } from '../../base/money.ts';
import { isPseudonym, pseudonymPrefix } from '../../privacy/rules/pseudonym.ts';
import type { Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { paymentColumns, selectPayments } from './payments.ts';

export interface SettledPayment {
  id: string;
  organizationId: string;
  mode: Mode;
  status: PaymentStatus;
  amountInCents: Cents;
  attemptId: string | null;
  credentialId: string | null;
  createdAt: Date;
  expiresAt: Date;
  confirmedAt: Date | null;
  duplicatePayment: boolean;
  disputed: boolean;
  /** Comes from the request that created it. */
  traceparent: string | null;
}

/** Locks the payment until the transaction ends, so that decisions about it stay valid. */
export async function lockPayment(tx: Queryable, id: string): Promise<SettledPayment | undefined> {
  const [payment] = await tx.$queryRaw<SettledPayment[]>`
    SELECT id, organization_id AS "organizationId", mode::text, status::text, amount_in_cents AS "amountInCents",
      attempt_id AS "attemptId", credential_id AS "credentialId", created_at AS "createdAt", expires_at AS "expiresAt", confirmed_at AS "confirmedAt",
      duplicate_payment AS "duplicatePayment", disputed, traceparent
    FROM payment WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return payment;
}

/** The number of the payment's latest event; null if there is none. */
export async function findLastEvent(db: Queryable, paymentId: string): Promise<bigint | null> {
  const { _max: max } = await db.event.aggregate({ where: { paymentId }, _max: { sequence: true } });
  return max.sequence;
}

export interface PaymentChange {
  status?: PaymentStatus;
  confirmedAt?: Date;
  expiresAt?: Date;
  paidLate?: boolean;
  duplicatePayment?: boolean;
  refundedInCents?: Cents;
  reversedInCents?: Cents;
  disputed?: boolean;
  nextCheckAt?: Date | null;
}

const columnOf: Record<keyof PaymentChange, string> = {
  status: 'status',
  confirmedAt: 'confirmed_at',
  expiresAt: 'expires_at',
  paidLate: 'paid_late',
  duplicatePayment: 'duplicate_payment',
  refundedInCents: 'refunded_in_cents',
  reversedInCents: 'reversed_in_cents',
  disputed: 'disputed',
  nextCheckAt: 'next_check_at',
};

const assignments = (change: PaymentChange): Prisma.Sql[] =>
  Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => Prisma.sql`${Prisma.raw(columnOf[field as keyof PaymentChange])} = ${value}`);

/**
 * Returns the payment as changed. A new status means that it can no longer be paid, and the picture of its code is of no
 * more use.
 */
export async function changePayment(
  tx: Queryable,
  id: string,
  change: PaymentChange,
): Promise<Payment | undefined> {
  const changes = assignments(change);
  if (change.status) changes.push(Prisma.sql`pix_qr_code_base64 = NULL`);
  const withoutChecks = change.status
    ? Prisma.sql`WITH ended AS (DELETE FROM payment_check WHERE payment_id = ${id}::uuid)`
    : Prisma.empty;
  const [payment] = await selectPayments(
    tx,
    Prisma.sql`${withoutChecks}
      UPDATE payment p SET ${Prisma.join(changes)} WHERE p.id = ${id}::uuid RETURNING ${paymentColumns}`,
  );
  return payment;
}

/** Schedules the next check of a payment that has one, unless it has changed its status meanwhile. */
export async function scheduleCheck(db: Queryable, paymentId: string, nextCheckAt: Date): Promise<void> {
  await db.paymentCheck.updateMany({ where: { paymentId }, data: { nextCheckAt } });
}

/** The same of a pending one. The second time counts if somebody was seen to wait for it since then, even during this check. */
export async function schedulePendingCheck(
  db: Queryable,
  paymentId: string,
  { nextAt, watched }: { nextAt: Date; watched: { since: Date; nextAt: Date } },
): Promise<void> {
  await db.$executeRaw`
    UPDATE payment_check SET next_check_at = CASE
      WHEN watched_at > ${watched.since} THEN ${watched.nextAt}::timestamptz ELSE ${nextAt}::timestamptz END
    WHERE payment_id = ${paymentId}::uuid`;
}

/** Notes that somebody waits for these payments; those for which nobody did before are checked by then. */
export async function recordWatched(
  db: Queryable,
  ids: readonly string[],
  { now, since, checkBy }: { now: Date; since: Date; checkBy: Date },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO payment_check AS known (payment_id, credential_id, next_check_at, watched_at)
    SELECT id, credential_id, ${checkBy}, ${now} FROM payment
    WHERE id = ANY(${[...ids]}::uuid[]) AND status = 'pending' ORDER BY id
    ON CONFLICT (payment_id) DO UPDATE SET watched_at = excluded.watched_at, next_check_at = CASE
      WHEN known.watched_at > ${since} THEN known.next_check_at
      ELSE least(known.next_check_at, excluded.next_check_at) END`;
}

/** Has what remains undecided about a payment that was paid looked up then. */
export async function lookAgainAt(
  tx: Queryable,
  { id: paymentId, credentialId }: Pick<SettledPayment, 'id' | 'credentialId'>,
  nextCheckAt: Date,
): Promise<void> {
  const check = { credentialId, nextCheckAt };
  await tx.paymentCheck.upsert({ where: { paymentId }, create: { paymentId, ...check }, update: check });
}

export async function noMoreLooks(db: Queryable, paymentId: string): Promise<void> {
  await db.paymentCheck.deleteMany({ where: { paymentId } });
}

/** Schedules the next look for a Pix that pays an expired or cancelled payment late. Null: none. */
export async function scheduleLateCheck(db: Queryable, id: string, nextCheckAt: Date | null): Promise<void> {
  const where = { id, status: { in: ['expired', 'cancelled'] } } satisfies Prisma.PaymentWhereInput;
  await db.payment.updateMany({ where, data: { nextCheckAt } });
}

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
  const { reportedEndToEndId = null, reversals: _, isOnlyPix: __, ...pix } = received;
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

/** An attempt as settlement needs it: whom to call, and the charge's ids. */
export interface ChargeAttempt {
  id: string;
  paymentId: string;
  provider: string;
  credentialId: string | null;
  pspReference: string | null;
  createdAt: Date;
  /** When its PSP cancelled the charge, unpaid, or was found to have. */
  cancelledAt: Date | null;
  mode: Mode;
  /** What continues the payment's trace. */
  traceparent: string | null;
  /** When the attempt was read. */
  paymentStatus: PaymentStatus;
  paymentCreatedAt: Date;
  paymentExpiresAt: Date;
  /** The latest event of the payment by then: its number. */
  lastEvent: bigint | null;
  /** The pseudonym that stands in place of the payer's data; null if they have not been forgotten. */
  forgottenAs: string | null;
}

/** Takes one statement: somebody waits for what follows. */
async function selectAttempt(
  db: Queryable,
  join: Prisma.Sql,
  condition: Prisma.Sql,
): Promise<ChargeAttempt | undefined> {
  const [row] = await db.$queryRaw<(ChargeAttempt & { payerDocument: string | null })[]>`
    SELECT attempt.id, attempt.payment_id AS "paymentId", attempt.provider, attempt.credential_id AS "credentialId",
      attempt.psp_reference AS "pspReference", attempt.created_at AS "createdAt", attempt.cancelled_at AS "cancelledAt",
      payment.mode::text, payment.traceparent, payment.status::text AS "paymentStatus",
      payment.created_at AS "paymentCreatedAt", payment.expires_at AS "paymentExpiresAt",
      payment.payer_document AS "payerDocument",
      (SELECT max(sequence) FROM event WHERE event.payment_id = payment.id) AS "lastEvent"
    FROM ${join} WHERE ${condition} LIMIT 1`;
  if (!row) return undefined;
  const { payerDocument, ...attempt } = row;
  return { ...attempt, forgottenAs: payerDocument && isPseudonym(payerDocument) ? payerDocument : null };
}

const attemptAndPayment = Prisma.sql`payment_attempt attempt JOIN payment ON payment.id = attempt.payment_id`;

export const findChargeAttempt = (db: Queryable, id: string): Promise<ChargeAttempt | undefined> =>
  selectAttempt(db, attemptAndPayment, Prisma.sql`attempt.id = ${id}::uuid`);

/** Returns those that are ids of attempts. */
export async function findKnownAttemptIds(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const known = await db.paymentAttempt.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return new Set(known.map(({ id }) => id));
}

/** Goes by the PSP's own id for the charge, among the attempts with one credential. */
export const findChargeAttemptByReference = (
  db: Queryable,
  credentialId: string,
  pspReference: string,
): Promise<ChargeAttempt | undefined> =>
  selectAttempt(
    db,
    attemptAndPayment,
    Prisma.sql`attempt.psp_reference = ${pspReference} AND attempt.credential_id = ${credentialId}::uuid`,
  );

/** The pseudonym of a forgotten payer, if one of the charges is of a payment of theirs. */
export async function findForgottenPayer(
  db: Queryable,
  credentialId: string | null,
  charges: readonly { attemptId: string | undefined; reference: string | null }[],
): Promise<string | null> {
  const attempt = await db.paymentAttempt.findFirst({
    where: {
      OR: [
        { id: { in: charges.flatMap((charge) => charge.attemptId ?? []) } },
        { credentialId, pspReference: { in: charges.flatMap((charge) => charge.reference ?? []) } },
      ],
      payment: { payerDocument: { startsWith: pseudonymPrefix } },
    },
    select: { payment: { select: { payerDocument: true } } },
  });
  return attempt?.payment.payerDocument ?? null;
}

/** The last time that somebody was seen to wait for the payment. */
export async function findWatchedAt(db: Queryable, paymentId: string): Promise<Date | null> {
  const check = await db.paymentCheck.findUnique({ where: { paymentId }, select: { watchedAt: true } });
  return check?.watchedAt ?? null;
}

/** The attempt whose code was given out. */
export const findChosenAttempt = (db: Queryable, paymentId: string): Promise<ChargeAttempt | undefined> =>
  selectAttempt(
    db,
    Prisma.sql`payment JOIN payment_attempt attempt ON attempt.id = payment.attempt_id`,
    Prisma.sql`payment.id = ${paymentId}::uuid`,
  );

export async function recordCancelled(db: Queryable, attemptId: string, cancelledAt: Date): Promise<void> {
  await db.paymentAttempt.update({ where: { id: attemptId }, data: { cancelledAt }, select: { id: true } });
}

export interface AttemptChange {
  outcome?: 'created' | 'not_created' | 'withdrawn' | 'unknown';
  nextCheckAt: Date | null;
}

/** Changes an attempt whose response was lost; a settled one stays unchanged. */
export async function changeLostAttempt(tx: Queryable, id: string, change: AttemptChange): Promise<void> {
  await tx.paymentAttempt.updateMany({ where: { id, outcome: 'unknown' }, data: change });
}

/** Ends a payment whose creation was abandoned; its open attempts will be looked up. */
export async function abandonPayment(db: Queryable, paymentId: string, now: Date): Promise<void> {
  await db.$executeRaw`
    WITH ended AS (
      UPDATE payment SET status = 'failed', next_check_at = NULL
      WHERE id = ${paymentId}::uuid AND status = 'creating' RETURNING id)
    UPDATE payment_attempt SET outcome = 'unknown', next_check_at = ${now}
    WHERE payment_id IN (SELECT id FROM ended) AND outcome = 'open'`;
}

/** The first Pix of the charge that the payer was given; Pix for lost charges are handled by people. */
export async function findFirstReceivedPix(
  tx: Queryable,
  { id: paymentId, attemptId }: Pick<SettledPayment, 'id' | 'attemptId'>,
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
