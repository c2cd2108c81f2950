import { isDeepStrictEqual } from 'node:util';
import { type Cents, cents } from '../../base/money.ts';
import { endOfBrasiliaDay } from '../../base/time/brasilia.ts';
import type { Queryable } from '../../../database/database.ts';
import { type Due, termsOf } from '../rules/due/due.ts';
import type { Payment } from '../rules/payment.ts';
import { lastPayableDayOf } from '../rules/due/due-terms.ts';

/** What a payment with a due date is to become, once its provider has it. */
export interface Revision {
  amountInCents: Cents;
  due: Due;
  description: string | null;
  /** JSON; null where it stays as it is. Providers do not get it. */
  metadata: string | null;
}

/** A revision as stored: JSON has its amount as a number. */
export interface StoredRevision extends Omit<Revision, 'amountInCents' | 'metadata'> {
  amountInCents: number;
  /** Nodes of the release before leave it out. */
  metadata?: string | null;
  startedAt: string;
}

export const revisionOf = ({ amountInCents, due, description, metadata }: StoredRevision): Revision => ({
  amountInCents: cents(amountInCents),
  due,
  description,
  metadata: metadata ?? null,
});

/** Whether the payment is what it was to become. */
export const isMade = (
  { amountInCents, due, description, metadata }: Revision,
  payment: Pick<Payment, keyof Revision>,
): boolean =>
  amountInCents === payment.amountInCents &&
  description === payment.description &&
  (metadata === null || metadata === payment.metadata?.text) &&
  isDeepStrictEqual(due, payment.due);

export const expiryOf = (due: Due): Date => endOfBrasiliaDay(lastPayableDayOf(termsOf(due)));

/** How long a provider may take, after which somebody else may begin another revision. */
const revisionLeaseMs = 60_000;

/**
 * Stores what is to be changed before the provider is called, and has a worker finish it if we do not. False if the payment is not
 * at this revision any more, has ended, or is just being changed. `now` is real; `paymentNow` is by the clock that the payment goes by.
 */
export async function beginRevision(
  db: Queryable,
  { id, revision }: { id: string; revision: number },
  { amountInCents, ...terms }: Revision,
  { now, paymentNow }: { now: Date; paymentNow: Date },
): Promise<boolean> {
  const leaseEnd = new Date(now.getTime() - revisionLeaseMs);
  const stored: StoredRevision = {
    ...terms,
    amountInCents: Number(amountInCents),
    startedAt: now.toISOString(),
  };
  const count = await db.$executeRaw`
    WITH begun AS (
      UPDATE payment SET revising = ${JSON.stringify(stored)}::json
      WHERE id = ${id}::uuid AND revision = ${revision}::bigint AND status = 'pending' AND due IS NOT NULL
        AND (revising IS NULL OR (revising->>'startedAt')::timestamptz < ${leaseEnd})
      RETURNING id, credential_id)
    INSERT INTO payment_check (payment_id, credential_id, next_check_at)
    SELECT id, credential_id, ${new Date(paymentNow.getTime() + revisionLeaseMs)} FROM begun
    ON CONFLICT (payment_id) DO UPDATE
    SET next_check_at = least(payment_check.next_check_at, excluded.next_check_at)`;
  return count > 0;
}

/** Hands what nobody has finished in time to whoever asks first, for as long as a provider may take. `now` is real. */
export async function resumeRevision(
  db: Queryable,
  id: string,
  now: Date,
): Promise<StoredRevision | undefined> {
  const leaseEnd = new Date(now.getTime() - revisionLeaseMs);
  const [resumed] = await db.$queryRaw<{ revising: StoredRevision }[]>`
    UPDATE payment SET revising = jsonb_set(revising::jsonb, '{startedAt}', to_jsonb(${now.toISOString()}::text))::json
    WHERE id = ${id}::uuid AND status = 'pending' AND (revising->>'startedAt')::timestamptz < ${leaseEnd}
    RETURNING revising`;
  return resumed?.revising;
}

/** Drops what a provider refused, unless somebody else has begun another since. */
export async function dropRevision(
  db: Queryable,
  id: string,
  { startedAt }: Pick<StoredRevision, 'startedAt'>,
): Promise<void> {
  await db.$executeRaw`
    UPDATE payment SET revising = NULL WHERE id = ${id}::uuid AND revising->>'startedAt' = ${startedAt}`;
}

/** Makes the payment what was begun; without a code it keeps the one it has. The payment must be locked. */
export async function storeRevision(
  tx: Queryable,
  id: string,
  { amountInCents, due, description, metadata }: Revision,
  pixCopyPaste: string | null,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE payment SET amount_in_cents = ${amountInCents}::bigint, due = ${JSON.stringify(due)}::json,
      due_date = ${due.date}::date, description = ${description}, metadata = coalesce(${metadata}::json, metadata), expires_at = ${expiryOf(due)},
      pix_copy_paste = coalesce(${pixCopyPaste}::text, pix_copy_paste), revision = revision + 1, revising = NULL
    WHERE id = ${id}::uuid`;
}

/** Changes what no provider needs to know. The payment must be locked. */
export async function storeDetails(
  tx: Queryable,
  id: string,
  { description, metadata }: Pick<Payment, 'description' | 'metadata'>,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE payment SET description = ${description}, metadata = ${metadata?.text ?? null}::json, revision = revision + 1
    WHERE id = ${id}::uuid`;
}
