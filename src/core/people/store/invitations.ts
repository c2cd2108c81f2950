import type { Role } from '../../base/roles.ts';
import type { Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';

export interface InvitationRow {
  id: string;
  email: string;
  name: string | null;
  role: Role;
  /** The inviter's address; null for the operator. */
  invitedBy: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/** An invitation as shown by its link. */
export interface LinkedInvitation {
  id: string;
  organizationId: string;
  organizationName: string;
  email: string;
  name: string | null;
  role: Role;
  expiresAt: Date;
  acceptedAt: Date | null;
  revokedAt: Date | null;
  /** Whether the inviter may still invite. */
  isBacked: boolean;
  hasAccount: boolean;
}

export interface NewInvitation {
  id: string;
  organizationId: string;
  email: string;
  name: string | null;
  role: Role;
  tokenSha256: string;
  invitedById: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/** More than anyone has pending. */
const listLimit = 1_000;

/** Waits for others who invite or admit people, and makes them wait until this transaction ends. */
export async function lockInvitations(tx: Queryable, organizationId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
}

/** The link of a member's invitation goes to the invitee alone. */
export async function insertInvitation(tx: Queryable, row: NewInvitation): Promise<void> {
  await tx.invitation.create({ data: { ...row, provesEmail: true }, select: { id: true } });
}

/** Whether the inviter may still invite. */
const isBacked = (lock = Prisma.empty) => Prisma.sql`(i.invited_by_id IS NULL OR i.proves_email AND EXISTS (
    SELECT 1 FROM member m WHERE m.organization_id = i.organization_id AND m.user_id = i.invited_by_id
      AND m.role = 'owner' ${lock}))`;

/** Newest first. */
export const listPendingInvitations = (
  db: Queryable,
  organizationId: string,
  now: Date,
): Promise<InvitationRow[]> =>
  db.$queryRaw<InvitationRow[]>`
    SELECT i.id, i.email, i.name, i.role, u.email AS "invitedBy", i.created_at AS "createdAt",
      i.expires_at AS "expiresAt"
    FROM invitation i LEFT JOIN "user" u ON u.id = i.invited_by_id
    WHERE i.organization_id = ${organizationId}::uuid AND i.accepted_at IS NULL AND i.revoked_at IS NULL
      AND i.expires_at > ${now} AND (i.invited_by_id IS NULL OR i.proves_email)
    ORDER BY i.id DESC LIMIT ${listLimit}`;

export async function findInvitationByToken(
  db: Queryable,
  tokenSha256: string,
): Promise<LinkedInvitation | undefined> {
  const [row] = await db.$queryRaw<LinkedInvitation[]>`
    SELECT i.id, i.organization_id AS "organizationId", o.name AS "organizationName", i.email, i.name, i.role,
      i.expires_at AS "expiresAt", i.accepted_at AS "acceptedAt", i.revoked_at AS "revokedAt",
      ${isBacked()} AS "isBacked",
      EXISTS (SELECT 1 FROM "user" u WHERE u.email = i.email) AS "hasAccount"
    FROM invitation i JOIN organization o ON o.id = i.organization_id
    WHERE i.token_sha256 = ${tokenSha256}`;
  return row;
}

/**
 * False if it is no longer pending or its inviter is gone; the inviter stays until this transaction ends. Of concurrent
 * attempts, one wins.
 */
export async function acceptInvitation(tx: Queryable, id: string, now: Date): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE invitation i SET accepted_at = ${now}
    WHERE i.id = ${id}::uuid AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > ${now}
      AND ${isBacked(Prisma.sql`FOR SHARE`)}`;
  return count === 1;
}

type Which = { id: string } | { email: string } | { invitedById: { not: null } };

/** Revokes pending invitations of the organization; returns how many. */
export async function revokeInvitations(
  tx: Queryable,
  organizationId: string,
  which: Which,
  now: Date,
): Promise<number> {
  const where = { organizationId, ...which, acceptedAt: null, revokedAt: null, expiresAt: { gt: now } };
  const { count } = await tx.invitation.updateMany({ where, data: { revokedAt: now } });
  return count;
}

export const findInvitation = (
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<{ email: string; role: Role } | null> =>
  db.invitation.findFirst({ where: { organizationId, id }, select: { email: true, role: true } });
