import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { AuditAction } from '../audit/rules/audit-actions.ts';
import type { CallerChanges } from '../base/caller-changes.ts';
import { notFound, ServiceError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { findPersonByEmail, listMemberships, type Person } from './store/members.ts';
import { findPasswordLink, replacePasswordLinks, usePasswordLink } from './store/password-links.ts';
import { findPasswordHash, replacePassword, setPassword } from './store/passwords.ts';
import { removeTwoFactor } from './store/two-factors.ts';
import { insertAuditEntries } from '../audit/store/audit-entries.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { accountEntries } from './account-entries.ts';
import { operatorFor, personHolder } from '../base/caller.ts';
import { hashOfLinkToken, makeLinkToken } from './link-token.ts';
import { ownPassword } from './sign-in/own-password.ts';
import { parse } from '../base/parsing/parse.ts';

interface PasswordLinkView {
  id: string;
  email: string;
  /** Passed on to the person, who uses it to choose a password. Shown once. */
  url: string;
  expiresAt: Date;
}

/**
 * For people locked out of their account. Only the operator may do this, because a person can belong to several organizations.
 */
export interface PasswordService {
  /** Returns a link to set a new password. Until it is used no password works, and the person's sessions end. */
  reset(email: string): Promise<PasswordLinkView>;
  /** The person signs in with the password alone until they enroll a second factor again. Their sessions end. */
  resetSecondFactor(email: string): Promise<{ id: string; email: string }>;
  /** The e-mail address that the link is for. */
  read(token: unknown): Promise<{ email: string }>;
  /** `input`: `{password}`. */
  choose(token: unknown, input: unknown): Promise<{ email: string }>;
}

interface Dependencies {
  db: Database;
  now: () => Date;
  audit: { record: RecordAudit };
  changes: Pick<CallerChanges, 'publish'>;
  publicUrl: string;
}

const lastsMs = 24 * 3_600_000;

const choiceSchema = z.object({ password: ownPassword }, { error: 'must be a JSON object' });

/** An initial password, to be changed at the first sign-in. */
export async function createInitialPassword(): Promise<{ password: string; passwordHash: string }> {
  const password = randomBytes(15).toString('base64url');
  const { hashPassword } = await import('./sign-in/password-hashes.ts');
  return { password, passwordHash: await hashPassword(password) };
}

const withoutPassword = (email: string) =>
  new ServiceError('user_not_found', `${email} has no password: they sign in with the identity provider`);

const invalid = () =>
  new ServiceError(
    'password_link_not_valid',
    'This link was already used, has expired or was replaced by a newer one: ask for a new one',
  );

export function createPasswordService(dependencies: Dependencies): PasswordService {
  const { db, now, audit, changes, publicUrl } = dependencies;

  /** Recorded in the audit log of each of the person's organizations. */
  async function change(
    untrimmed: string,
    action: AuditAction,
    work: (tx: Queryable, person: Person) => Promise<void>,
  ): Promise<Person> {
    const email = untrimmed.trim().toLowerCase();
    const person = await db.$transaction(async (tx) => {
      const found = await findPersonByEmail(tx, email);
      if (!found) throw notFound('User', email);
      await work(tx, found);
      for (const { organizationId } of await listMemberships(tx, found.id)) {
        await audit.record(tx, operatorFor(organizationId), action, found.id, { email });
      }
      return found;
    });
    await changes.publish(personHolder(person.id));
    return person;
  }

  async function open(token: unknown) {
    const tokenSha256 = hashOfLinkToken(token);
    const link = tokenSha256 && (await findPasswordLink(db, tokenSha256, now()));
    if (!link) throw invalid();
    return { ...link, tokenSha256 };
  }

  return {
    async reset(email) {
      const createdAt = now();
      const expiresAt = new Date(createdAt.getTime() + lastsMs);
      const { token, tokenSha256 } = makeLinkToken();
      // A random password that nobody has seen.
      const { passwordHash } = await createInitialPassword();
      const person = await change(
        email,
        'user.reset_password',
        async (tx, { id: userId, email: address }) => {
          if ((await findPasswordHash(tx, address)) === undefined) throw withoutPassword(address);
          await replacePassword(tx, userId, passwordHash, createdAt);
          await replacePasswordLinks(tx, { id: newId(createdAt), userId, tokenSha256, createdAt, expiresAt });
        },
      );
      const url = `${publicUrl}/dashboard/new-password/#${token}`;
      return { id: person.id, email: person.email, url, expiresAt };
    },

    async resetSecondFactor(email) {
      const person = await change(email, 'user.reset_second_factor', (tx, { id }) =>
        removeTwoFactor(tx, id, now()),
      );
      return { id: person.id, email: person.email };
    },

    read: async (token) => ({ email: (await open(token)).email }),

    async choose(token, input) {
      const { userId, email, tokenSha256 } = await open(token);
      const { password } = parse(choiceSchema, input);
      const { hashPassword } = await import('./sign-in/password-hashes.ts');
      const passwordHash = await hashPassword(password);
      await db.$transaction(async (tx) => {
        if (!(await usePasswordLink(tx, tokenSha256, now()))) throw invalid();
        await setPassword(tx, userId, passwordHash, now());
        await insertAuditEntries(tx, await accountEntries(tx, userId, 'user.change_password', userId, now()));
      });
      await changes.publish(personHolder(userId));
      return { email };
    },
  };
}
