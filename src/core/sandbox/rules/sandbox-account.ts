import type { Cents } from '../../base/money.ts';
import type { PixPayer } from '../../payments/rules/pix-payer.ts';
import type { ReversalReason } from '../../payments/rules/reversal.ts';
import type { PspAdapter } from '../../providers/rules/psp.ts';
import type { StatementPix } from '../../providers/rules/psp-lists.ts';
import type { DebitOutcome } from '../../recurrences/rules/recurrence.ts';
import type { SandboxDispute } from './sandbox-store.ts';

/** The built-in PSP, as the service and its payer see it. Text that a method returns is the notification that a PSP would send. */
export interface SandboxAccount {
  adapter: PspAdapter;
  /** The payer's Pix, even a late or second one, of what is owed unless an amount is given. */
  pay(
    organizationId: string,
    transactionId: string,
    pix: { amountInCents?: Cents | undefined; payer?: PixPayer | undefined; at: Date },
  ): Promise<string>;
  approveRecurrence(reference: string, at: Date): Promise<void>;
  /** The payer rejects or revokes it. */
  endRecurrence(reference: string, how: 'rejected' | 'cancelled'): Promise<void>;
  /** Has the payer's bank answer a debit. */
  answerDebit(transactionId: string, outcome: DebitOutcome, at: Date): Promise<string>;
  /** Receives a Pix without a charge. Returns it as the statement lists it. */
  receive(organizationId: string, amountInCents: Cents): Promise<StatementPix & { endToEndId: string }>;
  /** An organization has one account, whichever credentials its payments name. */
  statementOf(organizationId: string): NonNullable<PspAdapter['listStatement']>;
  /** Moves the expiry of a charge. */
  expire(transactionId: string, at: Date): Promise<void>;
  /** Takes money of its first Pix. */
  reverse(transactionId: string, reversal: { amountInCents: Cents; reason: ReversalReason }): Promise<string>;
  dispute(transactionId: string, dispute: Omit<SandboxDispute, 'reference' | 'state'>): Promise<string>;
  /** A dispute that is lost takes the money. Undefined when none is open. */
  closeDispute(transactionId: string, outcome: 'won' | 'lost'): Promise<string | undefined>;
}
