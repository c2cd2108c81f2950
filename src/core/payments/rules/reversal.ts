import { type Cents, cents } from '../../base/money.ts';

/**
 * Why money of a received Pix left again, other than by a refund made here. `med_…` is the special refund mechanism (MED):
 * `natureza` MED_FRAUDE, MED_OPERACIONAL and MED_PIX_AUTOMATICO of the API Pix 2.9.
 */
export const reversalReasons = [
  'returned_at_psp',
  'med_fraud',
  'med_operational_failure',
  'med_automatic_pix',
  'chargeback',
] as const;

export type ReversalReason = (typeof reversalReasons)[number];

export const reversalStatuses = ['pending', 'completed', 'failed'] as const;

export type ReversalStatus = (typeof reversalStatuses)[number];

export interface Reversal {
  id: string;
  paymentId: string;
  /** End-to-end id of the received Pix. */
  endToEndId: string;
  /** The provider's id, unique per Pix; `total:` and a number if the provider reports only how much has left. */
  pspReference: string;
  reason: ReversalReason;
  amountInCents: Cents;
  status: ReversalStatus;
  /** When the money left, as the provider reports it. */
  reversedAt: Date | null;
  createdAt: Date;
}

/** Taken from the merchant, rather than given back. */
export const isTakenBack = ({ reason }: Pick<Reversal, 'reason'>): boolean => reason !== 'returned_at_psp';

export type KnownReversal = Pick<Reversal, 'pspReference' | 'amountInCents' | 'status' | 'reason'>;

export const sum = (items: readonly { amountInCents: Cents }[]): bigint =>
  items.reduce((total, { amountInCents }) => total + amountInCents, 0n);

/** Adds up the reversals of a Pix: what has left, how much of that was taken back, and what is about to leave. */
export function sumsOf(reversals: readonly KnownReversal[]) {
  const completed = reversals.filter(({ status }) => status === 'completed');
  return {
    returnedInCents: cents(sum(completed)),
    takenBackInCents: cents(sum(completed.filter(isTakenBack))),
    pendingInCents: cents(sum(reversals.filter(({ status }) => status === 'pending'))),
  };
}
