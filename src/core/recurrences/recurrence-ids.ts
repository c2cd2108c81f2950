import { attemptIdAt, transactionIdOf } from '../base/ids.ts';
import type { RecurrenceIds } from '../providers/rules/psp-recurrence.ts';
import type { Recurrence } from './rules/recurrence.ts';

/** How providers know a recurrence; `asOf` is what the clock says by which it goes. */
export const recurrenceIdsOf = (recurrence: Recurrence, asOf: Date): RecurrenceIds => ({
  recurrenceId: recurrence.id,
  reference: recurrence.reference,
  firstTransactionId:
    recurrence.firstPaymentId === null ? null : transactionIdOf(attemptIdAt(recurrence.firstPaymentId, 0)),
  authorization: recurrence.authorization,
  contract: recurrence.contract,
  payer: { document: recurrence.payerDocument },
  createdAt: recurrence.createdAt,
  asOf,
});
