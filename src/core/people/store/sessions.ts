import type { Role } from '../../base/roles.ts';
import { type Queryable, recordset } from '../../../database/database.ts';

export interface SessionAtWork {
  sessionId: string;
  organizationId: string;
  role: Role | null;
}

/** Indexes of the sessions that are still valid, and whose person still has the given role and any required second factor. */
export async function findLasting(
  db: Queryable,
  sessions: readonly SessionAtWork[],
  now: Date,
): Promise<number[]> {
  const rows = await db.$queryRaw<{ place: number }[]>`
    SELECT asked.place FROM json_to_recordset(${recordset(sessions.map((each, place) => ({ ...each, place })))}::json)
      AS asked(place int, "sessionId" uuid, "organizationId" uuid, role text)
    JOIN session s ON s.id = asked."sessionId" AND s.expires_at > ${now}
    LEFT JOIN member m ON m.organization_id = asked."organizationId" AND m.user_id = s.user_id
      AND coalesce(s.organization_id, m.organization_id) = m.organization_id
    LEFT JOIN organization_settings o ON o.organization_id = m.organization_id
    WHERE m.role::text IS NOT DISTINCT FROM asked.role
      AND NOT coalesce(s.organization_id IS NULL AND m.role = ANY(o.second_factor_roles)
        AND NOT (SELECT two_factor_enabled FROM "user" WHERE id = s.user_id), false)`;
  return rows.map(({ place }) => place);
}

export interface SessionRow {
  id: string;
  createdAt: Date;
  /** When it was last extended, which a browser does about every hour. */
  updatedAt: Date;
  ipAddress: string | null;
  userAgent: string | null;
}

/** The only organization that a session is for; null for one that the person opened with a password. */
export const findSessionOrganization = async (db: Queryable, id: string): Promise<string | null> =>
  (await db.session.findUnique({ where: { id }, select: { organizationId: true } }))?.organizationId ?? null;

/** More than a person has. */
const listLimit = 100;

/** The valid ones, the last used first, without their tokens. */
export const listSessions = (db: Queryable, userId: string, now: Date): Promise<SessionRow[]> =>
  db.session.findMany({
    where: { userId, expiresAt: { gt: now } },
    select: { id: true, createdAt: true, updatedAt: true, ipAddress: true, userAgent: true },
    orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
    take: listLimit,
  });

/** False when the person has no such session. */
export async function deleteSession(db: Queryable, userId: string, id: string): Promise<boolean> {
  return (await db.session.deleteMany({ where: { id, userId } })).count === 1;
}

/** Deletes all sessions of a person but one. */
export async function deleteOtherSessions(db: Queryable, userId: string, keptId: string): Promise<void> {
  await db.session.deleteMany({ where: { userId, id: { not: keptId } } });
}

/** Deletes some; returns how many. */
export const deleteExpiredSessions = (db: Queryable, now: Date, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM session WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM session WHERE expires_at < ${now} ORDER BY expires_at LIMIT ${limit}))`;

/** Deletes some; returns how many. */
export const deleteExpiredVerifications = (db: Queryable, now: Date, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM verification WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM verification WHERE expires_at < ${now} ORDER BY expires_at LIMIT ${limit}))`;
