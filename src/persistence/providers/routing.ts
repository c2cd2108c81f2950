import type { RoutableCredential } from '../../domain/providers/routing.ts';
import type { Queryable } from '../database.ts';

/** Without what its provider accepts. */
export type StoredCredential = Omit<RoutableCredential, 'amountLimits'>;

const credentialFields = { id: true, provider: true, enabled: true, needsPayer: true } as const;

/** Default credential per organization, in order. One statement for all. */
export async function findDefaultCredentials(
  db: Queryable,
  organizationIds: readonly string[],
): Promise<(StoredCredential | null)[]> {
  const rows = await db.$queryRaw<({ organizationId: string } & StoredCredential)[]>`
    SELECT o.id AS "organizationId", c.id, c.provider, c.enabled, c.needs_payer AS "needsPayer"
    FROM organization o JOIN credential c ON c.id = o.default_credential_id
    WHERE o.id = ANY(${[...new Set(organizationIds)]}::uuid[])`;
  const byOrganization = new Map(
    rows.map(({ organizationId, ...credential }) => [organizationId, credential]),
  );
  return organizationIds.map((id) => byOrganization.get(id) ?? null);
}

export async function findCredential(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<StoredCredential | null> {
  const row = await db.credential.findUnique({ where: { id, organizationId }, select: credentialFields });
  return row as StoredCredential | null;
}

export async function findCredentials(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<StoredCredential[]> {
  const where = { organizationId, id: { in: [...ids] } };
  const rows = await db.credential.findMany({ where, select: credentialFields });
  return rows as StoredCredential[];
}
