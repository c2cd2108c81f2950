import { hash } from 'node:crypto';
import type { PixPayer } from '../rules/pix-payer.ts';
import { type SearchedFields, termsOf } from '../rules/search/search-terms.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { type Database, type Queryable, recordset } from '../../../database/database.ts';
import type { Tenant } from './payments.ts';

/** What the terms of a payment are derived from. */
export interface TermSource extends SearchedFields, Tenant {
  id: string;
}

export interface PaymentTerms extends Tenant {
  paymentId: string;
  terms: string[];
}

/**
 * Stands for the tenant of a term, in eight bytes. Two tenants may share a digest, however unlikely, so whoever finds payments
 * by it has to compare their tenant.
 */
export const tenantDigest = ({ organizationId, mode }: Tenant): bigint =>
  hash('sha256', `${organizationId} ${mode}`, 'buffer').readBigInt64BE();

interface Progress {
  nextId: string | null;
  settledId: string | null;
  backfillId: string | null;
  /**
   * Payments created before this can get their terms: every transaction that stores one has ended, or has run for over a
   * minute.
   */
  until: Date;
}

/** Sorts before every payment: the backfill is finished. */
export const nilId = '00000000-0000-0000-0000-000000000000';

/** Reads the progress and locks it until the transaction ends; undefined while somebody else holds it. */
export async function lockTermProgress(tx: Queryable): Promise<Progress | undefined> {
  const [progress] = await tx.$queryRaw<Progress[]>`
    SELECT next_id AS "nextId", settled_id AS "settledId", backfill_id AS "backfillId",
      greatest(clock_timestamp() - interval '1 minute', least(clock_timestamp(), (
        SELECT min(xact_start) FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL
          AND pid <> pg_backend_pid())))
      - interval '2 seconds' AS until
    FROM payment_term_progress WHERE id = 1 FOR UPDATE SKIP LOCKED`;
  return progress;
}

export async function moveTermProgress(
  tx: Queryable,
  moved: Partial<Omit<Progress, 'until'>>,
): Promise<void> {
  await tx.paymentTermProgress.update({ where: { id: 1 }, data: moved, select: { id: true } });
}

/** Keeps workers from adding terms until the transaction ends: they would derive them from the data before it. */
export async function pauseTerms(tx: Queryable): Promise<void> {
  await tx.$queryRaw`SELECT id FROM payment_term_progress WHERE id = 1 FOR SHARE`;
}

/** Payments without terms are those from `nextId` on and those before `backfillId`. Undefined before the first run. */
export async function findTermGaps(
  db: Queryable,
): Promise<{ nextId: string; backfillId: string } | undefined> {
  const [progress] = await db.$queryRaw<{ nextId: string | null; backfillId: string | null }[]>`
    SELECT next_id AS "nextId", backfill_id AS "backfillId" FROM payment_term_progress WHERE id = 1`;
  const { nextId, backfillId } = progress ?? {};
  return nextId && backfillId ? { nextId, backfillId } : undefined;
}

export const termColumns =
  Prisma.raw(`id, organization_id AS "organizationId", mode::text, external_id AS "externalId",
  payer_name AS "payerName", payer_document AS "payerDocument", payer_email AS "payerEmail",
  payer_phone AS "payerPhone", pix_copy_paste AS "pixCopyPaste", txid`);

/** Goes forward from `fromId`, up to but not including `toId`. */
export const listTermSources = (
  tx: Queryable,
  { fromId, toId, limit }: { fromId: string; toId: string; limit: number },
): Promise<TermSource[]> =>
  tx.$queryRaw`
    SELECT ${termColumns} FROM payment WHERE id >= ${fromId}::uuid AND id < ${toId}::uuid ORDER BY id LIMIT ${limit}::int`;

/** Goes back from an id, newest first. */
export const listTermSourcesBefore = (tx: Queryable, id: string, limit: number): Promise<TermSource[]> =>
  tx.$queryRaw`SELECT ${termColumns} FROM payment WHERE id < ${id}::uuid ORDER BY id DESC LIMIT ${limit}::int`;

const termRows = (payments: readonly PaymentTerms[]): Prisma.Sql => {
  const rows = payments.map((each) => ({
    tenant: tenantDigest(each),
    terms: each.terms,
    paymentId: each.paymentId,
  }));
  return Prisma.sql`
    SELECT tenant, term, "paymentId" FROM json_to_recordset(${recordset(rows)}::json)
      AS r(tenant bigint, "paymentId" uuid, terms text[]), unnest(terms) AS term`;
};

const nameless: SearchedFields = {
  externalId: null,
  payerName: null,
  payerDocument: null,
  payerEmail: null,
  payerPhone: null,
  pixCopyPaste: null,
  txid: null,
};

/** The terms that a payment is found by because of who paid it. */
export const withPixPayerTerms = (
  { id, organizationId, mode }: Tenant & { id: string },
  payers: readonly Pick<PixPayer, 'name' | 'document'>[],
): PaymentTerms => ({
  organizationId,
  mode,
  paymentId: id,
  terms: payers.flatMap((paidBy) => termsOf({ ...nameless, paidBy })),
});

/** Stored with the Pix, because a worker may have given the payment its terms long before. */
export const insertPixPayerTerms = (
  tx: Queryable,
  payment: Tenant & { id: string },
  payers: readonly PixPayer[],
): Promise<void> => insertTerms(tx, [withPixPayerTerms(payment, payers)]);

/** Existing terms stay. Inserts in the order of the key, so that neighbours share pages. */
export async function insertTerms(tx: Queryable, payments: readonly PaymentTerms[]): Promise<void> {
  if (payments.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO payment_term (tenant, term, payment_id)
    ${termRows(payments)} ORDER BY tenant, term COLLATE "C", "paymentId" ON CONFLICT DO NOTHING`;
}

export async function deleteTerms(tx: Queryable, payments: readonly PaymentTerms[]): Promise<void> {
  if (payments.length === 0) return;
  await tx.$executeRaw`
    DELETE FROM payment_term t USING (${termRows(payments)}) AS r
    WHERE t.tenant = r.tenant AND t.term = r.term AND t.payment_id = r."paymentId"`;
}

/** Allows enough time for a batch on a slow disk. */
export const inTermFilling = <T>(db: Database, work: (tx: Queryable) => Promise<T>): Promise<T> =>
  db.$transaction(work, { timeout: 30_000 });
