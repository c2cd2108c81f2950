import { cents, type Cents } from '../../domain/money.ts';
import type { DisputeState } from '../../domain/payments/dispute.ts';
import type { ReversalReason } from '../../domain/payments/reversal.ts';
import { type Database, type Queryable, recordset } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { gather } from '../gather.ts';

export interface SandboxChargeRow {
  transactionId: string;
  amountInCents: Cents;
  expiresAt: Date;
  createdAt: Date;
}

export interface SandboxCharge extends SandboxChargeRow {
  cancelledAt: Date | null;
  pix: { endToEndId: string; paidAt: Date }[];
  reversals: SandboxReversal[];
  disputes: SandboxDispute[];
}

interface SandboxReversal {
  reference: string;
  amountInCents: Cents;
  reason: ReversalReason;
  reversedAt: Date;
}

interface SandboxDispute {
  reference: string;
  amountInCents: Cents;
  state: DisputeState;
  openedAt: Date;
}

/** Repeatable: an existing charge stays unchanged. */
export async function insertSandboxCharges(
  db: Queryable,
  charges: readonly SandboxChargeRow[],
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO sandbox_charge (transaction_id, amount_in_cents, expires_at, created_at)
    SELECT "transactionId", "amountInCents", "expiresAt", "createdAt"
    FROM json_to_recordset(${recordset(charges)}::json)
      AS r("transactionId" text, "amountInCents" bigint, "expiresAt" timestamptz, "createdAt" timestamptz)
    ON CONFLICT (transaction_id) DO NOTHING`;
}

export async function findSandboxCharge(
  db: Queryable,
  transactionId: string,
): Promise<SandboxCharge | undefined> {
  const charge = await db.sandboxCharge.findUnique({
    where: { transactionId },
    include: {
      pix: {
        orderBy: [{ paidAt: 'asc' }, { endToEndId: 'asc' }],
        select: { endToEndId: true, paidAt: true },
      },
    },
  });
  if (!charge) return undefined;
  const isPaid = charge.pix.length > 0;
  const [reversals, disputes] = isPaid ? await Promise.all(whatLeft(db, transactionId)) : [[], []];
  return {
    ...withCents(charge),
    reversals: reversals.map(withCents),
    disputes: disputes.map(withCents),
  };
}

const withCents = <Row extends { amountInCents: bigint }>(row: Row) => ({
  ...row,
  amountInCents: cents(row.amountInCents),
});

const whatLeft = (db: Queryable, transactionId: string) =>
  [
    db.sandboxReversal.findMany({ where: { transactionId }, orderBy: { reversedAt: 'asc' } }),
    db.sandboxDispute.findMany({ where: { transactionId }, orderBy: { openedAt: 'asc' } }),
  ] as const;

export async function insertSandboxReversal(
  db: Queryable,
  reversal: SandboxReversal & { transactionId: string },
): Promise<void> {
  await db.sandboxReversal.create({ data: reversal });
}

export async function insertSandboxDispute(
  db: Queryable,
  dispute: SandboxDispute & { transactionId: string },
): Promise<void> {
  await db.sandboxDispute.create({ data: dispute });
}

export async function changeSandboxDispute(
  db: Queryable,
  reference: string,
  state: DisputeState,
): Promise<void> {
  await db.sandboxDispute.update({ where: { reference }, data: { state } });
}

export async function changeSandboxCharge(
  db: Queryable,
  transactionId: string,
  change: { expiresAt?: Date; cancelledAt?: Date },
): Promise<void> {
  await db.sandboxCharge.update({ where: { transactionId }, data: change });
}

interface NewSandboxPix {
  organizationId: string;
  endToEndId: string;
  paidAt: Date;
}

export async function insertSandboxPix(
  db: Queryable,
  pix: NewSandboxPix & { transactionId: string },
): Promise<void> {
  await db.sandboxPix.create({ data: pix });
}

export async function insertSandboxKeyPix(
  db: Queryable,
  pix: NewSandboxPix & { amountInCents: Cents },
): Promise<void> {
  await db.sandboxKeyPix.create({ data: pix });
}

interface SandboxEntry {
  endToEndId: string;
  transactionId: string | null;
  amountInCents: Cents;
  returnedInCents: Cents;
  reversedInCents: Cents;
  paidAt: Date;
}

interface EntryPage {
  after: Pick<SandboxEntry, 'paidAt' | 'endToEndId'> | undefined;
  limit: number;
}

/** What an organization received, oldest first. Reversals are of the first Pix of a charge. */
export function listSandboxEntries(
  db: Queryable,
  organizationId: string,
  { since, until }: { since: Date; until: Date },
  { after = { paidAt: since, endToEndId: '' }, limit }: EntryPage,
): Promise<SandboxEntry[]> {
  const page = Prisma.sql`
    WHERE organization_id = ${organizationId}::uuid AND paid_at >= ${since} AND paid_at < ${until}
      AND (paid_at, end_to_end_id) > (${after.paidAt}, ${after.endToEndId})
    ORDER BY paid_at, end_to_end_id LIMIT ${limit}::int`;
  return db.$queryRaw<SandboxEntry[]>`
    SELECT pix.end_to_end_id AS "endToEndId", pix.transaction_id AS "transactionId", pix.paid_at AS "paidAt",
      coalesce(pix.amount_in_cents, charge.amount_in_cents) AS "amountInCents",
      (refunded.sum + reversed.returned + reversed.taken)::bigint AS "returnedInCents",
      reversed.taken::bigint AS "reversedInCents"
    FROM (
      (SELECT end_to_end_id, transaction_id, NULL::bigint AS amount_in_cents, paid_at FROM sandbox_pix ${page})
      UNION ALL
      (SELECT end_to_end_id, NULL, amount_in_cents, paid_at FROM sandbox_key_pix ${page})
      ORDER BY paid_at, end_to_end_id LIMIT ${limit}::int) pix
    LEFT JOIN LATERAL (
      SELECT amount_in_cents FROM sandbox_charge WHERE transaction_id = pix.transaction_id LIMIT 1) charge ON true
    LEFT JOIN LATERAL (
      SELECT end_to_end_id FROM sandbox_pix WHERE transaction_id = pix.transaction_id
      ORDER BY paid_at, end_to_end_id LIMIT 1) first ON true
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount_in_cents), 0) AS sum FROM sandbox_refund
      WHERE transaction_id = pix.transaction_id
        AND coalesce(end_to_end_id, first.end_to_end_id) = pix.end_to_end_id) refunded
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount_in_cents) FILTER (WHERE reason = 'returned_at_psp'), 0) AS returned,
        coalesce(sum(amount_in_cents) FILTER (WHERE reason <> 'returned_at_psp'), 0) AS taken
      FROM sandbox_reversal
      WHERE transaction_id = pix.transaction_id AND first.end_to_end_id = pix.end_to_end_id) reversed
    ORDER BY pix.paid_at, pix.end_to_end_id`;
}

export async function insertSandboxRefund(
  db: Queryable,
  refund: { refundId: string; transactionId: string; endToEndId: string; amountInCents: Cents },
): Promise<void> {
  await db.sandboxRefund.createMany({ data: [refund], skipDuplicates: true });
}

export async function hasSandboxRefund(db: Queryable, refundId: string): Promise<boolean> {
  return (await db.sandboxRefund.count({ where: { refundId } })) > 0;
}

/** The sandbox's charges; concurrent inserts are batched. */
export function createSandboxStore(db: Database) {
  const insert = gather(async (charges: readonly SandboxChargeRow[]) => {
    await insertSandboxCharges(db, charges);
    return charges;
  });
  return {
    insert: async (charge: SandboxChargeRow) => void (await insert(charge)),
    find: (transactionId: string) => findSandboxCharge(db, transactionId),
    change: (transactionId: string, change: Parameters<typeof changeSandboxCharge>[2]) =>
      changeSandboxCharge(db, transactionId, change),
    pay: (pix: Parameters<typeof insertSandboxPix>[1]) => insertSandboxPix(db, pix),
    payKey: (pix: Parameters<typeof insertSandboxKeyPix>[1]) => insertSandboxKeyPix(db, pix),
    list: (
      organizationId: string,
      window: Parameters<typeof listSandboxEntries>[2],
      page: Parameters<typeof listSandboxEntries>[3],
    ) => listSandboxEntries(db, organizationId, window, page),
    reverse: (reversal: Parameters<typeof insertSandboxReversal>[1]) => insertSandboxReversal(db, reversal),
    dispute: (dispute: Parameters<typeof insertSandboxDispute>[1]) => insertSandboxDispute(db, dispute),
    closeDispute: (reference: string, state: DisputeState) => changeSandboxDispute(db, reference, state),
    refund: (refund: Parameters<typeof insertSandboxRefund>[1]) => insertSandboxRefund(db, refund),
    hasRefund: (refundId: string) => hasSandboxRefund(db, refundId),
  };
}
