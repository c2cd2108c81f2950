import type { Queryable } from '../../../database/database.ts';

/**
 * Deletes some attempts with ids before this one, and the deliveries that have ended and keep no other attempt. Returns
 * how many attempts.
 */
export async function deleteWebhookAttempts(db: Queryable, beforeId: string, limit: number): Promise<number> {
  const [deleted] = await db.$queryRaw<{ count: number }[]>`
    WITH old AS MATERIALIZED (
      SELECT id, delivery_id FROM webhook_attempt WHERE id < ${beforeId}::uuid ORDER BY id LIMIT ${limit}
    ), delivery AS (
      DELETE FROM webhook_delivery d WHERE id = ANY(ARRAY(SELECT delivery_id FROM old)) AND next_attempt_at IS NULL
        AND NOT EXISTS (SELECT FROM webhook_attempt a WHERE a.delivery_id = d.id AND a.id NOT IN (SELECT id FROM old))
    ), attempt AS (
      DELETE FROM webhook_attempt WHERE id = ANY(ARRAY(SELECT id FROM old))
    )
    SELECT count(*)::int AS count FROM old`;
  return deleted?.count ?? 0;
}

/** Deletes some processed notifications with ids before this one; returns how many. */
export const deleteNotifications = (db: Queryable, beforeId: string, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM psp_notification WHERE id = ANY(ARRAY(
      SELECT id FROM psp_notification WHERE id < ${beforeId}::uuid AND processed_at IS NOT NULL
      ORDER BY id LIMIT ${limit}))`;

/** Deletes some unreadable responses with ids before this one; returns how many. */
export const deleteUnreadableResponses = (db: Queryable, beforeId: string, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM unreadable_response WHERE id = ANY(ARRAY(
      SELECT id FROM unreadable_response WHERE id < ${beforeId}::uuid ORDER BY id LIMIT ${limit}))`;
