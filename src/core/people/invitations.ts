import { z } from 'zod';
import { notFound, ServiceError } from '../base/errors.ts';
import { isUuid, newId } from '../base/ids.ts';
import type { Database } from '../../database/database.ts';
import {
  findInvitation,
  insertInvitation,
  type InvitationRow,
  listPendingInvitations,
  lockInvitations,
  revokeInvitations,
} from './store/invitations.ts';
import { findPerson, findPersonByEmail, findRole } from './store/members.ts';
import { type ApprovalGate, type GuardedChange, roleWaits } from './approvals/approval-gate.ts';
import { actorOf, type RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { parse, parseName } from '../base/parsing/parse.ts';
import type { LinkMail } from './link-mail.ts';
import { makeLinkToken } from './link-token.ts';
import { memberSchema } from './members.ts';

type InvitationView = InvitationRow;

interface NewInvitationView {
  invitation: InvitationView;
  /** For the operator, the link itself, to be passed on; shown once. For others, the page that it leads to. */
  url: string;
  /** Whether the service sends it to the invitee itself. */
  isEmailed: boolean;
}

/**
 * People become members through a link that only they get, by e-mail. The link proves that they own the mailbox, so that nobody
 * can take an address before its owner does. Without a mail server, the operator passes the link on.
 */
export interface InvitationService {
  guarded: { 'member.invite': GuardedChange<NewInvitee, NewInvitationView> };
  /**
   * `input`: `{email, name?, role, replaces?}`. Replaces an earlier invitation of the same address; `replaces` names it where it has
   * to be pending still.
   */
  invite(caller: Caller, input: unknown): Promise<NewInvitationView>;
  /** Pending ones, newest first. */
  list(caller: Caller): Promise<InvitationView[]>;
  revoke(caller: Caller, id: string): Promise<void>;
}

interface Dependencies {
  db: Database;
  now: () => Date;
  audit: { record: RecordAudit };
  gate: ApprovalGate;
  linkMail: Pick<LinkMail, 'sendsEmail' | 'addInvitation'>;
  publicUrl: string;
}

const invitationSchema = memberSchema.extend({ replaces: z.string().optional() });

type NewInvitee = z.output<typeof invitationSchema>;

const lastsMs = 7 * 24 * 3_600_000;

const nameOf = (name: string | undefined): string | null =>
  name === undefined || name.trim() === '' ? null : parseName(name);

export function createInvitationService({
  db,
  now,
  audit,
  gate,
  linkMail,
  publicUrl,
}: Dependencies): InvitationService {
  const invite: GuardedChange<NewInvitee, NewInvitationView> = {
    action: 'member.invite',
    waits: (tx, caller, { role }) => roleWaits(tx, caller, role, null),

    describe: (_tx, _caller, { email, name, role }) =>
      Promise.resolve({
        subject: null,
        before: null,
        after: { email, name: nameOf(name) ?? undefined, role },
      }),

    async apply(tx, caller, { email, name, role, replaces }) {
      const { organizationId } = caller;
      const isOperator = caller.kind === 'operator';
      if (!isOperator && !linkMail.sendsEmail) {
        throw new ServiceError(
          'email_not_configured',
          'The service sends no e-mail, so its operator has to invite (pix user invite)',
        );
      }
      const createdAt = now();
      const { token, tokenSha256 } = makeLinkToken();
      const { userId: invitedById } = actorOf(caller);
      const invitation = {
        id: newId(createdAt),
        email,
        name: nameOf(name),
        role,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + lastsMs),
      };
      await lockInvitations(tx, organizationId);
      const known = await findPersonByEmail(tx, email);
      if (known && (await findRole(tx, organizationId, known.id))) {
        throw new ServiceError('already_member', `${email} is already a member`);
      }
      if (replaces !== undefined) {
        // Somebody may have revoked it since the caller saw it.
        const which = { id: replaces, email };
        const count = isUuid(replaces) ? await revokeInvitations(tx, organizationId, which, createdAt) : 0;
        if (count === 0) throw notFound('Invitation', replaces);
      }
      await revokeInvitations(tx, organizationId, { email }, createdAt);
      await insertInvitation(tx, { ...invitation, organizationId, tokenSha256, invitedById });
      await audit.record(tx, caller, invite.action, invitation.id, { email, role });
      const inviter = invitedById === null ? null : await findPerson(tx, invitedById);
      const page = `${publicUrl}/dashboard/invitation/`;
      const url = `${page}#${token}`;
      const isEmailed = await linkMail.addInvitation(tx, {
        ...invitation,
        organizationId,
        url,
        inviter: inviter && { id: inviter.id, email: inviter.email },
      });
      return {
        invitation: { ...invitation, invitedBy: inviter?.email ?? null },
        url: isOperator ? url : page,
        isEmailed,
      };
    },

    // Without a mail server, only the operator approves.
    secretOf: ({ url, isEmailed }) => (isEmailed ? null : url),
  };

  return {
    guarded: { 'member.invite': invite },

    async invite(caller, input) {
      assertMay(caller, 'members:manage');
      return gate.pass(caller, invite, parse(invitationSchema, input));
    },

    async list(caller) {
      assertMay(caller, 'members:manage');
      return listPendingInvitations(db, caller.organizationId, now());
    },

    async revoke(caller, id) {
      assertMay(caller, 'members:manage');
      const { organizationId } = caller;
      await db.$transaction(async (tx) => {
        const invitation = isUuid(id) ? await findInvitation(tx, organizationId, id) : null;
        if (!invitation || (await revokeInvitations(tx, organizationId, { id }, now())) === 0) {
          throw notFound('Invitation', id);
        }
        await audit.record(tx, caller, 'member.revoke_invitation', id, invitation);
      });
    },
  };
}
