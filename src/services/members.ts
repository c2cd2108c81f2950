import { z } from 'zod';
import type { CallerChanges } from '../domain/caller-changes.ts';
import { conflict, notFound, ServiceError } from '../domain/errors.ts';
import { isUuid, newId } from '../domain/ids.ts';
import type { Mode } from '../domain/mode.ts';
import { type Role, roles } from '../domain/roles.ts';
import type { Database, Queryable } from '../persistence/database.ts';
import {
  changeRole,
  deleteMember,
  findMember,
  findPerson,
  findPersonByEmail,
  findRole,
  insertMember,
  insertPerson,
  listMembers,
  listMemberships,
  lockOwners,
  type MemberRow,
} from '../persistence/members.ts';
import type { RecordAudit } from './audit.ts';
import { assertMay, type Caller, type OperatorCaller, type PersonCaller, personHolder } from './caller.ts';
import { parse, parseName } from './parse.ts';
import { makeFirstPassword } from './passwords.ts';
import type { SignedIn } from './sign-in.ts';

export interface MemberView {
  userId: string;
  name: string;
  email: string;
  role: Role;
  createdAt: Date;
}

export interface NewMemberView {
  member: MemberView;
  /** Shown this once. */
  temporaryPassword: string;
}

interface KnownMemberView {
  member: MemberView;
  temporaryPassword: null;
}

export interface MeView {
  id: string;
  name: string;
  email: string;
  twoFactorEnabled: boolean;
  /** Theirs is a first password: everything else is refused until they have changed it. */
  mustChangePassword: boolean;
  memberships: { organizationId: string; organizationName: string; role: Role }[];
}

export interface InviteOptions {
  /** Unless it is false, nothing else works until they have changed the first password. */
  mustChangePassword?: boolean;
}

export interface MemberService {
  /** Whoever is signed in, in an organization of theirs; with none named, one who may only ask which there are. */
  callerOf(signedIn: SignedIn, organizationId: string | undefined, mode: Mode): Promise<PersonCaller>;
  me(caller: Caller): Promise<MeView>;
  list(caller: Caller): Promise<MemberView[]>;
  /** `input`: `{email, name?, role}`, of somebody whom the service does not know yet. */
  invite(caller: Caller, input: unknown, options?: InviteOptions): Promise<NewMemberView>;
  /** Makes a person who is known by the address a member with the password they have; invites everybody else. */
  add(operator: OperatorCaller, input: unknown): Promise<NewMemberView | KnownMemberView>;
  setRole(caller: Caller, userId: string, role: Role): Promise<MemberView>;
  remove(caller: Caller, userId: string): Promise<void>;
}

interface Dependencies {
  db: Database;
  now: () => Date;
  audit: { record: RecordAudit };
  changes: Pick<CallerChanges, 'publish'>;
}

const nobodysOrganization = '00000000-0000-0000-0000-000000000000';

const invitation = z.object({
  email: z
    .string({ error: 'is required' })
    .trim()
    .toLowerCase()
    .max(254, 'must be at most 254 characters')
    .pipe(z.email('must be an e-mail address')),
  name: z.string({ error: 'must be a string' }).optional(),
  role: z.enum(roles, { error: `must be one of ${roles.join(', ')}` }),
});

const viewOf = ({ user, ...member }: MemberRow): MemberView => ({ ...user, ...member });

export function createMemberService({ db, now, audit, changes }: Dependencies): MemberService {
  async function existing(tx: Queryable, { organizationId }: Caller, userId: string): Promise<MemberView> {
    const row = isUuid(userId) ? await findMember(tx, organizationId, userId) : null;
    if (!row) throw notFound('Member', userId);
    return viewOf(row);
  }

  async function assertOwnerRemains(tx: Queryable, { organizationId }: Caller, userId: string) {
    const owners = await lockOwners(tx, organizationId);
    if (owners.length === 1 && owners.includes(userId)) throw conflict('An organization needs an owner');
  }

  async function findKnown(tx: Queryable, { organizationId }: Caller, email: string) {
    const known = await findPersonByEmail(tx, email);
    if (known && (await findRole(tx, organizationId, known.id)))
      throw conflict(`${email} is a member already`);
    return known;
  }

  async function admit(tx: Queryable, caller: Caller, userId: string, email: string, role: Role) {
    await insertMember(tx, { organizationId: caller.organizationId, userId, role, createdAt: now() });
    await audit.record(tx, caller, 'member.invite', userId, { email, role });
    return existing(tx, caller, userId);
  }

  async function invite(caller: Caller, input: unknown, { mustChangePassword = true }: InviteOptions = {}) {
    assertMay(caller, 'members:manage');
    const { email, name, role } = parse(invitation, input);
    const createdAt = now();
    const userId = newId(createdAt);
    const { password: temporaryPassword, passwordHash } = await makeFirstPassword();
    return db.$transaction(async (tx) => {
      // Whoever made that account knew its first password, and nobody has shown whose the address is.
      if (await findKnown(tx, caller, email)) {
        throw conflict(`${email} has an account elsewhere: ask whoever runs the service to add it`);
      }
      const person = { id: userId, accountId: newId(createdAt), name: parseName(name ?? email), email };
      await insertPerson(tx, { ...person, passwordHash, mustChangePassword, createdAt });
      return { member: await admit(tx, caller, userId, email, role), temporaryPassword };
    });
  }

  return {
    invite,

    async callerOf(signedIn, organizationId, mode) {
      if (organizationId === undefined) {
        return { ...signedIn, kind: 'person', organizationId: nobodysOrganization, mode, role: null };
      }
      const role = isUuid(organizationId) ? await findRole(db, organizationId, signedIn.userId) : undefined;
      if (!role)
        throw new ServiceError('forbidden', 'The organization (X-Organization-Id) must be one of yours');
      return { ...signedIn, kind: 'person', organizationId: organizationId.toLowerCase(), mode, role };
    },

    async me(caller) {
      if (caller.kind !== 'person') throw new ServiceError('forbidden', 'A key is nobody');
      const [person, memberships] = await Promise.all([
        findPerson(db, caller.userId),
        listMemberships(db, caller.userId),
      ]);
      if (!person) throw notFound('User', caller.userId);
      return {
        ...person,
        memberships: memberships.map(({ organization, ...membership }) => ({
          ...membership,
          organizationName: organization.name,
        })),
      };
    },

    async list(caller) {
      assertMay(caller, 'members:read');
      return (await listMembers(db, caller.organizationId)).map(viewOf);
    },

    async add(operator, input) {
      const { email, role } = parse(invitation, input);
      const member = await db.$transaction(async (tx) => {
        const known = await findKnown(tx, operator, email);
        return known && admit(tx, operator, known.id, email, role);
      });
      return member ? { member, temporaryPassword: null } : invite(operator, input);
    },

    async setRole(caller, userId, role) {
      assertMay(caller, 'members:manage');
      const changed = await db.$transaction(async (tx) => {
        const before = await existing(tx, caller, userId);
        if (role !== 'owner') await assertOwnerRemains(tx, caller, before.userId);
        if (!(await changeRole(tx, caller.organizationId, before.userId, role))) {
          throw notFound('Member', userId);
        }
        await audit.record(tx, caller, 'member.set_role', userId, {
          email: before.email,
          from: before.role,
          to: role,
        });
        return { ...before, role };
      });
      await changes.publish(personHolder(changed.userId));
      return changed;
    },

    async remove(caller, userId) {
      assertMay(caller, 'members:manage');
      await db.$transaction(async (tx) => {
        const before = await existing(tx, caller, userId);
        await assertOwnerRemains(tx, caller, before.userId);
        await deleteMember(tx, caller.organizationId, before.userId);
        await audit.record(tx, caller, 'member.remove', userId, { email: before.email, role: before.role });
      });
      await changes.publish(personHolder(userId.toLowerCase()));
    },
  };
}
