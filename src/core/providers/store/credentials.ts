import type { Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { Fees } from '../rules/fees/fees.ts';
import type { CredentialTraffic } from './credential-traffic.ts';

export interface CredentialRow {
  id: string;
  organizationId: string;
  provider: string;
  name: string;
  enabled: boolean;
  sealedSettings: string;
  /** When its client certificate expires; null without one, and until a node has read it. */
  certificateExpiresAt: Date | null;
  archivedAt: Date | null;
  /** Set once nobody sees it any more. */
  deletedAt: Date | null;
  createdAt: Date;
  /** The credential that takes its turn first, and since when; null without one. */
  divertedToId: string | null;
  divertedAt: Date | null;
  /** What a received Pix costs; null where nobody has said. */
  fees: Fees | null;
}

export interface ListedCredential extends CredentialRow {
  isDefault: boolean;
  /** Its place among the fallbacks of the default, from 1; null for all others. */
  fallbackPosition: number | null;
  pausedUntil: Date | null;
}

const omit = { notificationTokenSha256: true, needsPayer: true, certificateCheckedAt: true } as const;

const columns = Prisma.sql`c.id, c.organization_id AS "organizationId", c.provider, c.name, c.enabled,
  c.sealed_settings AS "sealedSettings", c.certificate_expires_at AS "certificateExpiresAt",
  c.archived_at AS "archivedAt", c.deleted_at AS "deletedAt", c.created_at AS "createdAt",
  c.diverted_to_id AS "divertedToId", c.diverted_at AS "divertedAt", c.fees`;

const withFees = <Row extends object>(
  row: Row & { fees: Prisma.JsonValue },
): Row & { fees: Fees | null } => ({
  ...row,
  fees: row.fees as Fees | null,
});

export async function insertCredential(
  db: Queryable,
  credential: CredentialRow & { needsPayer: string[]; notificationTokenSha256: string },
): Promise<void> {
  await db.credential.create({ data: { ...credential, fees: credential.fees ?? Prisma.DbNull } });
}

export async function findCredentialRow(db: Queryable, id: string): Promise<CredentialRow | null> {
  const row = await db.credential.findUnique({ where: { id }, omit });
  return row && withFees(row);
}

/** Returns them in the order of the ids. Takes one statement for all. */
export async function findCredentialRows(
  db: Queryable,
  ids: readonly string[],
): Promise<((CredentialRow & CredentialTraffic) | null)[]> {
  const rows = await db.$queryRaw<(CredentialRow & CredentialTraffic)[]>`
    SELECT ${columns}, paused_until AS "pausedUntil", notified_at AS "notifiedAt", t.missed_at AS "missedAt",
      covered_until AS "sweptAt", s.missed_at AS "sweepMissedAt", next_check_at AS "nextSweepAt"
    FROM credential c
    LEFT JOIN credential_traffic t ON t.credential_id = c.id
    LEFT JOIN psp_sweep s ON s.credential_id = c.id
    WHERE c.id = ANY(${[...new Set(ids)]}::uuid[])`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** Waits for a change in progress, and makes others wait until this transaction ends. */
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
  const row = await tx.credential.findFirst({ where: { defaultOf: { id: organizationId } }, omit });
  return row && withFees(row);
}

/** Identifies the address that a PSP notifies. */
export interface NotificationToken {
  provider: string;
  notificationTokenSha256: string;
}

/** Returns them in the order of the tokens. Takes one statement for all. */
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

/** Oldest first, including archived ones. */
export const listCredentialRows = (db: Queryable, organizationId: string): Promise<ListedCredential[]> =>
  db.$queryRaw<ListedCredential[]>`
    SELECT ${columns}, c.id IS NOT DISTINCT FROM o.default_credential_id AS "isDefault",
      array_position(o.default_fallback_credential_ids, c.id) AS "fallbackPosition", paused_until AS "pausedUntil"
    FROM credential c
    JOIN organization o ON o.id = c.organization_id
    LEFT JOIN credential_traffic ON credential_id = c.id
    WHERE c.organization_id = ${organizationId}::uuid AND c.deleted_at IS NULL ORDER BY c.id`;

export type CredentialChanges = Partial<
  Pick<
    CredentialRow,
    | 'name'
    | 'enabled'
    | 'sealedSettings'
    | 'certificateExpiresAt'
    | 'archivedAt'
    | 'deletedAt'
    | 'divertedToId'
    | 'divertedAt'
    | 'fees'
  > & {
    needsPayer: string[];
  }
>;

export async function changeCredential(
  db: Queryable,
  id: string,
  { fees, ...changes }: CredentialChanges,
): Promise<void> {
  const data = { ...changes, ...(fees !== undefined && { fees: fees ?? Prisma.DbNull }) };
  await db.credential.update({ where: { id }, data, select: { id: true } });
}

export async function setDefaultCredential(db: Queryable, organizationId: string, id: string): Promise<void> {
  await db.organization.update({
    where: { id: organizationId },
    data: { defaultCredentialId: id },
    select: { id: true },
  });
}
