import type { Role } from '../../base/roles.ts';
import type { Queryable } from '../../../database/database.ts';

export interface MemberRow {
  userId: string;
  role: Role;
  createdAt: Date;
  user: {
    name: string;
    email: string;
    twoFactorEnabled: boolean;
    lastSignInAt: Date | null;
    /** Those with a password: one, or none of whoever the identity provider let in. */
    accounts: { id: string }[];
  };
}

export interface Membership {
  organizationId: string;
  role: Role;
  organization: {
    name: string;
    settings: { secondFactorRoles: Role[] } | null;
    profile: { timeZone: string | null } | null;
  };
}

export interface Person {
  id: string;
  name: string;
  email: string;
  twoFactorEnabled: boolean;
  mustChangePassword: boolean;
}

const member = {
  userId: true,
  role: true,
  createdAt: true,
  user: {
    select: {
      name: true,
      email: true,
      twoFactorEnabled: true,
      lastSignInAt: true,
      accounts: { where: { providerId: 'credential' }, select: { id: true } },
    },
  },
} as const;
const person = {
  id: true,
  name: true,
  email: true,
  twoFactorEnabled: true,
  mustChangePassword: true,
} as const;

/** More than any organization has. */
const listLimit = 1_000;

export interface MemberAccess {
  role: Role;
  /** The organization requires a second factor for the role, and the person has none. */
  needsSecondFactor: boolean;
}

/**
 * Undefined for a person who is no member, or whose session is for another organization. A session that the organization's
 * identity provider opened needs no second factor here.
 */
export async function findMemberAccess(
  db: Queryable,
  organizationId: string,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<MemberAccess | undefined> {
  const [access] = await db.$queryRaw<MemberAccess[]>`
    SELECT m.role, coalesce(m.role = ANY(s.second_factor_roles), false)
      AND NOT u.two_factor_enabled AND x.organization_id IS NULL AS "needsSecondFactor"
    FROM member m JOIN "user" u ON u.id = m.user_id
    JOIN session x ON x.id = ${sessionId}::uuid AND x.user_id = m.user_id
      AND coalesce(x.organization_id, m.organization_id) = m.organization_id
    LEFT JOIN organization_settings s ON s.organization_id = m.organization_id
    WHERE m.organization_id = ${organizationId}::uuid AND m.user_id = ${userId}::uuid`;
  return access;
}

/** Whether any of the person's organizations requires a second factor. */
export async function isSecondFactorRequired(db: Queryable, userId: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM member m JOIN organization_settings s ON s.organization_id = m.organization_id
    WHERE m.user_id = ${userId}::uuid AND m.role = ANY(s.second_factor_roles) LIMIT 1`;
  return rows.length > 0;
}

export async function findRole(
  db: Queryable,
  organizationId: string,
  userId: string,
): Promise<Role | undefined> {
  const where = { organizationId_userId: { organizationId, userId } };
  return (await db.member.findUnique({ where, select: { role: true } }))?.role;
}

/** Keeps the role from changing until the transaction ends. */
export async function lockRole(
  tx: Queryable,
  organizationId: string,
  userId: string,
): Promise<Role | undefined> {
  const [row] = await tx.$queryRaw<{ role: Role }[]>`
    SELECT role::text FROM member
    WHERE organization_id = ${organizationId}::uuid AND user_id = ${userId}::uuid FOR SHARE`;
  return row?.role;
}

export const findMember = (
  db: Queryable,
  organizationId: string,
  userId: string,
): Promise<MemberRow | null> =>
  db.member.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
    select: member,
  });

export async function recordSignIn(db: Queryable, id: string, lastSignInAt: Date): Promise<void> {
  await db.user.updateMany({ where: { id }, data: { lastSignInAt } });
}

/** Oldest first. */
export const listMembers = (db: Queryable, organizationId: string): Promise<MemberRow[]> =>
  db.member.findMany({
    where: { organizationId },
    select: member,
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
    take: listLimit,
  });

export const findPerson = (db: Queryable, id: string): Promise<Person | null> =>
  db.user.findUnique({ where: { id }, select: person });

export const findPersonByEmail = (db: Queryable, email: string): Promise<Person | null> =>
  db.user.findUnique({ where: { email }, select: person });

export const listMemberships = (db: Queryable, userId: string): Promise<Membership[]> =>
  db.member.findMany({
    where: { userId },
    select: {
      organizationId: true,
      role: true,
      organization: {
        select: {
          name: true,
          settings: { select: { secondFactorRoles: true } },
          profile: { select: { timeZone: true } },
        },
      },
    },
    orderBy: [{ createdAt: 'asc' }, { organizationId: 'asc' }],
    take: listLimit,
  });

export interface NewPerson {
  id: string;
  accountId: string;
  name: string;
  email: string;
  passwordHash: string;
  mustChangePassword: boolean;
  createdAt: Date;
}

/** Stored as better-auth would store a sign-up with a password. */
export async function insertPerson(tx: Queryable, { id, accountId, passwordHash, ...user }: NewPerson) {
  const times = { createdAt: user.createdAt, updatedAt: user.createdAt };
  await tx.user.create({ data: { id, ...user, ...times, emailVerified: true }, select: { id: true } });
  await tx.account.create({
    data: {
      id: accountId,
      accountId: id,
      providerId: 'credential',
      userId: id,
      password: passwordHash,
      ...times,
    },
    select: { id: true },
  });
}

export async function insertMember(
  tx: Queryable,
  row: { organizationId: string; userId: string; role: Role; createdAt: Date },
): Promise<void> {
  await tx.member.create({ data: row, select: { userId: true } });
}

/** Locks the organization's owners until the transaction ends, and returns them. */
export async function lockOwners(tx: Queryable, organizationId: string): Promise<string[]> {
  const owners = await tx.$queryRaw<{ userId: string }[]>`
    SELECT user_id AS "userId" FROM member
    WHERE organization_id = ${organizationId}::uuid AND role = 'owner' ORDER BY user_id FOR UPDATE`;
  return owners.map(({ userId }) => userId);
}

/** False when the member no longer exists. */
export async function changeRole(
  tx: Queryable,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<boolean> {
  const { count } = await tx.member.updateMany({ where: { organizationId, userId }, data: { role } });
  return count === 1;
}

export async function deleteMember(tx: Queryable, organizationId: string, userId: string): Promise<void> {
  await tx.member.deleteMany({ where: { organizationId, userId } });
}
