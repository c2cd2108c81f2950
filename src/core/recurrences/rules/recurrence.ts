import type { CalendarDay } from '../../base/time/calendar-day.ts';
import type { Mode } from '../../base/mode.ts';
import type { Cents } from '../../base/money.ts';

/** `periodicidade` of the API Pix. */
export const frequencies = ['weekly', 'monthly', 'quarterly', 'semiannually', 'annually'] as const;

export type Frequency = (typeof frequencies)[number];

/**
 * How the payer permits it: by a QR code alone, by one that also pays a first payment, by one of a payment with a due date that can
 * be paid without permitting anything, or asked by their bank (journeys 2, 3, 4 and 1 of the Banco Central).
 */
export const authorizations = ['qr', 'qr_with_payment', 'offer', 'push'] as const;

export type Authorization = (typeof authorizations)[number];

export const retryPolicies = ['none', 'three_in_seven_days'] as const;

export type RetryPolicy = (typeof retryPolicies)[number];

/** Where the payer's bank finds who is to be asked. */
export interface PayerAccount {
  /** The bank: eight digits or letters. */
  ispb: string;
  branch?: string | undefined;
  /** With its check digit. */
  account: string;
}

/** `automatic`: the service makes each debit; `manual`: the caller asks for it. */
export const schedules = ['automatic', 'manual'] as const;

export type Schedule = (typeof schedules)[number];

export const recurrenceStatuses = ['pending', 'active', 'rejected', 'expired', 'cancelled'] as const;

/** Values of `status` in every API. */
export type PublicRecurrenceStatus = (typeof recurrenceStatuses)[number];

/** `creating`: the provider has not responded yet; `failed`: it refused to make it. Neither is shown to callers. */
export type RecurrenceStatus = PublicRecurrenceStatus | 'creating' | 'failed';

export const endings = ['payer', 'payer_bank', 'receiver', 'receiver_bank'] as const;

/** Who ended it. */
export type EndedBy = (typeof endings)[number];

/** How a payer's bank may answer a debit in the sandbox. */
export const debitOutcomes = [
  'paid',
  'no_balance',
  'limit',
  'account_closed',
  'operational',
  'already_paid',
] as const;

export type DebitOutcome = (typeof debitOutcomes)[number];

const transitions: Record<RecurrenceStatus, readonly RecurrenceStatus[]> = {
  creating: ['pending', 'failed'],
  pending: ['active', 'rejected', 'expired', 'cancelled'],
  active: ['cancelled', 'expired'],
  rejected: [],
  expired: [],
  cancelled: [],
  failed: [],
};

export const canBecome = (from: RecurrenceStatus, to: RecurrenceStatus): boolean =>
  transitions[from].includes(to);

/** Whether a payer may still permit it, or it debits. */
export const isOpen = ({ status }: Pick<Recurrence, 'status'>): boolean =>
  status === 'pending' || status === 'active';

/** Whether somebody has decided to end it, and its provider has not done so yet. */
export const isEnding = (recurrence: Pick<Recurrence, 'status' | 'endRequestedAt'>): boolean =>
  isOpen(recurrence) && recurrence.endRequestedAt !== null;

/** A payer's standing permission to debit their account. */
export interface Recurrence {
  id: string;
  organizationId: string;
  mode: Mode;
  apiKeyId: string | null;
  status: RecurrenceStatus;
  /** A code of the provider for why it ended. */
  statusReason: string | null;
  endedBy: EndedBy | null;
  provider: string;
  credentialId: string | null;
  /** The provider's id. */
  reference: string | null;
  /** Null where each debit has an amount of its own. */
  amountInCents: Cents | null;
  /** The least that the payer's limit for one debit can be; only with an amount of its own for each. */
  minimumAmountInCents: Cents | null;
  frequency: Frequency;
  /** The day of the first debit. */
  startDate: CalendarDay;
  /** Null for one without an end. */
  endDate: CalendarDay | null;
  retries: RetryPolicy;
  authorization: Authorization;
  schedule: Schedule;
  contract: string;
  description: string | null;
  externalId: string | null;
  payerName: string;
  payerDocument: string;
  /** Only for one that the payer's bank asks for. */
  payerAccount: PayerAccount | null;
  /** Null where the payer's bank asks. */
  pixCopyPaste: string | null;
  firstPaymentId: string | null;
  createdAt: Date;
  /** Until when a payer may permit it. */
  expiresAt: Date;
  activatedAt: Date | null;
  /** When somebody decided to end it. Nothing is debited from then on, although its provider may not know yet. */
  endRequestedAt: Date | null;
  endedAt: Date | null;
  /** The cycle whose debit is made next; null once there is none, or the caller asks for each. */
  nextDebitOn: CalendarDay | null;
  /** Comes from the request that created it. */
  traceparent: string | null;
}
