import type { Mode } from '../../base/mode.ts';
import type { Queryable } from '../../../database/database.ts';

export interface ApiKeyRow {
  id: string;
  organizationId: string;
  mode: Mode;
  name: string;
  prefix: string;
  lastFour: string;
  permissions: string[];
  /** Addresses and CIDR ranges; empty means anywhere. */
  allowedIps: string[];
  /** Refund limit per day in Brasília; null means none. */
  refundLimitInCents: bigint | null;
  /** Requests a minute; null means as many as the organization allows. */
  rateLimitPerMinute: number | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

export async function insertApiKey(db: Queryable, key: ApiKeyRow & { sha256: string }): Promise<void> {
  await db.apiKey.create({ data: key });
}

export const findApiKeyBySha256 = (db: Queryable, sha256: string): Promise<ApiKeyRow | null> =>
  db.apiKey.findUnique({ where: { sha256 }, omit: { sha256: true } });

export const findApiKey = (db: Queryable, id: string): Promise<ApiKeyRow | null> =>
  db.apiKey.findUnique({ where: { id }, omit: { sha256: true } });

/** Waits for a change in progress, and makes others wait until this transaction ends. */
export async function lockApiKey(tx: Queryable, id: string): Promise<ApiKeyRow | null> {
  await tx.$queryRaw`SELECT 1 FROM api_key WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return findApiKey(tx, id);
}

export const listApiKeys = (db: Queryable, organizationId: string): Promise<ApiKeyRow[]> =>
  db.apiKey.findMany({ where: { organizationId }, orderBy: { id: 'asc' }, omit: { sha256: true } });

/** Only keys that are neither revoked nor expired. */
export const findUsableApiKeys = (
  db: Queryable,
  ids: readonly string[],
  at: Date,
): Promise<Pick<ApiKeyRow, 'id' | 'allowedIps'>[]> =>
  db.apiKey.findMany({
    where: { id: { in: [...ids] }, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: at } }] },
    select: { id: true, allowedIps: true },
  });

export const changeApiKey = (
  db: Queryable,
  id: string,
  changes: Partial<
    Pick<ApiKeyRow, 'name' | 'permissions' | 'allowedIps' | 'refundLimitInCents' | 'rateLimitPerMinute'>
  >,
): Promise<ApiKeyRow> => db.apiKey.update({ where: { id }, data: changes, omit: { sha256: true } });

/** Finds the limit of the key, or else of its organization; null where neither has one. */
export async function findRateLimit(db: Queryable, id: string): Promise<number | null> {
  const [found] = await db.$queryRaw<{ limit: number | null }[]>`
    SELECT coalesce(api_key.rate_limit_per_minute, settings.rate_limit_per_minute) AS "limit"
    FROM api_key LEFT JOIN organization_settings settings USING (organization_id)
    WHERE api_key.id = ${id}::uuid`;
  return found?.limit ?? null;
}

/** Revoking twice keeps the first instant. */
export async function revokeApiKey(db: Queryable, id: string, at: Date): Promise<void> {
  await db.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: at } });
}

/** Never extends a key's life. */
export async function expireApiKey(db: Queryable, id: string, at: Date): Promise<void> {
  await db.apiKey.updateMany({
    where: { id, OR: [{ expiresAt: null }, { expiresAt: { gt: at } }] },
    data: { expiresAt: at },
  });
}

/** Writes at most once a minute per key, however many nodes there are. */
export async function touchApiKey(db: Queryable, id: string, at: Date): Promise<void> {
  const aMinuteAgo = new Date(at.getTime() - 60_000);
  await db.apiKey.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: aMinuteAgo } }] },
    data: { lastUsedAt: at },
  });
}
