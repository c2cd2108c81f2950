import type { Cents } from '../../base/money.ts';
import type { Queryable } from '../../../database/database.ts';
import type { Due } from '../rules/due/due.ts';

/** What a payment with a due date is to become, once its provider has it. */
export interface Revision {
  amountInCents: Cents;
  due: Due;
  description: string | null;
}

/** A revision as stored: JSON has its amount as a number. */
export interface StoredRevision extends Omit<Revision, 'amountInCents'> {
  amountInCents: number;
  startedAt: string;
}

/** How long a provider may take, after which somebody else may begin another revision. */
const revisionLeaseMs = 60_000;

/**
 * Stores what is to be changed before the provider is called, and has a worker finish it if we do not. False if the payment is not
 * at this revision any more, has ended, or is just being changed.
 */
export async function beginRevision(
  db: Queryable,
  { id, revision }: { id: string; revision: number },
  { amountInCents, ...terms }: Revision,
  now: Date,
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
    SELECT id, credential_id, ${new Date(now.getTime() + revisionLeaseMs)} FROM begun
    ON CONFLICT (payment_id) DO UPDATE
    SET next_check_at = least(payment_check.next_check_at, excluded.next_check_at)`;
  return count > 0;
}

/** Drops what a provider refused. */
export async function dropRevision(db: Queryable, id: string): Promise<void> {
  await db.$executeRaw`UPDATE payment SET revising = NULL WHERE id = ${id}::uuid`;
}

/** Makes the payment what was begun. The payment must be locked. */
export async function storeRevision(
  tx: Queryable,
  id: string,
  { amountInCents, due, description }: Revision,
  { expiresAt, pixCopyPaste }: { expiresAt: Date; pixCopyPaste: string | null },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE payment SET amount_in_cents = ${amountInCents}::bigint, due = ${JSON.stringify(due)}::json,
      due_date = ${due.date}::date, description = ${description}, expires_at = ${expiresAt},
      pix_copy_paste = coalesce(${pixCopyPaste}::text, pix_copy_paste), revision = revision + 1, revising = NULL
    WHERE id = ${id}::uuid`;
}
