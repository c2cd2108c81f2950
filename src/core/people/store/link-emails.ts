import type { Queryable } from '../../../database/database.ts';

export interface ClaimedLinkEmail {
  /** The id of the invitation or password link. */
  id: string;
  sealedMessage: string;
  attemptCount: number;
  /** Checked with the outcome, to prove that nobody has claimed it meanwhile. */
  holder: number;
  /** Whether the link still works. */
  isValid: boolean;
}

export async function insertLinkEmail(
  tx: Queryable,
  row: { id: string; sealedMessage: string; nextAttemptAt: Date },
): Promise<void> {
  await tx.linkEmail.create({ data: row, select: { id: true } });
}

/** The e-mails longest due, claimed for one lease. */
export const claimLinkEmails = (
  db: Queryable,
  { now, leasedUntil, limit }: { now: Date; leasedUntil: Date; limit: number },
): Promise<ClaimedLinkEmail[]> =>
  db.$queryRaw<ClaimedLinkEmail[]>`
    WITH due AS (
      SELECT id FROM link_email WHERE next_attempt_at <= ${now}
      ORDER BY next_attempt_at LIMIT ${limit}::int FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE link_email e SET next_attempt_at = ${leasedUntil}, holder = holder + 1
    FROM due WHERE e.id = due.id
    RETURNING e.id, e.sealed_message AS "sealedMessage", e.attempt_count AS "attemptCount", e.holder,
      EXISTS (SELECT FROM invitation i WHERE i.id = e.id AND i.accepted_at IS NULL AND i.revoked_at IS NULL
        AND i.expires_at > ${now})
      OR EXISTS (SELECT FROM password_link l WHERE l.id = e.id AND l.expires_at > ${now}) AS "isValid"`;

/** Accepted only from the current holder. */
export async function deleteLinkEmail(db: Queryable, { id, holder }: ClaimedLinkEmail): Promise<void> {
  await db.linkEmail.deleteMany({ where: { id, holder } });
}

/** Accepted only from the current holder. */
export async function postponeLinkEmail(
  db: Queryable,
  { id, holder, attemptCount }: ClaimedLinkEmail,
  nextAttemptAt: Date,
): Promise<void> {
  const data = { attemptCount: attemptCount + 1, nextAttemptAt };
  await db.linkEmail.updateMany({ where: { id, holder }, data });
}
