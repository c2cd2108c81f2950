import { endOfBrasiliaDay } from '../../base/time/brasilia.ts';
import { type Due, termsOf } from '../rules/due/due.ts';
import { closingDayOf } from '../rules/due/due-terms.ts';
import type { PaymentStatus } from '../rules/payment.ts';
import type { Debit } from '../../recurrences/rules/debit.ts';
import type { Mode } from '../../base/mode.ts';
import { isPseudonym, pseudonymPrefix } from '../../privacy/rules/pseudonym.ts';
import type { Queryable } from '../../../database/database.ts';
import { eventsOfPayment } from './payment-changes.ts';
import type { StoredRevision } from './revisions.ts';
import { Prisma } from '../../../database/generated/client.ts';

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
  organizationId: string;
  mode: Mode;
  /** What continues the payment's trace. */
  traceparent: string | null;
  /** When the attempt was read. */
  paymentStatus: PaymentStatus;
  paymentCreatedAt: Date;
  /** Its expiry; with a due date a business day later, as banks disagree about weekends (issue 523 of the API Pix). */
  paymentEndsAt: Date;
  /** The terms of a charge with a due date. */
  due: Due | null;
  debit: Debit | null;
  overdue: boolean;
  /** What it is being changed to. */
  revising: StoredRevision | null;
  /** How many events the payment had by then. */
  events: number;
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
      payment.organization_id AS "organizationId", payment.mode::text, payment.traceparent, payment.status::text AS "paymentStatus",
      payment.created_at AS "paymentCreatedAt", payment.expires_at AS "paymentEndsAt", payment.due, payment.debit, payment.overdue,
      payment.revising,
      payment.payer_document AS "payerDocument",
      ${eventsOfPayment} AS events
    FROM ${join} WHERE ${condition} LIMIT 1`;
  if (!row) return undefined;
  const { payerDocument, ...attempt } = row;
  if (row.due) attempt.paymentEndsAt = endOfBrasiliaDay(closingDayOf(termsOf(row.due)));
  return { ...attempt, forgottenAs: payerDocument && isPseudonym(payerDocument) ? payerDocument : null };
}

const attemptAndPayment = Prisma.sql`payment_attempt attempt JOIN payment ON payment.id = attempt.payment_id`;

export const findChargeAttempt = (db: Queryable, id: string): Promise<ChargeAttempt | undefined> =>
  selectAttempt(db, attemptAndPayment, Prisma.sql`attempt.id = ${id}::uuid`);

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

/** The attempt whose code was given out. */
export const findChosenAttempt = (db: Queryable, paymentId: string): Promise<ChargeAttempt | undefined> =>
  selectAttempt(
    db,
    Prisma.sql`payment JOIN payment_attempt attempt ON attempt.id = payment.attempt_id`,
    Prisma.sql`payment.id = ${paymentId}::uuid`,
  );

/** Returns those that are ids of attempts. */
export async function findKnownAttemptIds(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const known = await db.paymentAttempt.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return new Set(known.map(({ id }) => id));
}

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

export async function recordCancelled(db: Queryable, attemptId: string, cancelledAt: Date): Promise<void> {
  await db.paymentAttempt.update({ where: { id: attemptId }, data: { cancelledAt }, select: { id: true } });
}

export interface AttemptChange {
  outcome?: 'created' | 'not_created' | 'withdrawn' | 'unknown';
  nextCheckAt: Date | null;
}

/** Changes an attempt whose response was lost; one whose outcome is known stays unchanged. */
export async function changeLostAttempt(tx: Queryable, id: string, change: AttemptChange): Promise<void> {
  await tx.paymentAttempt.updateMany({ where: { id, outcome: 'unknown' }, data: change });
}
