import { transactionIdOf } from '../base/ids.ts';
import { isEndToEndId } from '../payments/rules/end-to-end-id.ts';
import { type Institution, institutionOf } from '../payments/rules/payer-institution.ts';
import { reaisFromCents } from '../base/money.ts';
import type { ReceivedPixRow } from './store/payment-details.ts';

export interface ReceivedPixView {
  /** Null where the provider does not report it. */
  endToEndId: string | null;
  /** Names the charge that it paid. */
  transactionId: string;
  amount: number;
  paidAt: Date;
  returned: number;
  /** Null without an end-to-end id. */
  payerInstitution: Institution | null;
}

export const receivedPixView = (row: ReceivedPixRow): ReceivedPixView => ({
  endToEndId: isEndToEndId(row.pixId) ? row.pixId : null,
  transactionId: transactionIdOf(row.attemptId),
  amount: reaisFromCents(row.amountInCents),
  paidAt: row.paidAt,
  returned: reaisFromCents(row.returnedInCents),
  payerInstitution: institutionOf(row.pixId),
});
