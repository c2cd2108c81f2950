import { randomBytes } from 'node:crypto';
import type { CallerChanges } from '../domain/caller-changes.ts';
import { notFound } from '../domain/errors.ts';
import type { Database } from '../persistence/database.ts';
import { findPersonByEmail, listMemberships } from '../persistence/members.ts';
import { replacePassword } from '../persistence/passwords.ts';
import type { RecordAudit } from './audit.ts';
import { operatorFor, personHolder } from './caller.ts';

export interface NewPasswordView {
  id: string;
  email: string;
  /** Shown this once. */
  temporaryPassword: string;
}

export interface PasswordService {
  /**
   * A first password for a person who has lost theirs, whose sessions end. For whoever runs the service: a person is
   * in several organizations, so that no owner of one may do it.
   */
  reset(email: string): Promise<NewPasswordView>;
}

interface Dependencies {
  db: Database;
  now: () => Date;
  audit: { record: RecordAudit };
  changes: Pick<CallerChanges, 'publish'>;
}

/** A password that a person is given, to be changed at the first sign-in. */
export async function makeFirstPassword(): Promise<{ password: string; passwordHash: string }> {
  const password = randomBytes(15).toString('base64url');
  const { hashPassword } = await import('./sign-in-library.ts');
  return { password, passwordHash: await hashPassword(password) };
}

export function createPasswordService({ db, now, audit, changes }: Dependencies): PasswordService {
  return {
    async reset(untrimmed) {
      const email = untrimmed.trim().toLowerCase();
      const { password, passwordHash } = await makeFirstPassword();
      const { id } = await db.$transaction(async (tx) => {
        const person = await findPersonByEmail(tx, email);
        if (!person) throw notFound('User', email);
        await replacePassword(tx, person.id, passwordHash, now());
        for (const { organizationId } of await listMemberships(tx, person.id)) {
          await audit.record(tx, operatorFor(organizationId), 'user.reset_password', person.id, { email });
        }
        return person;
      });
      await changes.publish(personHolder(id));
      return { id, email, temporaryPassword: password };
    },
  };
}
