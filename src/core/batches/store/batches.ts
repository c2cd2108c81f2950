import { firstIdAt } from '../../base/ids.ts';
import type { JsonObject } from '../../base/json/json-object.ts';
import type { Mode } from '../../base/mode.ts';
import type { Cents } from '../../base/money.ts';
import type { Problem } from '../../base/problems/rules.ts';
import { roleMay, roles } from '../../base/roles.ts';
import type { PublicStatus } from '../../payments/rules/payment.ts';
import type { Period } from '../rules/instalments.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { type Queryable, recordset } from '../../../database/database.ts';

export interface BatchRow {
  id: string;
  organizationId: string;
  mode: Mode;
  /** The key that asked for it; null where a person did. */
  apiKeyId: string | null;
  userId: string | null;
  /** Null unless its payments are instalments. */
  every: Period | null;
  count: number;
  createdAt: Date;
  nextRunAt: Date | null;
}

/** The payment of an item, as far as a batch shows it. */
export interface BatchPaymentRow {
  status: PublicStatus;
  amountInCents: Cents;
  dueDate: string | null;
  overdue: boolean;
}

export interface BatchItemRow {
  position: number;
  paymentId: string | null;
  errorCode: string | null;
  error: string | null;
  problems: readonly Problem[] | null;
}

/** How long a worker may take for a share of a batch before another one goes on with it. */
const leaseMs = 60_000;

export async function insertBatch(
  tx: Queryable,
  batch: BatchRow,
  items: readonly (Omit<BatchItemRow, 'paymentId'> & { input: JsonObject | null })[],
): Promise<void> {
  await tx.paymentBatch.create({ data: batch, select: { id: true } });
  await tx.$executeRaw`
    INSERT INTO payment_batch_item (batch_id, position, input, error_code, error, problems)
    SELECT ${batch.id}::uuid, position, input, "errorCode", error, problems
    FROM json_to_recordset(${recordset(items)}::json)
      AS r(position int, input json, "errorCode" text, error text, problems jsonb)`;
}

/** Until the transaction ends, nobody else opens a batch of the tenant, so that they can be counted. */
export const lockOpenBatches = (
  tx: Queryable,
  { organizationId, mode }: Pick<BatchRow, 'organizationId' | 'mode'>,
): Promise<unknown> =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`payment batches ${organizationId} ${mode}`}, 0))`;

/** Counts those that are not completed, up to `limit`. */
export async function countOpenBatches(
  db: Queryable,
  { organizationId, mode }: Pick<BatchRow, 'organizationId' | 'mode'>,
  limit: number,
): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM payment_batch WHERE organization_id = ${organizationId}::uuid AND mode = ${mode}::"Mode"
        AND next_run_at IS NOT NULL LIMIT ${limit}::int) AS open`;
  return row?.count ?? 0;
}

export async function findBatch(
  db: Queryable,
  { organizationId, mode }: Pick<BatchRow, 'organizationId' | 'mode'>,
  id: string,
): Promise<(BatchRow & { items: (BatchItemRow & { payment: BatchPaymentRow | null })[] }) | null> {
  const batch = await db.paymentBatch.findFirst({ where: { id, organizationId, mode } });
  if (!batch) return null;
  const items = await db.$queryRaw<(BatchItemRow & BatchPaymentRow & { isFound: boolean })[]>`
    SELECT i.position, i.payment_id AS "paymentId", i.error_code AS "errorCode", i.error, i.problems, p.id IS NOT NULL AS "isFound",
      p.status::text, p.amount_in_cents AS "amountInCents", p.due_date::text AS "dueDate", p.overdue
    FROM payment_batch_item i LEFT JOIN payment p ON p.id = i.payment_id
    WHERE i.batch_id = ${id}::uuid ORDER BY i.position`;
  return {
    ...(batch as BatchRow),
    items: items.map(({ isFound, status, amountInCents, dueDate, overdue, ...item }) => ({
      ...item,
      payment: isFound ? { status, amountInCents, dueDate, overdue } : null,
    })),
  };
}

/** The batch that made a payment; null without one. */
export async function findBatchOfPayment(db: Queryable, paymentId: string): Promise<string | null> {
  const item = await db.paymentBatchItem.findFirst({ where: { paymentId }, select: { batchId: true } });
  return item?.batchId ?? null;
}

/** Whether its key is still valid or its person still has a role that may, so that taking either away also ends what was asked for. */
type ClaimedBatch = BatchRow & { isStillAllowed: boolean };

const allowedRoles = roles.filter((role) => roleMay(role, 'payment-batches:create'));

/** The batch that has waited longest, leased. Those of one organization take turns with the others'. */
export async function claimBatch(db: Queryable, now: Date): Promise<ClaimedBatch | undefined> {
  const leasedUntil = new Date(now.getTime() + leaseMs);
  const [batch] = await db.$queryRaw<ClaimedBatch[]>`
    UPDATE payment_batch SET next_run_at = ${leasedUntil} WHERE id = (
      SELECT id FROM payment_batch WHERE next_run_at <= ${now} ORDER BY next_run_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, organization_id AS "organizationId", mode::text, api_key_id AS "apiKeyId", user_id AS "userId", every, count,
      created_at AS "createdAt", next_run_at AS "nextRunAt", EXISTS (
        SELECT FROM api_key WHERE id = api_key_id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})
      ) OR EXISTS (
        SELECT FROM member m WHERE m.organization_id = payment_batch.organization_id AND m.user_id = payment_batch.user_id
          AND m.role::text = ANY(${allowedRoles}::text[])
      ) AS "isStillAllowed"`;
  return batch;
}

/** Items without an outcome, in order. */
export function listWaiting(
  db: Queryable,
  batchId: string,
  limit: number,
): Promise<{ position: number; input: JsonObject }[]> {
  return db.$queryRaw<{ position: number; input: JsonObject }[]>`
    SELECT position, input FROM payment_batch_item WHERE batch_id = ${batchId}::uuid AND input IS NOT NULL
    ORDER BY position LIMIT ${limit}::int`;
}

/** Drops the body, which names the payer. */
export async function recordOutcome(db: Queryable, batchId: string, outcome: BatchItemRow): Promise<void> {
  const { position, problems, ...data } = outcome;
  await db.paymentBatchItem.updateMany({
    where: { batchId, position },
    data: { ...data, input: Prisma.DbNull, problems: (problems as object[] | null) ?? Prisma.DbNull },
  });
}

/** Fails whatever has no outcome, and completes the batch. */
export async function endBatch(
  db: Queryable,
  id: string,
  { code, message }: { code: string; message: string },
) {
  await db.$executeRaw`
    WITH failed AS (
      UPDATE payment_batch_item SET input = NULL, error_code = ${code}, error = ${message}
      WHERE batch_id = ${id}::uuid AND input IS NOT NULL)
    UPDATE payment_batch SET next_run_at = NULL WHERE id = ${id}::uuid`;
}

/** Deletes completed batches that were created before; their payments stay. Instalments stay together. Returns how many. */
export function deleteBatches(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM payment_batch WHERE id IN (
      SELECT id FROM payment_batch b WHERE id < ${firstIdAt(before)}::uuid AND next_run_at IS NULL AND (every IS NULL OR NOT EXISTS (
        SELECT FROM payment_batch_item i JOIN payment p ON p.id = i.payment_id WHERE i.batch_id = b.id))
      ORDER BY id LIMIT ${limit}::int)`;
}

/** When a worker goes on with it; null once it is completed. */
export async function scheduleBatch(db: Queryable, id: string, nextRunAt: Date | null): Promise<void> {
  await db.paymentBatch.updateMany({ where: { id }, data: { nextRunAt } });
}
