import type { RecordAudit } from '../audit/audit.ts';
import type { PersonCaller } from '../base/caller.ts';
import type { Role } from '../base/roles.ts';
import type { Queryable } from '../../database/database.ts';
import { revokeInvitations } from './store/invitations.ts';
import { insertMember } from './store/members.ts';

interface Joining {
  organizationId: string;
  person: { id: string; email: string };
  role: Role;
  at: Date;
  /** What the audit log tells besides. */
  details: { invitation?: string; byProvider?: true };
}

/** Whoever calls this holds `lockInvitations`, and knows that the person is no member. */
export async function joinOrganization(
  tx: Queryable,
  record: RecordAudit,
  { organizationId, person: { id, email }, role, at, details }: Joining,
): Promise<void> {
  await insertMember(tx, { organizationId, userId: id, role, createdAt: at });
  await revokeInvitations(tx, organizationId, { email }, at);
  const caller: PersonCaller = {
    kind: 'person',
    userId: id,
    sessionId: '',
    organizationId,
    mode: 'live',
    mustChangePassword: false,
    role,
  };
  await record(tx, caller, 'member.join', id, { email, role, ...details });
}
