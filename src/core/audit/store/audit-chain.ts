import type { AuditHead, ChainedEntry } from '../rules/audit-chain.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { type Queryable, recordset } from '../../../database/database.ts';

/** Unique among the service's advisory locks. */
const chainLock = 1_886_287_990;

const columns = Prisma.sql`id, organization_id AS "organizationId", actor, user_id AS "userId",
  api_key_id AS "apiKeyId", action, subject, details, created_at AS "createdAt"`;

export async function hasUnchained(db: Queryable): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`SELECT 1 FROM audit_entry WHERE sequence IS NULL LIMIT 1`;
  return rows.length > 0;
}

/** Returns false when another node holds the lock. Held until the transaction ends. */
export async function lockChains(tx: Queryable): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ isLocked: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(${chainLock}) AS "isLocked"`;
  return row?.isLocked ?? false;
}

/** Lists the oldest ones across all organizations. */
export const listUnchained = (tx: Queryable, limit: number): Promise<ChainedEntry[]> =>
  tx.$queryRaw<ChainedEntry[]>`
    SELECT ${columns} FROM audit_entry WHERE sequence IS NULL ORDER BY id LIMIT ${limit}`;

export async function findHeads(
  db: Queryable,
  organizationIds: readonly string[],
): Promise<Map<string, AuditHead>> {
  const rows = await db.auditHead.findMany({ where: { organizationId: { in: [...organizationIds] } } });
  return new Map(rows.map(({ organizationId, ...head }) => [organizationId, head]));
}

/** Organizations with chained entries, or with entries still to be chained. */
export async function listChains(db: Queryable): Promise<string[]> {
  const rows = await db.$queryRaw<{ organizationId: string }[]>`
    SELECT organization_id AS "organizationId" FROM audit_head
    UNION SELECT organization_id FROM audit_entry WHERE sequence IS NULL ORDER BY 1`;
  return rows.map(({ organizationId }) => organizationId);
}

export async function storeLinks(
  tx: Queryable,
  links: readonly (AuditHead & { id: string })[],
  heads: readonly (AuditHead & { organizationId: string })[],
): Promise<void> {
  await tx.$executeRaw`
    UPDATE audit_entry a SET sequence = l.sequence, hash = l.hash
    FROM json_to_recordset(${recordset(links)}::json) AS l(id uuid, sequence bigint, hash text)
    WHERE a.id = l.id`;
  await tx.$executeRaw`
    INSERT INTO audit_head (organization_id, sequence, hash)
    SELECT h."organizationId", h.sequence, h.hash
    FROM json_to_recordset(${recordset(heads)}::json) AS h("organizationId" uuid, sequence bigint, hash text)
    ON CONFLICT (organization_id) DO UPDATE SET sequence = EXCLUDED.sequence, hash = EXCLUDED.hash`;
}

/** Lists what follows a position, in the order of the chain. */
export const listChained = (
  db: Queryable,
  organizationId: string,
  after: bigint,
  limit: number,
): Promise<(ChainedEntry & AuditHead)[]> =>
  db.$queryRaw<(ChainedEntry & AuditHead)[]>`
    SELECT ${columns}, sequence, hash FROM audit_entry
    WHERE organization_id = ${organizationId}::uuid AND sequence > ${after} ORDER BY sequence LIMIT ${limit}`;

export async function countUnchained(
  db: Queryable,
  organizationId: string,
): Promise<{ count: number; oldestAt: Date | null }> {
  const [row] = await db.$queryRaw<{ count: number; oldestAt: Date | null }[]>`
    SELECT count(*)::int AS count, min(created_at) AS "oldestAt" FROM audit_entry
    WHERE organization_id = ${organizationId}::uuid AND sequence IS NULL`;
  return row ?? { count: 0, oldestAt: null };
}
