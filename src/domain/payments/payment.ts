import type { JsonText } from '../json/json-text.ts';
import type { Mode } from '../mode.ts';
import type { Cents } from '../money.ts';

export const publicStatuses = ['pending', 'completed', 'expired', 'cancelled', 'refunded', 'failed'] as const;

/** The words of `status`, on every interface. */
export type PublicStatus = (typeof publicStatuses)[number];

/** What a person has to look into, until something of the payment was given back. */
export const paymentConcerns = ['duplicated', 'paid_late'] as const;

export type PaymentConcern = (typeof paymentConcerns)[number];

/** `creating`: no provider has answered yet; never shown to a caller. */
export type PaymentStatus = PublicStatus | 'creating';

/**
 * The one table of states. Money received is the truth, so it completes even what had ended without it. Money that
 * had gone back when it was first seen completes nothing.
 */
const transitions: Record<PaymentStatus, readonly PaymentStatus[]> = {
  creating: ['pending', 'failed'],
  pending: ['completed', 'expired', 'cancelled', 'refunded'],
  expired: ['completed', 'refunded'],
  cancelled: ['completed', 'refunded'],
  completed: ['refunded'],
  refunded: [],
  failed: [],
};

export const canBecome = (from: PaymentStatus, to: PaymentStatus): boolean => transitions[from].includes(to);

export interface Payment {
  id: string;
  organizationId: string;
  mode: Mode;
  status: PaymentStatus;
  amountInCents: Cents;
  provider: string;
  description: string | null;
  externalId: string | null;
  payerName: string | null;
  payerDocument: string | null;
  payerEmail: string | null;
  /** For the provider; no response carries it. */
  payerPhone: string | null;
  metadata: JsonText | null;
  pixCopyPaste: string | null;
  pixQrCodeBase64: string | null;
  createdAt: Date;
  expiresAt: Date;
  confirmedAt: Date | null;
  /** What went back: by refunds made here, and otherwise. */
  refundedInCents: Cents;
  /** Names the Pix that paid: its end-to-end id, or what stands for it where the provider does not give it. */
  pixId: string | null;
}

export type JsonObject = { [member: string]: unknown };
