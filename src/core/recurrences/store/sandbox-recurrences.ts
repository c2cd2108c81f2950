import { attemptIdOf } from '../../base/ids.ts';
import type { Cents } from '../../base/money.ts';
import type { EndedBy } from '../rules/recurrence.ts';
import type { Database } from '../../../database/database.ts';

interface SandboxRecurrenceEnd {
  status: 'rejected' | 'cancelled';
  endedBy: EndedBy;
}

interface SandboxRecurrence {
  reference: string;
  firstTransactionId: string | null;
  createdAt: Date;
  approvedAt: Date | null;
  end: SandboxRecurrenceEnd | null;
}

/** The sandbox's recurrences. */
export const createSandboxRecurrenceStore = (db: Database) => ({
  /** Keeps the existing recurrence if there is one. */
  async insertRecurrence(
    recurrence: Pick<SandboxRecurrence, 'reference' | 'firstTransactionId' | 'createdAt'>,
  ) {
    await db.sandboxRecurrence.createMany({ data: [recurrence], skipDuplicates: true });
  },

  async findRecurrence(reference: string): Promise<SandboxRecurrence | undefined> {
    const found = await db.sandboxRecurrence.findUnique({ where: { reference } });
    return found ? { ...found, end: found.end as SandboxRecurrenceEnd | null } : undefined;
  },

  async changeRecurrence(reference: string, change: { approvedAt: Date } | { end: SandboxRecurrenceEnd }) {
    const data = 'end' in change ? { end: { ...change.end } } : change;
    await db.sandboxRecurrence.update({ where: { reference }, data });
  },

  /** Pays a charge that nobody has paid, as a payer's bank does by itself. */
  async payByItself(transactionId: string, pix: { endToEndId: string; paidAt: Date; amountInCents: Cents }) {
    const attemptId = attemptIdOf(transactionId);
    await db.$executeRaw`
      INSERT INTO sandbox_pix (end_to_end_id, organization_id, transaction_id, paid_at, amount_in_cents)
      SELECT ${pix.endToEndId}, payment.organization_id, ${transactionId}, ${pix.paidAt}, ${pix.amountInCents}
      FROM payment_attempt attempt JOIN payment ON payment.id = attempt.payment_id
      WHERE attempt.id = ${attemptId}::uuid
        AND NOT EXISTS (SELECT FROM sandbox_pix WHERE transaction_id = ${transactionId})`;
  },
});
