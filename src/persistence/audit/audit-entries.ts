import { Prisma } from '../generated/client.ts';
import { type Queryable, recordset } from '../database.ts';
import { newestRange } from '../index-range.ts';

/** Entry filters. The conditions match those of the partial indexes. */
export const auditKinds = ['changes', 'sign_ins', 'views'] as const;

export type AuditKind = (typeof auditKinds)[number];

export interface AuditEntryRow {
  id: string;
  actor: string;
  userId: string | null;
  apiKeyId: string | null;
  action: string;
  subject: string | null;
  details: unknown;
  createdAt: Date;
}

export interface NewAuditEntry {
  id: string;
  organizationId: string;
  /** A person or a key, otherwise `actor`. */
  userId: string | null;
  apiKeyId: string | null;
  actor: 'operator' | 'unknown';
  action: string;
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

const ofKind: Record<AuditKind, Prisma.Sql> = {
  sign_ins: Prisma.sql`AND action IN ('session.sign_in', 'session.sign_in_failed')`,
  views: Prisma.sql`AND action IN ('payer.view', 'payment.export')`,
  changes: Prisma.sql`
    AND action NOT IN ('session.sign_in', 'session.sign_in_failed', 'payer.view', 'payment.export')`,
};

interface AuditPage {
  kind?: AuditKind | undefined;
  fromId?: string | undefined;
  beforeId?: string | undefined;
  limit: number;
}

/** Newest first. */
export const listAuditEntries = (
  db: Queryable,
  organizationId: string,
  { kind, fromId, beforeId, limit }: AuditPage,
): Promise<AuditEntryRow[]> => {
  const organization = Prisma.sql`${organizationId}::uuid`;
  const { condition, inOrder } = newestRange(['organization_id', 'id'], [organization], {
    fromId,
    beforeId,
  });
  return db.$queryRaw<AuditEntryRow[]>`
    SELECT id, actor, user_id AS "userId", api_key_id AS "apiKeyId", action, subject, details,
      created_at AS "createdAt" FROM audit_entry
    WHERE ${condition} ${kind === undefined ? Prisma.empty : ofKind[kind]}
    ORDER BY ${inOrder} LIMIT ${limit}`;
};
