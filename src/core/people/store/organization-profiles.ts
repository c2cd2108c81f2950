import { defaultTimeZone } from '../../base/time/zone.ts';
import type { Queryable } from '../../../database/database.ts';

export interface ProfileRow {
  name: string;
  /** Null when the organization has not chosen. */
  brandColor: string | null;
  timeZone: string | null;
  logoId: string | null;
}

export interface LogoRow {
  contentType: string;
  bytes: Uint8Array;
}

const select = { brandColor: true, timeZone: true, logoId: true } as const;

export async function findProfile(db: Queryable, organizationId: string): Promise<ProfileRow | null> {
  const row = await db.organization.findUnique({
    where: { id: organizationId },
    select: { name: true, profile: { select } },
  });
  return row && { name: row.name, brandColor: null, timeZone: null, logoId: null, ...row.profile };
}

/** The zone in which the organization reads dates. */
export async function findTimeZone(db: Queryable, organizationId: string): Promise<string> {
  const profile = await db.organizationProfile.findUnique({
    where: { organizationId },
    select: { timeZone: true },
  });
  return profile?.timeZone ?? defaultTimeZone;
}

/** Waits for a change in progress, and makes others wait until this transaction ends. */
export async function lockProfile(tx: Queryable, organizationId: string): Promise<ProfileRow | null> {
  await tx.organizationProfile.createMany({ data: [{ organizationId }], skipDuplicates: true });
  await tx.$queryRaw`SELECT 1 FROM organization_profile
    WHERE organization_id = ${organizationId}::uuid FOR NO KEY UPDATE`;
  return findProfile(tx, organizationId);
}

export async function changeProfile(
  tx: Queryable,
  organizationId: string,
  changes: Partial<Pick<ProfileRow, 'brandColor' | 'timeZone'>>,
): Promise<void> {
  await tx.organizationProfile.update({ where: { organizationId }, data: changes, select });
}

/** Null removes the logo. */
export async function replaceLogo(
  tx: Queryable,
  organizationId: string,
  logo: ({ id: string } & LogoRow) | null,
): Promise<void> {
  const data = {
    logoId: logo?.id ?? null,
    logoType: logo?.contentType ?? null,
    logo: logo ? new Uint8Array(logo.bytes) : null,
  };
  await tx.organizationProfile.update({ where: { organizationId }, data, select });
}

/** Returns them in the order of the ids. Takes one statement for all. */
export async function findLogos(db: Queryable, ids: readonly string[]): Promise<(LogoRow | null)[]> {
  const rows = await db.organizationProfile.findMany({
    where: { logoId: { in: [...new Set(ids)] } },
    select: { logoId: true, logoType: true, logo: true },
  });
  const byId = new Map(rows.map((row) => [row.logoId, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return row?.logo && row.logoType ? { contentType: row.logoType, bytes: row.logo } : null;
  });
}
