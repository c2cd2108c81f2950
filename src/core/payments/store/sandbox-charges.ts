import { cents, type Cents } from '../../base/money.ts';
import type { DisputeState } from '../../disputes/rules/dispute.ts';
import type { CalendarDay } from '../../base/time/calendar-day.ts';
import type { DebitOutcome } from '../../recurrences/rules/recurrence.ts';
import type { DueTerms } from '../rules/due/due-terms.ts';
import type { PixPayer } from '../rules/pix-payer.ts';
import type { ReversalReason } from '../rules/reversal.ts';
import { type Database, type Queryable, recordset } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { gather } from '../../../database/gather.ts';

export interface SandboxChargeRow {
  transactionId: string;
  amountInCents: Cents;
  expiresAt: Date;
  createdAt: Date;
  due: DueTerms | null;
  debit: SandboxDebit | null;
}

interface SandboxDebit {
  recurrence: string;
  days: readonly { on: CalendarDay; outcome?: DebitOutcome }[];
}

export interface SandboxCharge extends SandboxChargeRow {
  cancelledAt: Date | null;
  pix: { endToEndId: string; paidAt: Date; amountInCents: Cents; payer?: PixPayer }[];
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
  defenceUntil: Date | null;
  afterDefence: 'won' | 'lost' | null;
}

/** Repeatable: an existing charge stays unchanged. */
async function insertSandboxCharges(db: Queryable, charges: readonly SandboxChargeRow[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO sandbox_charge (transaction_id, amount_in_cents, expires_at, created_at, due, debit)
    SELECT "transactionId", "amountInCents", "expiresAt", "createdAt", due, debit
    FROM json_to_recordset(${recordset(charges)}::json)
      AS r("transactionId" text, "amountInCents" bigint, "expiresAt" timestamptz, "createdAt" timestamptz, due json, debit json)
    ON CONFLICT (transaction_id) DO NOTHING`;
}

/** JSON has times as text and amounts as numbers. */
type InJson<Row> = {
  [Field in keyof Row]: Row[Field] extends Date ? string : Row[Field] extends Cents ? number : Row[Field];
};

interface SandboxChargeResult extends SandboxChargeRow {
  cancelledAt: Date | null;
  pix: InJson<SandboxCharge['pix'][number]>[];
  reversals: InJson<SandboxReversal>[];
  disputes: (InJson<Omit<SandboxDispute, 'defenceUntil'>> & { defenceUntil: string | null })[];
}

/** Amounts are numbers in JSON. */
const withCents = (terms: DueTerms): DueTerms =>
  JSON.parse(JSON.stringify(terms), (name, value: unknown) =>
    name.startsWith('amountInCents') ? cents(value as number) : value,
  ) as DueTerms;

/** Takes one statement, because somebody waits for what the notification says. */
async function findSandboxCharge(db: Queryable, transactionId: string): Promise<SandboxCharge | undefined> {
  const [charge] = await db.$queryRaw<SandboxChargeResult[]>`
    SELECT transaction_id AS "transactionId", amount_in_cents AS "amountInCents", expires_at AS "expiresAt",
      created_at AS "createdAt", cancelled_at AS "cancelledAt", due, debit,
      (SELECT coalesce(json_agg(json_build_object('endToEndId', end_to_end_id, 'paidAt', paid_at,
          'amountInCents', coalesce(amount_in_cents, charge.amount_in_cents), 'payer', payer)
          ORDER BY paid_at, end_to_end_id), '[]')
        FROM sandbox_pix WHERE transaction_id = charge.transaction_id) AS pix,
      (SELECT coalesce(json_agg(json_build_object('reference', reference, 'amountInCents', amount_in_cents,
          'reason', reason, 'reversedAt', reversed_at) ORDER BY reversed_at), '[]')
        FROM sandbox_reversal WHERE transaction_id = charge.transaction_id) AS reversals,
      (SELECT coalesce(json_agg(json_build_object('reference', reference, 'amountInCents', amount_in_cents,
          'state', state, 'openedAt', opened_at, 'defenceUntil', defence_until, 'afterDefence', after_defence)
          ORDER BY opened_at), '[]')
        FROM sandbox_dispute WHERE transaction_id = charge.transaction_id) AS disputes
    FROM sandbox_charge charge WHERE transaction_id = ${transactionId}`;
  return (
    charge && {
      ...charge,
      due: charge.due && withCents(charge.due),
      pix: charge.pix.map(({ endToEndId, paidAt, amountInCents, payer }) => ({
        endToEndId,
        ...(payer && { payer }),
        paidAt: new Date(paidAt),
        amountInCents: cents(amountInCents),
      })),
      reversals: charge.reversals.map((each) => ({
        ...each,
        amountInCents: cents(each.amountInCents),
        reversedAt: new Date(each.reversedAt),
      })),
      disputes: charge.disputes.map((each) => ({
        ...each,
        amountInCents: cents(each.amountInCents),
        openedAt: new Date(each.openedAt),
        defenceUntil: each.defenceUntil === null ? null : new Date(each.defenceUntil),
      })),
    }
  );
}

/** Returns what is left of a charge's first Pix, from which all its refunds and reversals come, and locks the charge until the transaction ends. */
async function lockLeft(tx: Queryable, transactionId: string): Promise<bigint> {
  await tx.$queryRaw`SELECT 1 FROM sandbox_charge WHERE transaction_id = ${transactionId} FOR NO KEY UPDATE`;
  const [found] = await tx.$queryRaw<{ left: bigint }[]>`
    SELECT (coalesce((SELECT amount_in_cents FROM sandbox_pix WHERE transaction_id = charge.transaction_id
        ORDER BY paid_at, end_to_end_id LIMIT 1), amount_in_cents)
      - (SELECT coalesce(sum(amount_in_cents), 0) FROM sandbox_refund WHERE transaction_id = charge.transaction_id)
      - (SELECT coalesce(sum(amount_in_cents), 0) FROM sandbox_reversal WHERE transaction_id = charge.transaction_id)
      )::bigint AS left
    FROM sandbox_charge charge WHERE transaction_id = ${transactionId}
      AND EXISTS (SELECT FROM sandbox_pix WHERE transaction_id = charge.transaction_id)`;
  return found?.left ?? 0n;
}

/** Takes at most what is left. */
export async function insertSandboxReversal(
  db: Database,
  reversal: SandboxReversal & { transactionId: string },
): Promise<void> {
  await db.$transaction(async (tx) => {
    const left = await lockLeft(tx, reversal.transactionId);
    const amountInCents = reversal.amountInCents < left ? reversal.amountInCents : cents(left);
    if (amountInCents > 0n) await tx.sandboxReversal.create({ data: { ...reversal, amountInCents } });
  });
}

export async function insertSandboxDispute(
  db: Queryable,
  dispute: SandboxDispute & { transactionId: string },
): Promise<void> {
  await db.sandboxDispute.create({ data: dispute });
}

async function changeSandboxDispute(
  db: Queryable,
  reference: string,
  change: Partial<Pick<SandboxDispute, 'state' | 'defenceUntil'>>,
): Promise<void> {
  await db.sandboxDispute.update({ where: { reference }, data: change });
}

export async function changeSandboxCharge(
  db: Queryable,
  transactionId: string,
  {
    due,
    debit,
    ...change
  }: { amountInCents?: Cents; due?: DueTerms; debit?: SandboxDebit; expiresAt?: Date; cancelledAt?: Date },
): Promise<void> {
  const data = {
    ...change,
    ...(due && { due: JSON.parse(recordset([due]))[0] as object }),
    ...(debit && { debit: { ...debit, days: debit.days.map((day) => ({ ...day })) } }),
  };
  await db.sandboxCharge.update({ where: { transactionId }, data });
}

interface NewSandboxPix {
  organizationId: string;
  endToEndId: string;
  paidAt: Date;
}

export async function insertSandboxPix(
  db: Queryable,
  {
    payer,
    ...pix
  }: NewSandboxPix & { transactionId: string; amountInCents: Cents; payer?: PixPayer | undefined },
): Promise<void> {
  await db.sandboxPix.create({ data: { ...pix, ...(payer && { payer: { ...payer } }) } });
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

/** What an organization received, oldest first. Reversals belong to the first Pix of a charge. */
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
      (SELECT end_to_end_id, transaction_id, amount_in_cents, paid_at FROM sandbox_pix ${page})
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

/** Repeatable. Returns false when too little is left. */
export const insertSandboxRefund = (
  db: Database,
  refund: { refundId: string; transactionId: string; endToEndId: string; amountInCents: Cents },
): Promise<boolean> =>
  db.$transaction(async (tx) => {
    const left = await lockLeft(tx, refund.transactionId);
    if (await hasSandboxRefund(tx, refund.refundId)) return true;
    if (refund.amountInCents > left) return false;
    await tx.sandboxRefund.create({ data: refund, select: { refundId: true } });
    return true;
  });

async function hasSandboxRefund(db: Queryable, refundId: string): Promise<boolean> {
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
    changeDispute: (reference: string, change: Parameters<typeof changeSandboxDispute>[2]) =>
      changeSandboxDispute(db, reference, change),
    refund: (refund: Parameters<typeof insertSandboxRefund>[1]) => insertSandboxRefund(db, refund),
    hasRefund: (refundId: string) => hasSandboxRefund(db, refundId),
  };
}
