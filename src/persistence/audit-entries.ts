import { Prisma } from './generated/client.ts';
import type { Queryable } from './database.ts';

export interface AuditEntryRow {
  id: string;
  actor: string;
  action: string;
  subject: string | null;
  details: unknown;
  createdAt: Date;
}

export interface NewAuditEntry {
  id: string;
  organizationId: string;
  /** Null for the operator. */
  userId: string | null;
  action: string;
  subject: string | null;
  details: object;
  createdAt: Date;
}

/** Names the person by the e-mail address of now. */
export async function insertAuditEntry(tx: Queryable, entry: NewAuditEntry): Promise<void> {
  const { userId } = entry;
  await tx.$executeRaw`
    INSERT INTO audit_entry (id, organization_id, actor, user_id, action, subject, details, created_at)
    VALUES (${entry.id}::uuid, ${entry.organizationId}::uuid,
      coalesce((SELECT email FROM "user" WHERE id = ${userId}::uuid), 'operator'), ${userId}::uuid,
      ${entry.action}, ${entry.subject}, ${JSON.stringify(entry.details)}::jsonb, ${entry.createdAt})`;
}

/** The latest first. */
export const listAuditEntries = (
  db: Queryable,
  organizationId: string,
  { beforeId, limit }: { beforeId?: string | undefined; limit: number },
): Promise<AuditEntryRow[]> =>
  db.$queryRaw<AuditEntryRow[]>`
    SELECT id, actor, action, subject, details, created_at AS "createdAt" FROM audit_entry
    WHERE organization_id = ${organizationId}::uuid
      ${beforeId === undefined ? Prisma.empty : Prisma.sql`AND id < ${beforeId}::uuid`}
    ORDER BY id DESC LIMIT ${limit}`;
