import { gather } from '../../../database/gather.ts';
import { type Database, type Queryable, recordset } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { cents, type Cents } from '../../base/money.ts';
import type { DueTerms } from '../../payments/rules/due/due-terms.ts';
import type {
  NewSandboxCharge,
  SandboxCharge,
  SandboxChargeStore,
  SandboxDispute,
  SandboxEntry,
} from '../rules/sandbox-store.ts';

/** Repeatable: an existing charge stays unchanged. */
async function insertCharges(db: Queryable, charges: readonly NewSandboxCharge[]): Promise<void> {
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

interface SandboxChargeResult extends NewSandboxCharge {
  cancelledAt: Date | null;
  pix: InJson<SandboxCharge['pix'][number]>[];
  reversals: InJson<SandboxCharge['reversals'][number]>[];
  disputes: (InJson<Omit<SandboxDispute, 'defenceUntil'>> & { defenceUntil: string | null })[];
}

/** Amounts are numbers in JSON. */
const withCents = (terms: DueTerms): DueTerms =>
  JSON.parse(JSON.stringify(terms), (name, value: unknown) =>
    name.startsWith('amountInCents') ? cents(value as number) : value,
  ) as DueTerms;

/** Takes one statement, because somebody waits for what the notification says. */
async function findCharge(db: Queryable, transactionId: string): Promise<SandboxCharge | undefined> {
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

const hasRefund = async (db: Queryable, refundId: string): Promise<boolean> =>
  (await db.sandboxRefund.count({ where: { refundId } })) > 0;

/** Concurrent inserts are batched. */
export function createSandboxChargeStore(db: Database): SandboxChargeStore {
  const insert = gather(async (charges: readonly NewSandboxCharge[]) => {
    await insertCharges(db, charges);
    return charges;
  });

  return {
    insert: async (charge) => void (await insert(charge)),

    find: (transactionId) => findCharge(db, transactionId),

    async change(transactionId, { due, debit, ...change }) {
      const data = {
        ...change,
        ...(due && { due: JSON.parse(recordset([due]))[0] as object }),
        ...(debit && { debit: { ...debit, days: debit.days.map((day) => ({ ...day })) } }),
      };
      await db.sandboxCharge.update({ where: { transactionId }, data });
    },

    refund: (refund) =>
      db.$transaction(async (tx) => {
        const left = await lockLeft(tx, refund.transactionId);
        if (await hasRefund(tx, refund.refundId)) return true;
        if (refund.amountInCents > left) return false;
        await tx.sandboxRefund.create({ data: refund, select: { refundId: true } });
        return true;
      }),

    hasRefund: (refundId) => hasRefund(db, refundId),

    async reverse(reversal) {
      await db.$transaction(async (tx) => {
        const left = await lockLeft(tx, reversal.transactionId);
        const amountInCents = reversal.amountInCents < left ? reversal.amountInCents : cents(left);
        if (amountInCents > 0n) await tx.sandboxReversal.create({ data: { ...reversal, amountInCents } });
      });
    },

    async dispute(dispute) {
      await db.sandboxDispute.create({ data: dispute });
    },

    async changeDispute(reference, change) {
      await db.sandboxDispute.update({ where: { reference }, data: change });
    },

    async pay({ payer, ...pix }) {
      await db.sandboxPix.create({ data: { ...pix, ...(payer && { payer: { ...payer } }) } });
    },

    async payKey(pix) {
      await db.sandboxKeyPix.create({ data: pix });
    },

    /** Reversals belong to the first Pix of a charge. */
    list(organizationId, { since, until }, { after = { paidAt: since, endToEndId: '' }, limit }) {
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
    },
  };
}
