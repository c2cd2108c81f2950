import type { Queryable } from '../../../database/database.ts';
import type { Alert } from './alerts.ts';

export interface AlertPreference {
  kinds: string[];
  language: string;
}

export const findAlertPreference = (
  db: Queryable,
  organizationId: string,
  userId: string,
): Promise<AlertPreference | null> =>
  db.alertPreference.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
    select: { kinds: true, language: true },
  });

export async function saveAlertPreference(
  tx: Queryable,
  key: { organizationId: string; userId: string },
  preference: AlertPreference,
): Promise<void> {
  await tx.alertPreference.upsert({
    where: { organizationId_userId: key },
    create: { ...key, ...preference },
    update: preference,
    select: { userId: true },
  });
}

/** Queues an e-mail to each member who chose the kind of alert, another one if an alert is told again. */
export async function insertAlertEmails(
  tx: Queryable,
  { id, organizationId, kind }: Pick<Alert, 'id' | 'organizationId' | 'kind'>,
  { isClosed, dueAt }: { isClosed: boolean; dueAt: Date },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO alert_email (alert_id, user_id, is_closed, next_attempt_at)
    SELECT ${id}::uuid, p.user_id, ${isClosed}, ${dueAt}
    FROM alert_preference p JOIN member m ON m.organization_id = p.organization_id AND m.user_id = p.user_id
    WHERE p.organization_id = ${organizationId}::uuid AND ${kind} = ANY(p.kinds)
    ON CONFLICT (alert_id, user_id, is_closed) DO UPDATE
      SET next_attempt_at = EXCLUDED.next_attempt_at, attempt_count = 0, holder = alert_email.holder + 1, sent_at = NULL`;
}

/** `email` and `language` are null if the member has left or no longer wants such e-mails. */
export interface ClaimedEmail {
  alertId: string;
  userId: string;
  isClosed: boolean;
  attemptCount: number;
  /** Checked with the outcome: proves that nobody has claimed it meanwhile. */
  holder: number;
  email: string | null;
  language: string | null;
}

/** Claims due e-mails until `leasedUntil`, longest due first. The end of an alert waits until its beginning was sent or given up. */
export const claimAlertEmails = (
  db: Queryable,
  { now, leasedUntil, limit }: { now: Date; leasedUntil: Date; limit: number },
): Promise<ClaimedEmail[]> =>
  db.$queryRaw<ClaimedEmail[]>`
    WITH due AS (
      SELECT alert_id, user_id, is_closed FROM alert_email e
      WHERE next_attempt_at <= ${now} AND NOT (is_closed AND EXISTS (
        SELECT 1 FROM alert_email o
        WHERE o.alert_id = e.alert_id AND o.user_id = e.user_id AND NOT o.is_closed AND o.next_attempt_at IS NOT NULL))
      ORDER BY next_attempt_at LIMIT ${limit}::int FOR NO KEY UPDATE SKIP LOCKED),
    claimed AS (
      UPDATE alert_email e SET next_attempt_at = ${leasedUntil}, holder = holder + 1
      FROM due WHERE e.alert_id = due.alert_id AND e.user_id = due.user_id AND e.is_closed = due.is_closed
      RETURNING e.*)
    SELECT claimed.alert_id AS "alertId", claimed.user_id AS "userId", claimed.is_closed AS "isClosed",
      claimed.attempt_count AS "attemptCount", claimed.holder, u.email, p.language
    FROM claimed JOIN alert a ON a.id = claimed.alert_id
    LEFT JOIN member m ON m.organization_id = a.organization_id AND m.user_id = claimed.user_id
    LEFT JOIN alert_preference p ON p.organization_id = m.organization_id AND p.user_id = m.user_id
      AND a.kind = ANY(p.kinds)
    LEFT JOIN "user" u ON u.id = p.user_id`;

/** Accepts the outcome only from the current holder. */
export async function recordAlertEmail(
  db: Queryable,
  { alertId, userId, isClosed, holder }: ClaimedEmail,
  outcome: { attemptCount: number; nextAttemptAt: Date | null; sentAt: Date | null },
): Promise<void> {
  await db.alertEmail.updateMany({ where: { alertId, userId, isClosed, holder }, data: outcome });
}
