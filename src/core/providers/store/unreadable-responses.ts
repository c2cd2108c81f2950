import { pseudonymPrefix } from '../../privacy/rules/pseudonym.ts';
import type { Queryable } from '../../../database/database.ts';

export interface UnreadableResponseRow {
  id: string;
  credentialId: string;
  operation: string;
  attemptId: string | null;
  paymentId: string | null;
  httpStatus: number;
  problem: string;
  sealedBody: string;
  createdAt: Date;
}

export type NewUnreadableResponse = Omit<UnreadableResponseRow, 'paymentId'>;

/**
 * Finds the payment of the attempt, and stores nothing if its payer was forgotten. Deletes all but the credential's latest
 * `keep`, counting notifications apart.
 */
export async function insertUnreadableResponse(
  db: Queryable,
  response: NewUnreadableResponse,
  keep: number,
): Promise<void> {
  const { id, credentialId, operation, attemptId, httpStatus, problem, sealedBody, createdAt } = response;
  await db.$executeRaw`
    WITH beyond AS (
      SELECT id FROM unreadable_response WHERE credential_id = ${credentialId}::uuid
        AND (operation = 'notification') = ${operation === 'notification'}
      ORDER BY credential_id DESC, id DESC OFFSET ${keep - 1} LIMIT 100
    ), deleted AS (
      DELETE FROM unreadable_response WHERE id = ANY(ARRAY(SELECT id FROM beyond))
    )
    INSERT INTO unreadable_response (id, credential_id, operation, attempt_id, payment_id, http_status, problem,
      sealed_body, created_at)
    SELECT ${id}::uuid, ${credentialId}::uuid, ${operation}, ${attemptId}::uuid, p.id, ${httpStatus}::int, ${problem},
      ${sealedBody}, ${createdAt}
    FROM (VALUES (${attemptId}::uuid)) AS named(attempt_id)
    LEFT JOIN payment_attempt a ON a.id = named.attempt_id LEFT JOIN payment p ON p.id = a.payment_id
    WHERE NOT starts_with(coalesce(p.payer_document, ''), ${pseudonymPrefix})`;
}

/** Newest first. */
export const listUnreadableResponses = (
  db: Queryable,
  of: { credentialId: string } | { paymentId: string },
  limit: number,
): Promise<UnreadableResponseRow[]> =>
  db.unreadableResponse.findMany({
    where: of,
    orderBy: { id: 'desc' },
    take: limit,
  });
