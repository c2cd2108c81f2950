import type { Queryable } from '../../../database/database.ts';

/** Where payments are still routed to a credential. */
export interface CredentialPlaces {
  isDefault: boolean;
  isDefaultFallback: boolean;
  /** Oldest first. */
  ruleSets: { id: string; name: string }[];
  /** Credentials whose turn it takes, oldest first. */
  divertedHere: { id: string; name: string }[];
}

export async function findCredentialPlaces(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<CredentialPlaces> {
  const ruleSets = await db.$queryRaw<{ id: string; name: string }[]>`
    SELECT r.id, r.name FROM rule_set r
    WHERE r.organization_id = ${organizationId}::uuid AND (r.default_credential_id = ${id}::uuid
      OR ${id}::uuid = ANY(r.fallback_credential_ids)
      OR EXISTS (SELECT FROM jsonb_array_elements(r.time_windows || r.split) e WHERE e->>'credentialId' = ${id})
      OR EXISTS (SELECT FROM rule_set_range g WHERE g.rule_set_id = r.id AND g.credential_id = ${id}::uuid))
    ORDER BY r.id`;
  const divertedHere = await db.credential.findMany({
    where: { organizationId, divertedToId: id },
    select: { id: true, name: true },
    orderBy: { id: 'asc' },
  });
  const select = { defaultCredentialId: true, defaultFallbackCredentialIds: true };
  const defaults = await db.organization.findUnique({ where: { id: organizationId }, select });
  return {
    isDefault: defaults?.defaultCredentialId === id,
    isDefaultFallback: defaults?.defaultFallbackCredentialIds.includes(id) ?? false,
    ruleSets,
    divertedHere,
  };
}

/**
 * Whether its PSP was ever called for a charge, sent a notification, or listed received money. Takes one look into each index,
 * however many payments there are.
 */
export async function isCredentialUsed(db: Queryable, id: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ isUsed: boolean }[]>`
    SELECT EXISTS (SELECT FROM payment_attempt WHERE credential_id = ${id}::uuid
        AND outcome NOT IN ('planned', 'open', 'skipped'))
      OR EXISTS (SELECT FROM psp_notification WHERE credential_id = ${id}::uuid)
      OR EXISTS (SELECT FROM statement_entry WHERE credential_id = ${id}::uuid)
      OR EXISTS (SELECT FROM recurrence WHERE credential_id = ${id}::uuid AND reference IS NOT NULL)
      AS "isUsed"`;
  return row?.isUsed ?? false;
}

/** Names of the organization's credentials among these that can take charges. Nobody archives them until the transaction ends. */
export async function shareCredentials(
  tx: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.$queryRaw<{ id: string; name: string }[]>`
    SELECT id, name FROM credential
    WHERE id = ANY(${[...new Set(ids)]}::uuid[]) AND organization_id = ${organizationId}::uuid AND archived_at IS NULL
    ORDER BY id FOR SHARE`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Removes some credentials that were deleted before an instant, with everything that tells only of them. One that was used in
 * the meantime is archived instead. Returns how many it removed.
 */
export async function clearDeletedCredentials(
  db: Queryable & { $transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> },
  before: Date,
  limit: number,
): Promise<number> {
  const due = await db.credential.findMany({
    where: { deletedAt: { lt: before } },
    select: { id: true },
    orderBy: { deletedAt: 'asc' },
    take: limit,
  });
  for (const { id } of due) {
    await db.$transaction(async (tx) => {
      const [row] = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM credential WHERE id = ${id}::uuid AND deleted_at < ${before} FOR UPDATE SKIP LOCKED`;
      if (!row) return;
      if (await isCredentialUsed(tx, id)) {
        await tx.credential.update({ where: { id }, data: { deletedAt: null }, select: { id: true } });
        return;
      }
      const where = { credentialId: id };
      await tx.unreadableResponse.deleteMany({ where });
      await tx.credentialCheck.deleteMany({ where });
      await tx.credentialTraffic.deleteMany({ where });
      await tx.credentialHealth.deleteMany({ where });
      await tx.pspSweep.deleteMany({ where });
      await tx.disputeSweep.deleteMany({ where });
      await tx.listedCharge.deleteMany({ where });
      await tx.bookDifference.deleteMany({ where: { day: where } });
      await tx.statementDay.deleteMany({ where });
      await tx.credential.delete({ where: { id }, select: { id: true } });
    });
  }
  return due.length;
}

/** Recurrences that may still debit. */
export const countOpenRecurrences = (db: Queryable, credentialId: string): Promise<number> =>
  db.recurrence.count({ where: { credentialId, status: { in: ['creating', 'pending', 'active'] } } });
