import type { Cents } from './money.ts';
import type { JsonObject } from './payment.ts';

/** What a PSP demands and offers, as data. */
export interface PspCapabilities {
  needsPayer: readonly ('name' | 'document' | 'email' | 'phone')[];
  cancel: boolean;
}

export interface ChargeRequest {
  /** Made by us and stored before the call: the same id never makes a second charge. */
  transactionId: string;
  /** Which of the routing candidates this is, from 0. */
  position: number;
  amountInCents: Cents;
  createdAt: Date;
  expiresAt: Date;
  metadata: JsonObject | null;
}

/** A Pix that the PSP says it received for a charge. */
export interface PspReceivedPix {
  endToEndId: string;
  amountInCents: Cents;
  paidAt: Date;
}

export interface Charge {
  transactionId: string;
  /** The PSP's own name for the charge, when it has one. */
  reference: string | null;
  /** `unrecognised`: a word that the mapping does not know; it is never success or failure. */
  status: 'active' | 'paid' | 'cancelled' | 'expired' | 'unrecognised';
  amountInCents: Cents;
  pixCopyPaste: string;
  expiresAt: Date;
  receivedPix: readonly PspReceivedPix[];
}

/**
 * How a call to a PSP went wrong:
 * `rejected` a definite no; `rejected_payer` a definite no to the payer's data, told to the caller;
 * `not_sent` nothing reached the PSP; `unknown` it may or may not have happened.
 */
export type PspFailure = 'rejected' | 'rejected_payer' | 'not_sent' | 'unknown';

export class PspError extends Error {
  override readonly name = 'PspError';
  readonly failure: PspFailure;

  constructor(failure: PspFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** One account at one PSP. Every method fails with PspError only. */
export interface PspAdapter {
  readonly capabilities: PspCapabilities;
  createCharge(request: ChargeRequest): Promise<Charge>;
  /** Undefined when the PSP is sure that there is no such charge. */
  findCharge(transactionId: string): Promise<Charge | undefined>;
  cancelCharge(transactionId: string): Promise<Charge>;
}
