import type { AuditAction } from '../../domain/audit/audit-actions.ts';
import { newId } from '../../domain/ids.ts';
import type { NewAuditEntry } from '../../persistence/audit/audit-entries.ts';
import type { Queryable } from '../../persistence/database.ts';
import { listMemberships } from '../../persistence/people/members.ts';

/** What happened to an account, for the audit log of each of the person's organizations. */
export async function accountEntries(
  tx: Queryable,
  subject: string,
  action: AuditAction,
  /** Null: whoever it was did not prove to be the person. */
  userId: string | null,
  createdAt: Date,
): Promise<NewAuditEntry[]> {
  return (await listMemberships(tx, subject)).map(({ organizationId }) => ({
    id: newId(createdAt),
    organizationId,
    userId,
    apiKeyId: null,
    actor: 'unknown',
    action,
    subject,
    details: { byLink: true },
    createdAt,
  }));
}
