import type { IdempotentOutcome, KeyHolder } from '../../idempotency/rules/key-holder.ts';
import type { CalendarDay } from '../../base/time/calendar-day.ts';
import { type AttemptOutcome, type FreeTexts, freeTexts, type Payment } from '../rules/payment.ts';
import type { RoutingReason } from '../../routing/rules/routing.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { type Queryable, recordset } from '../../../database/database.ts';
import { columnOf } from './payments.ts';

export interface NewPayment extends Omit<
  Payment,
  | 'status'
  | 'pixCopyPaste'
  | 'txid'
  | 'confirmedAt'
  | 'cancelledAt'
  | 'refundedInCents'
  | 'reversedInCents'
  | 'disputed'
  | 'pixId'
  | 'paidBy'
  | 'overdue'
  | 'revision'
  | 'paidInCents'
  | 'paidParts'
> {
  apiKeyId: string | null;
  /** Taken from the request that creates the payment. */
  traceparent: string | null;
  returnUrl: string | null;
  /** The date of `due` or `debit`, to list by. */
  dueDate: CalendarDay | null;
  /** The day that names the cycle of `debit`. */
  debitCycle: CalendarDay | null;
  nextCheckAt: Date;
}

export interface Attempt {
  id: string;
  paymentId: string;
  /** Index in the routing order, counting skipped credentials. */
  position: number;
  provider: string;
  credentialId: string | null;
  reason: RoutingReason | 'recovered' | 'recurrence';
  outcome: AttemptOutcome;
  /** What went wrong or why it was skipped, in our words. */
  error: string | null;
  createdAt: Date;
}

export interface OpenedPayment {
  payment: NewPayment;
  /** Ordered by the routing. */
  attempts: readonly Attempt[];
  /** The payment link that the payment was made through. */
  linkId?: string | undefined;
}

export interface AttemptResult {
  attemptId: string;
  outcome: AttemptOutcome;
  /** Our own words, without payer data. */
  error: string | null;
  pspReference: string | null;
  latencyMs: number;
  /** When to look up a charge whose response was lost. */
  nextCheckAt: Date | null;
}

export interface ChargeCreated extends AttemptResult {
  paymentId: string;
  provider: string;
  credentialId: string | null;
  /** Null for a debit, and when the provider lists the charge but no longer tells its code. */
  pixCopyPaste: string | null;
  /** Null where the provider does not tell it. */
  txid: string | null;
  paymentNextCheckAt: Date;
  idempotent: IdempotentOutcome | null;
}

export interface ChargeFailed extends AttemptResult {
  paymentId: string;
  /** Holder whose key is released. */
  keyHolder: KeyHolder | null;
}

/** SQL types of what a create stores beside free texts. A member without one does not compile, so none is left out silently. */
const sqlTypes: Record<Exclude<keyof NewPayment, keyof FreeTexts>, string> = {
  id: 'uuid',
  organizationId: 'uuid',
  mode: '"Mode"',
  apiKeyId: 'uuid',
  amountInCents: 'bigint',
  provider: 'text',
  payerName: 'text',
  payerDocument: 'text',
  payerEmail: 'text',
  payerPhone: 'text',
  payerAddress: 'json',
  metadata: 'json',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz',
  nextCheckAt: 'timestamptz',
  traceparent: 'text',
  returnUrl: 'text',
  due: 'json',
  dueDate: 'date',
  recurrenceId: 'uuid',
  debit: 'json',
  debitCycle: 'text',
};

const stored = [...Object.entries(sqlTypes), ...freeTexts.map((name) => [name, 'text'] as const)];
const listed = (of: (name: string, type: string) => string): Prisma.Sql =>
  Prisma.raw(stored.map(([name, type]) => of(name, type)).join(', '));
const storedColumns = listed(columnOf);
const storedMembers = listed((name) => `"${name}"`);
const storedTypes = listed((name, type) => `"${name}" ${type}`);

/**
 * Stores payments with their whole routing order before any provider is called, so that the database knows the transaction id
 * of every call first. A payment made through a link is stored with that link. Existing payments keep their attempts. Returns
 * for each payment whether it is new.
 */
export async function openPayments(db: Queryable, opened: readonly OpenedPayment[]): Promise<boolean[]> {
  const payments = recordset(opened.map(({ payment }) => payment));
  const attempts = recordset(opened.flatMap((each) => each.attempts));
  const links = recordset(
    opened.flatMap(({ payment, linkId }) => (linkId ? [{ linkId, paymentId: payment.id }] : [])),
  );
  const inserted = await db.$queryRaw<{ id: string }[]>`
    WITH new_payment AS (
      INSERT INTO payment (status, ${storedColumns})
      SELECT 'creating', ${storedMembers}
      FROM json_to_recordset(${payments}::json) AS r(${storedTypes})
      ON CONFLICT (id) DO NOTHING
      RETURNING id
    ), new_attempt AS (
      INSERT INTO payment_attempt (id, payment_id, position, provider, credential_id, reason, outcome, error, created_at)
      SELECT r.id, "paymentId", position, provider, "credentialId", reason, outcome, error, "createdAt"
      FROM json_to_recordset(${attempts}::json) AS r(id uuid, "paymentId" uuid, position int, provider text,
        "credentialId" uuid, reason text, outcome "AttemptOutcome", error text, "createdAt" timestamptz)
      JOIN new_payment ON new_payment.id = r."paymentId"
    ), new_link_payment AS (
      INSERT INTO payment_link_payment (link_id, payment_id)
      SELECT "linkId", "paymentId" FROM json_to_recordset(${links}::json) AS r("linkId" uuid, "paymentId" uuid)
      JOIN new_payment ON new_payment.id = r."paymentId"
    )
    SELECT id FROM new_payment`;
  const ids = new Set(inserted.map(({ id }) => id));
  return opened.map(({ payment }) => ids.has(payment.id));
}

const attemptColumns =
  Prisma.raw(`"attemptId" uuid, outcome "AttemptOutcome", error text, "pspReference" text,
  "latencyMs" int, "nextCheckAt" timestamptz`);

const attemptIdsOf = (results: readonly AttemptResult[]): string[] =>
  results.map(({ attemptId }) => attemptId);

/**
 * The first recorded outcome of an attempt wins, because a later caller was presumed dead. Here and below the ids are also
 * passed as an array: with a join alone, the planner may read the whole table.
 */
const updateAttempts = (results: readonly AttemptResult[]) => Prisma.sql`
  UPDATE payment_attempt a
  SET outcome = r.outcome, error = r.error, psp_reference = r."pspReference", latency_ms = r."latencyMs",
    next_check_at = r."nextCheckAt"
  FROM r WHERE a.id = r."attemptId" AND a.id = ANY(${attemptIdsOf(results)}::uuid[]) AND a.outcome = 'open'`;

/** A charge made superfluous by another holder's still exists, so it is treated as lost. */
const updateCreatedAttempts = (results: readonly AttemptResult[]) => Prisma.sql`
  UPDATE payment_attempt a
  SET outcome = CASE WHEN charged.id IS NULL THEN 'unknown'::"AttemptOutcome" ELSE r.outcome END,
    next_check_at = CASE WHEN charged.id IS NULL THEN now() END,
    psp_reference = r."pspReference", latency_ms = r."latencyMs"
  FROM r LEFT JOIN charged ON charged.id = r."paymentId"
  WHERE a.id = r."attemptId" AND a.id = ANY(${attemptIdsOf(results)}::uuid[]) AND a.outcome = 'open'`;

const storeIdempotentOutcomes = Prisma.raw(`
  UPDATE idempotency_key i SET outcome = k.outcome
  FROM r JOIN charged ON charged.id = r."paymentId",
    json_to_record(r.idempotent) AS k("organizationId" uuid, mode "Mode", key text, holder int, outcome json)
  WHERE r.idempotent IS NOT NULL AND i.organization_id = k."organizationId" AND i.mode = k.mode AND i.key = k.key
    AND i.holder = k.holder AND i.outcome IS NULL`);

/**
 * Makes payments pending with their provider's code; the same statement records the attempt and the idempotent outcome.
 * Returns for each whether the payment was still being created; if not, the outcome is not stored.
 */
export async function recordCreatedCharges(
  db: Queryable,
  created: readonly ChargeCreated[],
): Promise<boolean[]> {
  const updated = await db.$queryRaw<{ id: string }[]>`
    WITH r AS (
      SELECT * FROM json_to_recordset(${recordset(created)}::json) AS r(${attemptColumns}, "paymentId" uuid,
        provider text, "credentialId" uuid, "pixCopyPaste" text, txid text, "paymentNextCheckAt" timestamptz,
        idempotent json)
    ), charged AS (
      UPDATE payment p
      SET status = 'pending', provider = r.provider, credential_id = r."credentialId", attempt_id = r."attemptId",
        pix_copy_paste = r."pixCopyPaste", txid = r.txid, next_check_at = r."paymentNextCheckAt"
      FROM r
      WHERE p.id = r."paymentId" AND p.id = ANY(${created.map(({ paymentId }) => paymentId)}::uuid[])
        AND p.status = 'creating'
      RETURNING p.id
    ), attempt AS (${updateCreatedAttempts(created)}), idempotency AS (${storeIdempotentOutcomes})
    SELECT id FROM charged`;
  const ids = new Set(updated.map(({ id }) => id));
  return created.map(({ paymentId }) => ids.has(paymentId));
}

/**
 * Fails a payment that no candidate could charge and releases its key in the same statement, so that
 * repeating the request creates a new payment. Returns whether the payment was still being created; if not,
 * the key is kept.
 */
export async function recordFailedCharge(db: Queryable, failed: ChargeFailed): Promise<boolean> {
  const updated = await db.$queryRaw<{ id: string }[]>`
    WITH r AS (
      SELECT * FROM json_to_recordset(${recordset([failed])}::json) AS r(${attemptColumns}, "paymentId" uuid,
        "keyHolder" json)
    ), attempt AS (${updateAttempts([failed])}), failed AS (
      UPDATE payment p SET status = 'failed', next_check_at = NULL
      FROM r WHERE p.id = r."paymentId" AND p.status = 'creating'
      RETURNING p.id
    ), released AS (
      DELETE FROM idempotency_key i
      USING r JOIN failed ON failed.id = r."paymentId",
        json_to_record(r."keyHolder") AS k("organizationId" uuid, mode "Mode", key text, holder int)
      WHERE r."keyHolder" IS NOT NULL AND i.organization_id = k."organizationId" AND i.mode = k.mode
        AND i.key = k.key AND i.holder = k.holder AND i.outcome IS NULL)
    SELECT id FROM failed`;
  return updated.length > 0;
}

/**
 * Records an attempt's outcome and the start of the next one in a single statement; false when another holder
 * did so first.
 */
export async function advanceToAttempt(
  db: Queryable,
  ended: AttemptResult,
  nextAttemptId: string,
): Promise<boolean> {
  const opened = await db.$executeRaw`
    WITH r AS (SELECT * FROM json_to_recordset(${recordset([ended])}::json) AS r(${attemptColumns})),
      attempt AS (${updateAttempts([ended])} RETURNING a.id)
    UPDATE payment_attempt SET outcome = 'open'
    WHERE id = ${nextAttemptId}::uuid AND outcome = 'planned' AND EXISTS (SELECT FROM attempt)`;
  return opened > 0;
}

export async function listAttempts(db: Queryable, paymentId: string): Promise<Attempt[]> {
  const attempts = await db.paymentAttempt.findMany({ where: { paymentId }, orderBy: { position: 'asc' } });
  return attempts as Attempt[];
}
