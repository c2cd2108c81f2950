import { attemptIdOf } from '../../base/ids.ts';
import type { Database } from '../../../database/database.ts';
import type { SandboxRecurrence, SandboxRecurrenceStore } from '../rules/sandbox-store.ts';

export const createSandboxRecurrenceStore = (db: Database): SandboxRecurrenceStore => ({
  async insertRecurrence(recurrence) {
    await db.sandboxRecurrence.createMany({ data: [recurrence], skipDuplicates: true });
  },

  async findRecurrence(reference) {
    const found = await db.sandboxRecurrence.findUnique({ where: { reference } });
    return found ? { ...found, end: found.end as SandboxRecurrence['end'] } : undefined;
  },

  async changeRecurrence(reference, change) {
    const data = 'end' in change ? { end: { ...change.end } } : change;
    await db.sandboxRecurrence.update({ where: { reference }, data });
  },

  async payByItself(transactionId, pix) {
    const attemptId = attemptIdOf(transactionId);
    await db.$executeRaw`
      INSERT INTO sandbox_pix (end_to_end_id, organization_id, transaction_id, paid_at, amount_in_cents)
      SELECT ${pix.endToEndId}, payment.organization_id, ${transactionId}, ${pix.paidAt}, ${pix.amountInCents}
      FROM payment_attempt attempt JOIN payment ON payment.id = attempt.payment_id
      WHERE attempt.id = ${attemptId}::uuid
        AND NOT EXISTS (SELECT FROM sandbox_pix WHERE transaction_id = ${transactionId})`;
  },
});
