import { transactionIdOf } from '../base/ids.ts';
import { isEndToEndId } from '../payments/rules/end-to-end-id.ts';
import { type Institution, institutionOf } from '../payments/rules/payer-institution.ts';
import { type PaidByView, paidByView, payerMatchesOf } from '../payments/views/paid-by-view.ts';
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
  paidBy?: PaidByView | undefined;
  /** Whether the payer asked for has paid it; undefined where nothing can be said. */
  payerMatches: boolean | undefined;
}

export const receivedPixView = (row: ReceivedPixRow, payerDocument: string | null): ReceivedPixView => ({
  endToEndId: isEndToEndId(row.pixId) ? row.pixId : null,
  transactionId: transactionIdOf(row.attemptId),
  amount: reaisFromCents(row.amountInCents),
  paidAt: row.paidAt,
  returned: reaisFromCents(row.returnedInCents),
  payerInstitution: institutionOf(row.pixId),
  paidBy: paidByView(row),
  payerMatches: payerMatchesOf({ ...row, payerDocument }),
});
