import type { Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { termColumns, type TermSource } from '../../payments/store/search-terms.ts';

interface Part {
  /** Where the last part ended. */
  afterId: string;
  beforeId: string;
  limit: number;
}

/**
 * Payments whose creation failed, in the order of their ids, and whether every provider was spared or plainly refused. A charge
 * whose response was lost may have been made, even if a look has not found it.
 */
export const listFailedCreates = (
  db: Queryable,
  { afterId, beforeId, limit }: Part,
): Promise<{ id: string; wasNeverMade: boolean }[]> =>
  db.$queryRaw`
    SELECT id, NOT EXISTS (SELECT FROM payment_attempt WHERE payment_id = payment.id
      AND outcome NOT IN ('planned', 'skipped', 'not_sent', 'rejected')) AS "wasNeverMade"
    FROM payment WHERE status = 'failed' AND recurrence_id IS NULL AND id > ${afterId}::uuid AND id < ${beforeId}::uuid
    ORDER BY id LIMIT ${limit}::int`;

/** Returns what the search terms of those deleted are derived from: one that has been paid since it was listed stays. */
export async function deleteFailedCreates(tx: Queryable, listed: readonly string[]): Promise<TermSource[]> {
  const locked = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM payment WHERE id = ANY(${[...listed]}::uuid[]) AND status = 'failed' ORDER BY id FOR UPDATE`;
  const isOne = Prisma.sql`= ANY(${locked.map(({ id }) => id)}::uuid[])`;
  await tx.$executeRaw`DELETE FROM payment_attempt WHERE payment_id ${isOne}`;
  await tx.$executeRaw`DELETE FROM payment_link_payment WHERE payment_id ${isOne}`;
  return tx.$queryRaw`DELETE FROM payment WHERE id ${isOne} RETURNING ${termColumns}`;
}
