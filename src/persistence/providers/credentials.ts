import type { Queryable } from '../database.ts';

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

/** Waits for a change in progress; others wait until this transaction ends. */
export async function lockCredentialRow(tx: Queryable, id: string): Promise<CredentialRow | null> {
  await tx.$queryRaw`SELECT 1 FROM credential WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return findCredentialRow(tx, id);
}

/** Keeps the default from changing until the transaction ends. */
export async function lockDefaultCredential(
  tx: Queryable,
  organizationId: string,
): Promise<CredentialRow | null> {
  await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
  return tx.credential.findFirst({ where: { defaultOf: { id: organizationId } }, omit });
}

/** Identifies the address that a PSP notifies. */
export interface NotificationToken {
  provider: string;
  notificationTokenSha256: string;
}

/** In the order of the tokens. One statement for all. */
export async function findCredentialIdsByToken(
  db: Queryable,
  tokens: readonly NotificationToken[],
): Promise<(string | undefined)[]> {
  const rows = await db.$queryRaw<(NotificationToken & { id: string })[]>`
    SELECT id, provider, notification_token_sha256 AS "notificationTokenSha256" FROM credential
    WHERE notification_token_sha256 = ANY(${tokens.map((token) => token.notificationTokenSha256)})`;
  const bySha256 = new Map(rows.map((row) => [row.notificationTokenSha256, row]));
  return tokens.map(({ provider, notificationTokenSha256 }) => {
    const row = bySha256.get(notificationTokenSha256);
    return row?.provider === provider ? row.id : undefined;
  });
}

/** Oldest first. */
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
