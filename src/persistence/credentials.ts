import type { Queryable } from './database.ts';

export interface CredentialRow {
  id: string;
  organizationId: string;
  provider: string;
  name: string;
  enabled: boolean;
  sealedSettings: string;
  createdAt: Date;
}

export interface ListedCredential extends CredentialRow {
  isDefault: boolean;
}

const omit = { notificationTokenSha256: true, needsPayer: true } as const;

export async function insertCredential(
  db: Queryable,
  credential: CredentialRow & { needsPayer: string[]; notificationTokenSha256: string },
): Promise<void> {
  await db.credential.create({ data: credential });
}

export const findCredentialRow = (db: Queryable, id: string): Promise<CredentialRow | null> =>
  db.credential.findUnique({ where: { id }, omit });

/** In the order of the ids. One statement for all. */
export async function findCredentialRows(
  db: Queryable,
  ids: readonly string[],
): Promise<(CredentialRow | null)[]> {
  const rows = await db.$queryRaw<CredentialRow[]>`
    SELECT id, organization_id AS "organizationId", provider, name, enabled, sealed_settings AS "sealedSettings",
      created_at AS "createdAt"
    FROM credential WHERE id = ANY(${[...new Set(ids)]}::uuid[])`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** As it is once whoever is changing it is done; others wait until this transaction ends. */
export async function lockCredentialRow(tx: Queryable, id: string): Promise<CredentialRow> {
  await tx.$queryRaw`SELECT 1 FROM credential WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return tx.credential.findUniqueOrThrow({ where: { id }, omit });
}

export const findCredentialByToken = (
  db: Queryable,
  provider: string,
  notificationTokenSha256: string,
): Promise<CredentialRow | null> =>
  db.credential.findUnique({ where: { notificationTokenSha256, provider }, omit });

/** In the order of creation. */
export async function listCredentialRows(db: Queryable, organizationId: string): Promise<ListedCredential[]> {
  const rows = await db.credential.findMany({
    where: { organizationId },
    omit,
    include: { defaultOf: { select: { id: true } } },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ defaultOf, ...row }) => ({ ...row, isDefault: defaultOf !== null }));
}

export type CredentialChanges = Partial<
  Pick<CredentialRow, 'name' | 'enabled' | 'sealedSettings'> & { needsPayer: string[] }
>;

export async function changeCredential(db: Queryable, id: string, changes: CredentialChanges): Promise<void> {
  await db.credential.update({ where: { id }, data: changes, select: { id: true } });
}

export async function setDefaultCredential(db: Queryable, organizationId: string, id: string): Promise<void> {
  await db.organization.update({
    where: { id: organizationId },
    data: { defaultCredentialId: id },
    select: { id: true },
  });
}

/** The next credentials of all organizations after an id. */
export const pageOfCredentialRows = (
  db: Queryable,
  afterId: string,
  limit: number,
): Promise<CredentialRow[]> =>
  db.credential.findMany({ where: { id: { gt: afterId } }, omit, orderBy: { id: 'asc' }, take: limit });

/** Changes nothing when the settings were sealed anew meanwhile. */
export async function replaceSealedSettings(
  db: Queryable,
  id: string,
  from: string,
  to: string,
): Promise<void> {
  await db.credential.updateMany({ where: { id, sealedSettings: from }, data: { sealedSettings: to } });
}
