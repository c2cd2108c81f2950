import type { Cents } from '../../base/money.ts';

export const disputeStates = ['open', 'won', 'lost'] as const;

/** `won`: the money stays with the merchant. */
export type DisputeState = (typeof disputeStates)[number];

/** A claim on the money of a payment, as its provider reports it. */
export interface Dispute {
  id: string;
  paymentId: string;
  /** The provider's id, unique per payment. */
  pspReference: string;
  state: DisputeState;
  amountInCents: Cents;
  /** A code of the provider. */
  reason: string | null;
  /** The provider's deadline for a defence. */
  defenceUntil: Date | null;
  openedAt: Date | null;
  closedAt: Date | null;
  createdAt: Date;
}
