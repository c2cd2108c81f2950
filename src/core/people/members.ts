import { z } from 'zod';
import type { CallerChanges } from '../base/caller-changes.ts';
import { notFound, ServiceError } from '../base/errors.ts';
import { isUuid, newId } from '../base/ids.ts';
import type { Mode } from '../base/mode.ts';
import { type Role, roles } from '../base/roles.ts';
import { defaultTimeZone } from '../base/time/zone.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { lockInvitations, revokeInvitations } from './store/invitations.ts';
import { findSessionOrganization } from './store/sessions.ts';
import {
  changeRole,
  deleteMember,
  findMember,
  findPerson,
  findPersonByEmail,
  findMemberAccess,
  insertMember,
  insertPerson,
  listMembers,
  listMemberships,
  lockOwners,
  type MemberRow,
} from './store/members.ts';
import { type ApprovalGate, type GuardedChange, roleWaits } from './approvals/approval-gate.ts';
import type { RecordAudit } from '../audit/audit.ts';
import {
  assertMay,
  type Caller,
  may,
  noOrganizationId,
  type OperatorCaller,
  type PersonCaller,
  personHolder,
} from '../base/caller.ts';
import { parse, parseName } from '../base/parsing/parse.ts';
import { createInitialPassword } from './passwords.ts';
import type { SignedIn } from './sign-in/sign-in.ts';

interface MemberView {
  userId: string;
  name: string;
  email: string;
  role: Role;
  createdAt: Date;
  /** Null for callers who may not manage members. */
  twoFactorEnabled: boolean | null;
  /** False of those whom the identity provider alone signs in. Null as above. */
  hasPassword: boolean | null;
  /** Null before the first, and for callers who may not manage members. */
  lastSignInAt: Date | null;
}

interface NewMemberView {
  member: MemberView;
  /** Shown once. */
  temporaryPassword: string;
}

interface MembershipView {
  organizationId: string;
  organizationName: string;
  /** IANA name. */
  timeZone: string;
  role: Role;
  /** All other requests are refused until they enable two-step verification. */
  needsSecondFactor: boolean;
}

interface MeView {
  id: string;
  name: string;
  email: string;
  twoFactorEnabled: boolean;
  /** Still has the initial password: all other requests are refused until they change it. */
  mustChangePassword: boolean;
  memberships: MembershipView[];
}

interface InitialPasswordOptions {
  /** Defaults to true. */
  mustChangePassword?: boolean;
}

interface RoleChange {
  userId: string;
  role: Role;
}

export interface MemberService {
  guarded: { 'member.set_role': GuardedChange<RoleChange, MemberView> };
  /** The signed-in user in one of their organizations. Without one, they may only list them. */
  callerOf(signedIn: SignedIn, organizationId: string | undefined, mode: Mode): Promise<PersonCaller>;
  me(caller: Caller): Promise<MeView>;
  list(caller: Caller): Promise<MemberView[]>;
  /**
   * `input`: `{email, name?, role}`. Lets the operator add someone without an account. Everyone else is invited and chooses a
   * password that nobody else knows.
   */
  create(operator: OperatorCaller, input: unknown, options?: InitialPasswordOptions): Promise<NewMemberView>;
  setRole(caller: Caller, userId: string, role: Role): Promise<MemberView>;
  /** Everybody may leave, whatever their role. */
  remove(caller: Caller, userId: string): Promise<void>;
}

interface Dependencies {
  db: Database;
  now: () => Date;
  audit: { record: RecordAudit };
  gate: ApprovalGate;
  changes: Pick<CallerChanges, 'publish'>;
}

export const memberSchema = z.object({
  email: z
    .string({ error: 'is required' })
    .trim()
    .max(254, 'must be at most 254 characters')
    .pipe(z.email('must be an e-mail address').toLowerCase()),
  name: z.string({ error: 'must be a string' }).optional(),
  role: z.enum(roles, { error: `must be one of ${roles.join(', ')}` }),
});

const viewOf = ({ user: { accounts, ...user }, ...member }: MemberRow): MemberView => ({
  ...user,
  ...member,
  hasPassword: accounts.length > 0,
});

export function createMemberService({ db, now, audit, gate, changes }: Dependencies): MemberService {
  async function existing(tx: Queryable, { organizationId }: Caller, userId: string): Promise<MemberView> {
    const row = isUuid(userId) ? await findMember(tx, organizationId, userId) : null;
    if (!row) throw notFound('Member', userId);
    return viewOf(row);
  }

  async function assertOwnerRemains(tx: Queryable, { organizationId }: Caller, userId: string) {
    const owners = await lockOwners(tx, organizationId);
    if (owners.length === 1 && owners.includes(userId))
      throw new ServiceError('last_owner', 'An organization needs an owner');
  }

  const setRole: GuardedChange<RoleChange, MemberView> = {
    action: 'member.set_role',

    async waits(tx, caller, { userId, role }) {
      const before = await existing(tx, caller, userId);
      return roleWaits(tx, caller, role, before.role);
    },

    async describe(tx, caller, { userId, role }) {
      const { email, role: before } = await existing(tx, caller, userId);
      return { subject: userId, before: { email, role: before }, after: { email, role } };
    },

    async apply(tx, caller, { userId, role }) {
      const before = await existing(tx, caller, userId);
      if (role !== 'owner') await assertOwnerRemains(tx, caller, before.userId);
      if (!(await changeRole(tx, caller.organizationId, before.userId, role))) {
        throw notFound('Member', userId);
      }
      const { email, role: from } = before;
      await audit.record(tx, caller, setRole.action, userId, { email, from, to: role });
      return { ...before, role };
    },

    follow: ({ userId }) => changes.publish(personHolder(userId)),
  };

  return {
    guarded: { 'member.set_role': setRole },

    async callerOf(signedIn, organizationId, mode) {
      if (organizationId === undefined) {
        return { ...signedIn, kind: 'person', organizationId: noOrganizationId, mode, role: null };
      }
      const work = isUuid(organizationId) ? await findMemberAccess(db, organizationId, signedIn) : undefined;
      if (!work)
        throw new ServiceError(
          'organization_not_allowed',
          'The organization (X-Organization-Id) must be one of yours',
        );
      return { ...signedIn, kind: 'person', organizationId: organizationId.toLowerCase(), mode, ...work };
    },

    async me(caller) {
      if (caller.kind !== 'person')
        throw new ServiceError('permission_denied', 'API keys cannot do this: it requires a signed-in user');
      const [person, all, onlyId] = await Promise.all([
        findPerson(db, caller.userId),
        listMemberships(db, caller.userId),
        findSessionOrganization(db, caller.sessionId),
      ]);
      if (!person) throw notFound('User', caller.userId);
      const memberships =
        onlyId === null ? all : all.filter(({ organizationId }) => organizationId === onlyId);
      return {
        ...person,
        memberships: memberships.map(({ organization, ...membership }) => ({
          ...membership,
          organizationName: organization.name,
          timeZone: organization.profile?.timeZone ?? defaultTimeZone,
          needsSecondFactor:
            onlyId === null &&
            !person.twoFactorEnabled &&
            !!organization.settings?.secondFactorRoles.includes(membership.role),
        })),
      };
    },

    async list(caller) {
      assertMay(caller, 'members:read');
      const members = (await listMembers(db, caller.organizationId)).map(viewOf);
      if (may(caller, 'members:manage')) return members;
      return members.map((member) => ({
        ...member,
        twoFactorEnabled: null,
        hasPassword: null,
        lastSignInAt: null,
      }));
    },

    async create(operator, input, { mustChangePassword = true } = {}) {
      const { email, name, role } = parse(memberSchema, input);
      const { organizationId } = operator;
      const createdAt = now();
      const userId = newId(createdAt);
      const { password: temporaryPassword, passwordHash } = await createInitialPassword();
      return db.$transaction(async (tx) => {
        await lockInvitations(tx, organizationId);
        if (await findPersonByEmail(tx, email)) {
          throw new ServiceError(
            'account_elsewhere',
            `${email} already has an account: invite them (pix user invite)`,
          );
        }
        const person = { id: userId, accountId: newId(createdAt), name: parseName(name ?? email), email };
        await insertPerson(tx, { ...person, passwordHash, mustChangePassword, createdAt });
        await insertMember(tx, { organizationId, userId, role, createdAt });
        await revokeInvitations(tx, organizationId, { email }, createdAt);
        await audit.record(tx, operator, 'member.create', userId, { email, role });
        return { member: await existing(tx, operator, userId), temporaryPassword };
      });
    },

    async setRole(caller, userId, role) {
      assertMay(caller, 'members:manage');
      return gate.pass(caller, setRole, { userId, role });
    },

    async remove(caller, userId) {
      const isLeaving = caller.kind === 'person' && caller.userId === userId.toLowerCase();
      assertMay(caller, isLeaving ? 'members:read' : 'members:manage');
      await db.$transaction(async (tx) => {
        const before = await existing(tx, caller, userId);
        await assertOwnerRemains(tx, caller, before.userId);
        await deleteMember(tx, caller.organizationId, before.userId);
        // Earlier releases let several invitations of an address be pending.
        await revokeInvitations(tx, caller.organizationId, { email: before.email }, now());
        await audit.record(tx, caller, 'member.remove', before.userId, {
          email: before.email,
          role: before.role,
        });
      });
      await changes.publish(personHolder(userId.toLowerCase()));
    },
  };
}
