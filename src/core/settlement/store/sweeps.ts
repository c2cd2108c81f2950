import type { NotifiedCharge } from '../../providers/rules/charge.ts';
import { attemptIdOf, newId } from '../../base/ids.ts';
import type { Queryable } from '../../../database/database.ts';

/** The sweeps of a credential, and how far the current one has come. */
export interface Sweep {
  id: string;
  provider: string;
  credentialId: string;
  /** Completed sweeps have read the PSP's list up to this time. */
  coveredUntil: Date | null;
  /** Where the last completed sweep began to list. */
  bookmark: string | null;
  /** The current window; null between sweeps. */
  since: Date | null;
  until: Date | null;
  /** The current page; null for the first. */
  cursor: string | null;
  /** Where the current sweep began to list. */
  nextBookmark: string | null;
}

export type SweepChange = Partial<Omit<Sweep, 'id' | 'provider' | 'credentialId'>> & {
  /** Null while the credential has no pending payment. Doubles as the lease. */
  nextCheckAt?: Date | null;
};

/** Makes the credential's next sweep due at `by` at the latest, unless its list is being read or failing. */
export async function hastenSweep(
  db: Queryable,
  { provider, credentialId }: Pick<Sweep, 'provider' | 'credentialId'>,
  { now, by }: { now: Date; by: Date },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO psp_sweep AS known (id, provider, credential_id, next_check_at)
    VALUES (${newId(now)}::uuid, ${provider}, ${credentialId}::uuid, ${by})
    ON CONFLICT (credential_id) DO UPDATE SET next_check_at = excluded.next_check_at
    WHERE known.next_check_at IS NULL OR (known.until IS NULL AND known.next_check_at > excluded.next_check_at)`;
}

export const findSweep = (db: Queryable, id: string): Promise<Sweep | null> =>
  db.pspSweep.findUnique({ where: { id }, omit: { nextCheckAt: true, missedAt: true } });

/** Continues from where the sweep was read; false when another node has done so already. */
export async function changeSweep(
  db: Queryable,
  { id, until, cursor }: Pick<Sweep, 'id' | 'until' | 'cursor'>,
  change: SweepChange,
): Promise<boolean> {
  const { count } = await db.pspSweep.updateMany({ where: { id, until, cursor }, data: change });
  return count === 1;
}

export async function recordSweepMissed(db: Queryable, credentialId: string, at: Date): Promise<void> {
  await db.pspSweep.updateMany({ where: { credentialId }, data: { missedAt: at } });
}

export interface PendingSpan {
  oldestAt: Date;
  newestAt: Date;
}

/**
 * From the oldest to the newest of the credential's pending payments; undefined when there are none. Reads only both ends of
 * their index.
 */
export async function findPendingSpan(db: Queryable, credentialId: string): Promise<PendingSpan | undefined> {
  const [span] = await db.$queryRaw<PendingSpan[]>`
    SELECT oldest.created_at AS "oldestAt", newest.created_at AS "newestAt"
    FROM (SELECT created_at FROM payment WHERE status = 'pending' AND credential_id = ${credentialId}::uuid
      ORDER BY created_at LIMIT 1) oldest,
      (SELECT created_at FROM payment WHERE status = 'pending' AND credential_id = ${credentialId}::uuid
      ORDER BY created_at DESC LIMIT 1) newest`;
  return span;
}

/** A charge that its PSP lists as paid, until it has been looked up. */
export interface ListedCharge {
  /** Equals the id of its attempt. */
  id: string;
  /** The PSP's id of the Pix that is said to have paid it. */
  pixReference: string | null;
  listedAt: Date;
}

/** Has those listed charges looked up that are the credential's and have no recorded Pix yet. */
export async function insertListedCharges(
  db: Queryable,
  credentialId: string,
  charges: readonly NotifiedCharge[],
  listedAt: Date,
): Promise<void> {
  const listed = charges.map(({ transactionId, reference, pixReference }) => ({
    id: (transactionId && attemptIdOf(transactionId)) || null,
    reference: transactionId ? null : reference,
    pixReference,
  }));
  const ids = listed.flatMap(({ id }) => id ?? []);
  const references = listed.flatMap(({ reference }) => reference ?? []);
  const rows = await db.$queryRaw<{ id: string; reference: string | null }[]>`
    SELECT id, psp_reference AS reference FROM (
      SELECT id, payment_id, credential_id, psp_reference FROM payment_attempt WHERE id = ANY(${ids}::uuid[])
      UNION
      SELECT id, payment_id, credential_id, psp_reference FROM payment_attempt
      WHERE psp_reference = ANY(${references}::text[])
    ) listed
    WHERE credential_id = ${credentialId}::uuid AND NOT EXISTS (
      SELECT 1 FROM received_pix pix WHERE pix.payment_id = listed.payment_id AND pix.attempt_id = listed.id)`;
  const pixOf = new Map(listed.map((each) => [each.id ?? each.reference, each.pixReference]));
  const data = rows.map(({ id, reference }) => ({
    id,
    credentialId,
    pixReference: pixOf.get(id) ?? pixOf.get(reference) ?? null,
    listedAt,
    nextCheckAt: listedAt,
  }));
  if (data.length > 0) await db.listedCharge.createMany({ data, skipDuplicates: true });
}

export const findListedCharge = (db: Queryable, id: string): Promise<ListedCharge | null> =>
  db.listedCharge.findUnique({ where: { id }, select: { id: true, pixReference: true, listedAt: true } });

export async function scheduleListedCharge(db: Queryable, id: string, nextCheckAt: Date): Promise<void> {
  await db.listedCharge.updateMany({ where: { id }, data: { nextCheckAt } });
}

export async function deleteListedCharge(db: Queryable, id: string): Promise<void> {
  await db.listedCharge.deleteMany({ where: { id } });
}
