import type { AuditAction, Nobody } from '../rules/audit-actions.ts';
import { type Queryable, recordset } from '../../../database/database.ts';

export interface NewAuditEntry {
  id: string;
  organizationId: string;
  /** Set for a person or a key; otherwise `actor` says who it was. */
  userId: string | null;
  apiKeyId: string | null;
  actor: Nobody;
  action: AuditAction;
  subject: string | null;
  details: object;
  createdAt: Date;
}

/** Stores the person's current e-mail address and the key's name. Existing entries stay unchanged. */
export async function insertAuditEntries(tx: Queryable, entries: readonly NewAuditEntry[]): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO audit_entry (id, organization_id, actor, user_id, api_key_id, action, subject, details, created_at)
    SELECT e.id, e."organizationId",
      coalesce((SELECT email FROM "user" WHERE id = e."userId"),
        (SELECT name || ' (' || prefix || '…' || last_four || ')' FROM api_key WHERE id = e."apiKeyId"), e.actor),
      e."userId", e."apiKeyId", e.action, e.subject, e.details, e."createdAt"
    FROM json_to_recordset(${recordset(entries)}::json) AS e(id uuid, "organizationId" uuid, actor text,
      "userId" uuid, "apiKeyId" uuid, action text, subject text, details jsonb, "createdAt" timestamptz)
    ON CONFLICT (id) DO NOTHING`;
}
