import type { AuditAction } from '../audit/rules/audit-actions.ts';
import { newId } from '../base/ids.ts';
import type { NewAuditEntry } from '../audit/store/audit-entries.ts';
import type { Queryable } from '../../database/database.ts';
import { listMemberships } from './store/members.ts';

/** Audit entries about an account, one for each of the person's organizations. */
export async function accountEntries(
  tx: Queryable,
  subject: string,
  action: AuditAction,
  /** Null when nobody has proved to be the person. */
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
