import type { Cents } from '../../base/money.ts';
import type { CalendarDay } from '../../base/time/calendar-day.ts';
import type {
  Authorization,
  EndedBy,
  Frequency,
  PayerAccount,
  PublicRecurrenceStatus,
  RetryPolicy,
  Schedule,
} from '../../recurrences/rules/recurrence.ts';
import type { ChargeRequest, Payer } from './charge.ts';

/** A recurrence that is asked for. The end of what the payer permits is part of it, so it can only be ended and made anew. */
export interface RecurrenceRequest extends RecurrenceIds {
  amountInCents: Cents | null;
  minimumAmountInCents: Cents | null;
  frequency: Frequency;
  startDate: CalendarDay;
  endDate: CalendarDay | null;
  retries: RetryPolicy;
  schedule: Schedule;
  description: string | null;
  payer: Payer & { name: string; document: string };
  /** Where the payer's bank is to ask them; null where a code does. */
  payerAccount: PayerAccount | null;
  /** Until when the payer may permit it. */
  expiresAt: Date;
  /** The PSP's ids of others: where it keeps none of ours, it may have several of the same terms. */
  taken?: readonly string[];
  /** The charge that the payer pays when permitting it, or may pay without. Null without one. */
  first: ChargeRequest | null;
}

/**
 * Identifies a recurrence by our id, the PSP's once known, and that of the charge paid with it. Some PSPs keep no id of ours: there
 * contract and payer tell whether it is the one, and its time where to look.
 */
export interface RecurrenceIds {
  recurrenceId: string;
  reference: string | null;
  firstTransactionId: string | null;
  authorization: Authorization;
  contract: string;
  payer: { document: string };
  createdAt: Date;
  /** What the clock of test mode says, by which the sandbox goes. */
  asOf?: Date;
}

/** A recurrence as the PSP reports it. */
export interface PspRecurrence {
  reference: string;
  status: PublicRecurrenceStatus | 'unrecognised';
  endedBy: EndedBy | null;
  /** One of the PSP's codes, never its prose. */
  reason: string | null;
  /**
   * Permits it, and pays the first charge if there is one. Null when the PSP returns it only on creation, or the payer's bank asks
   * without one.
   */
  pixCopyPaste: string | null;
  /** The PSP's id of the first charge, where it keeps none of ours; only on creation. */
  firstReference?: string;
}
