import { z } from 'zod';
import { invitationMessage, recoveryMessage } from './rules/link-words.ts';
import type { Mailer, MailMessage } from './rules/mailer.ts';
import { type KeyRing, open, seal } from '../encryption/rules/envelope.ts';
import { nextAttemptAt } from '../base/pacing/retry-schedule.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { findAlertPreference } from '../health/store/alert-emails.ts';
import {
  claimLinkEmails,
  type ClaimedLinkEmail,
  deleteLinkEmail,
  insertLinkEmail,
  postponeLinkEmail,
} from './store/link-emails.ts';
import { findOrganization } from './store/organizations.ts';

interface InvitationToSend {
  id: string;
  organizationId: string;
  email: string;
  /** Null for the operator. */
  inviter: { id: string; email: string } | null;
  url: string;
  createdAt: Date;
  expiresAt: Date;
}

interface PasswordLinkToSend {
  id: string;
  email: string;
  url: string;
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Sends links by e-mail. Whoever holds a link becomes a member, and the database has only hashes of the tokens, so messages are
 * sealed and deleted once they are sent.
 */
export interface LinkMail {
  /** Whether there is a mail server. */
  sendsEmail: boolean;
  /** To be called in the transaction of the invitation. False without a mail server. */
  addInvitation(tx: Queryable, invitation: InvitationToSend): Promise<boolean>;
  /** To be called in the transaction of the password link, and only with a mail server. */
  addPasswordLink(tx: Queryable, link: PasswordLinkToSend): Promise<void>;
  /** Sends at most `limit` due e-mails, one after another; returns how many it tried. */
  sendDue(limit: number): Promise<number>;
}

interface Dependencies {
  db: Database;
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  keyRing: KeyRing;
  now: () => Date;
  logger: Logger;
}

/** Longer than everything that one claim sends, so that nobody else sends it meanwhile. */
const leasePerEmailMs = 35_000;

const messageSchema = z.object({ to: z.string(), subject: z.string(), text: z.string() });

export function createLinkMail({ db, mailer, keyRing, now, logger }: Dependencies): LinkMail {
  async function add(tx: Queryable, id: string, message: MailMessage, dueAt: Date): Promise<void> {
    const sealedMessage = seal(keyRing, JSON.stringify(message), id);
    await insertLinkEmail(tx, { id, sealedMessage, nextAttemptAt: dueAt });
  }

  /** Returns why it was not sent, if it has to be tried again. */
  async function send(mail: Mailer, { id, sealedMessage }: ClaimedLinkEmail): Promise<string | undefined> {
    let text: string;
    try {
      text = open(keyRing, sealedMessage, id);
    } catch {
      return 'no key opens it';
    }
    return mail.send(messageSchema.parse(JSON.parse(text)));
  }

  async function deliver(mail: Mailer, claimed: ClaimedLinkEmail): Promise<void> {
    const error = claimed.isValid ? await send(mail, claimed) : undefined;
    const again =
      error === undefined
        ? undefined
        : nextAttemptAt(claimed.attemptCount + 1, now(), { random: Math.random() });
    if (error !== undefined) logger.warn({ linkId: claimed.id, error, again }, 'e-mail was not sent');
    if (again) await postponeLinkEmail(db, claimed, again);
    else await deleteLinkEmail(db, claimed);
  }

  return {
    sendsEmail: mailer !== undefined,

    addPasswordLink: (tx, { id, email, url, createdAt, expiresAt }) =>
      add(tx, id, { to: email, ...recoveryMessage(url, expiresAt) }, createdAt),

    async addInvitation(tx, { id, organizationId, email, inviter, url, createdAt, expiresAt }) {
      if (!mailer) return false;
      const organization = await findOrganization(tx, organizationId);
      const preference = inviter && (await findAlertPreference(tx, organizationId, inviter.id));
      const { subject, text } = invitationMessage(
        { organizationName: organization?.name ?? '', invitedBy: inviter?.email ?? null, url, expiresAt },
        preference?.language,
      );
      await add(tx, id, { to: email, subject, text }, createdAt);
      return true;
    },

    async sendDue(limit) {
      if (!mailer) return 0;
      const leasedUntil = new Date(now().getTime() + limit * leasePerEmailMs);
      const claimed = await claimLinkEmails(db, { now: now(), leasedUntil, limit });
      for (const each of claimed) await deliver(mailer, each);
      return claimed.length;
    },
  };
}
