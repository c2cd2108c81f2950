import { z } from 'zod';
import { newId } from '../base/ids.ts';
import type { Logger } from '../../observability/logger.ts';
import { insertAuditEntries } from '../audit/store/audit-entries.ts';
import type { Database } from '../../database/database.ts';
import { findPersonByEmail } from './store/members.ts';
import { findPasswordHash } from './store/passwords.ts';
import { findLatestPasswordLink, replacePasswordLinks } from './store/password-links.ts';
import { parse } from '../base/parsing/parse.ts';
import { accountEntries } from './account-entries.ts';
import type { LinkMail } from './link-mail.ts';
import { makeLinkToken } from './link-token.ts';

/** For people who forgot their password. The old one works until they have chosen another. */
export interface PasswordRecovery {
  /** False without a mail server. */
  isOffered: boolean;
  /** `input`: `{email}`. Returns at once, so that timing does not reveal who has an account. */
  begin(input: unknown): void;
  /** Waits for the requests that have begun. */
  drain(): Promise<void>;
}

interface Dependencies {
  db: Database;
  linkMail: Pick<LinkMail, 'sendsEmail' | 'addPasswordLink'>;
  publicUrl: string;
  now: () => Date;
  logger: Logger;
}

const lastsMs = 3_600_000;
/** Time between two links, so that nobody can flood a person's mailbox. */
const pauseMs = 5 * 60_000;

const schema = z.object({ email: z.email({ error: 'must be an e-mail address' }) });

export function createPasswordRecovery(dependencies: Dependencies): PasswordRecovery {
  const { db, linkMail, publicUrl, now, logger } = dependencies;
  const atWork = new Set<Promise<void>>();

  async function send(email: string): Promise<void> {
    const createdAt = now();
    const { token, tokenSha256 } = makeLinkToken();
    await db.$transaction(async (tx) => {
      const person = await findPersonByEmail(tx, email);
      // Somebody without a password signs in with the identity provider.
      if (!person || (await findPasswordHash(tx, person.email)) === undefined) return;
      const expiresAt = new Date(createdAt.getTime() + lastsMs);
      const latest = await findLatestPasswordLink(tx, person.id);
      const isRecent = latest && createdAt.getTime() - latest.createdAt.getTime() < pauseMs;
      // Only the operator makes links that last longer, after ending the old password. Replacing one would let anybody end it
      // with a request like this.
      const outlasts = latest && latest.expiresAt > expiresAt;
      if (isRecent || outlasts) return;
      const id = newId(createdAt);
      await replacePasswordLinks(tx, { id, userId: person.id, tokenSha256, createdAt, expiresAt });
      const url = `${publicUrl}/dashboard/new-password/#${token}`;
      await linkMail.addPasswordLink(tx, { id, email: person.email, url, createdAt, expiresAt });
      await insertAuditEntries(
        tx,
        await accountEntries(tx, person.id, 'user.request_password_link', null, createdAt),
      );
    });
  }

  return {
    isOffered: linkMail.sendsEmail,

    begin(input) {
      const { email } = parse(schema, input);
      const running = send(email.trim().toLowerCase())
        .catch((error: unknown) => {
          logger.error({ error }, 'no link for a forgotten password');
        })
        .finally(() => atWork.delete(running));
      atWork.add(running);
    },

    async drain() {
      await Promise.all(atWork);
    },
  };
}
