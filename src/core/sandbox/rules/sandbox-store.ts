import type { Cents } from '../../base/money.ts';
import type { DebitOutcome, EndedBy } from '../../recurrences/rules/recurrence.ts';
import type { DisputeState } from '../../disputes/rules/dispute.ts';
import type { CalendarDay } from '../../base/time/calendar-day.ts';
import type { DueTerms } from '../../payments/rules/due/due-terms.ts';
import type { PixPayer } from '../../payments/rules/pix-payer.ts';
import type { ReversalReason } from '../../payments/rules/reversal.ts';

export interface NewSandboxCharge {
  transactionId: string;
  amountInCents: Cents;
  expiresAt: Date;
  createdAt: Date;
  due: DueTerms | null;
  /** Set for a debit of a recurrence. */
  debit: SandboxDebit | null;
}

export interface SandboxDebit {
  recurrence: string;
  /** On which the payer's bank is asked, and what was scripted for each. */
  days: readonly { on: CalendarDay; outcome?: DebitOutcome }[];
}

export interface SandboxRecurrence {
  reference: string;
  firstTransactionId: string | null;
  createdAt: Date;
  approvedAt: Date | null;
  end: { status: 'rejected' | 'cancelled'; endedBy: EndedBy } | null;
}

export interface SandboxCharge extends NewSandboxCharge {
  cancelledAt: Date | null;
  pix: readonly { endToEndId: string; paidAt: Date; amountInCents: Cents; payer?: PixPayer }[];
  /** Reversals of the first Pix, in order. */
  reversals: readonly SandboxReversal[];
  disputes: readonly SandboxDispute[];
}

interface SandboxReversal {
  reference: string;
  amountInCents: Cents;
  reason: ReversalReason;
  reversedAt: Date;
}

export interface SandboxDispute {
  reference: string;
  amountInCents: Cents;
  state: DisputeState;
  openedAt: Date;
  /** Whoever has not answered by then loses. Null once it is answered, too. */
  defenceUntil: Date | null;
  /** How it ends once it is defended; null if somebody has to close it. */
  afterDefence: 'won' | 'lost' | null;
}

/** A line of the organization's statement. */
export interface SandboxEntry {
  endToEndId: string;
  /** Null for a Pix without a charge. */
  transactionId: string | null;
  amountInCents: Cents;
  /** How much of it was returned, and how much of that was taken back. */
  returnedInCents: Cents;
  reversedInCents: Cents;
  paidAt: Date;
}

/** Where a page of the statement ended. */
export type SandboxPosition = Pick<SandboxEntry, 'endToEndId' | 'paidAt'>;

interface NewSandboxPix extends SandboxPosition {
  organizationId: string;
}

interface SandboxChange {
  amountInCents?: Cents;
  due?: DueTerms;
  expiresAt?: Date;
  cancelledAt?: Date;
  debit?: SandboxDebit;
}

/** Keeps charges as a PSP does. */
export interface SandboxChargeStore {
  /** Keeps the existing charge if the transaction id was used before. */
  insert(charge: NewSandboxCharge): Promise<void>;
  find(transactionId: string): Promise<SandboxCharge | undefined>;
  change(transactionId: string, change: SandboxChange): Promise<void>;
  /** Keeps the existing refund if the id was used before. Returns false if less is left. */
  refund(refund: {
    refundId: string;
    transactionId: string;
    endToEndId: string;
    amountInCents: Cents;
  }): Promise<boolean>;
  hasRefund(refundId: string): Promise<boolean>;
  /** Takes at most what is left. */
  reverse(reversal: SandboxReversal & { transactionId: string }): Promise<void>;
  dispute(dispute: SandboxDispute & { transactionId: string }): Promise<void>;
  changeDispute(
    reference: string,
    change: Partial<Pick<SandboxDispute, 'state' | 'defenceUntil'>>,
  ): Promise<void>;
  pay(
    pix: NewSandboxPix & { transactionId: string; amountInCents: Cents; payer?: PixPayer | undefined },
  ): Promise<void>;
  payKey(pix: NewSandboxPix & { amountInCents: Cents }): Promise<void>;
  /** Oldest first. */
  list(
    organizationId: string,
    window: { since: Date; until: Date },
    page: { after: SandboxPosition | undefined; limit: number },
  ): Promise<SandboxEntry[]>;
}

export interface SandboxRecurrenceStore {
  /** Keeps the existing recurrence if there is one. */
  insertRecurrence(
    recurrence: Pick<SandboxRecurrence, 'reference' | 'firstTransactionId' | 'createdAt'>,
  ): Promise<void>;
  findRecurrence(reference: string): Promise<SandboxRecurrence | undefined>;
  changeRecurrence(
    reference: string,
    change: { approvedAt: Date } | { end: NonNullable<SandboxRecurrence['end']> },
  ): Promise<void>;
  /** Pays a charge that nobody has paid, as a payer's bank does by itself. */
  payByItself(transactionId: string, pix: SandboxPosition & { amountInCents: Cents }): Promise<void>;
}

export type SandboxStore = SandboxChargeStore & SandboxRecurrenceStore;
