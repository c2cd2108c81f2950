import type { JsonText } from '../json/json-text.ts';
import type { Cents } from '../money.ts';

export type PayerField = 'name' | 'document' | 'email' | 'phone';

export type Payer = Readonly<Record<PayerField, string | null>>;

/** What a PSP demands and offers, as data. */
export interface PspCapabilities {
  needsPayer: readonly PayerField[];
  /** The expiry that the PSP can hold; outside it gets its nearest, and our own clock does the rest. */
  expiryMinutes: { minimum: number; maximum: number };
  /**
   * `unpaid`: a charge that is paid refuses to be cancelled. `may_refund`: the same request gives back the Pix of one
   * that is, so it is sent only where nobody can or shall pay any more, and never by the clock.
   */
  cancel: 'none' | 'unpaid' | 'may_refund';
  refund: 'none' | 'total' | 'partial';
  /**
   * So long the PSP knows a refund by our id for it, and sending it again gives back nothing more. Zero where
   * every request is a new refund.
   */
  refundIdKeptHours: number;
}

export interface ChargeRequest {
  /** Made by us and stored before the call: the same id never makes a second charge. 32 of `[0-9a-f]`. */
  transactionId: string;
  /** Which of the routing candidates this is, from 0. */
  position: number;
  amountInCents: Cents;
  createdAt: Date;
  expiresAt: Date;
  /** Cut to what the PSP takes. */
  description: string | null;
  payer: Payer;
  metadata: JsonText | null;
  /** Where the PSP shall tell of the payment, for those that take it with the charge. */
  notificationUrl: string | null;
}

/** A charge by our name for it and, once known, the PSP's. */
export interface ChargeName {
  transactionId: string;
  reference: string | null;
}

/** A Pix that the PSP says it received for a charge. */
export interface PspReceivedPix {
  /** Names the Pix for ever. Where a charge takes one Pix only, what names the charge may stand for it. */
  endToEndId: string;
  /** The end-to-end id, once the PSP tells it, where something else stands for it above. */
  toldEndToEndId?: string | undefined;
  amountInCents: Cents;
  /** How much of it has left again, whoever gave or took it back. */
  returnedInCents: Cents;
  paidAt: Date;
}

export interface Charge extends ChargeName {
  /**
   * `contested`: a Pix came, and what is left of it is claimed back or on its way back; until that is decided it is
   * neither received nor returned, so none is shown. `unrecognised`: a word that the mapping does not know; it is
   * never success or failure.
   */
  status: 'active' | 'paid' | 'contested' | 'cancelled' | 'expired' | 'failed' | 'unrecognised';
  amountInCents: Cents;
  /** Null where the PSP tells it at the creation only. */
  pixCopyPaste: string | null;
  expiresAt: Date;
  receivedPix: readonly PspReceivedPix[];
}

export interface RefundRequest extends ChargeName {
  /** Ours and stored before the call. 32 of `[0-9a-f]`. */
  refundId: string;
  /** The PSP's name for it, once known. */
  refundReference: string | null;
  /** What else may have been given back of the payment: none of these is this one. */
  otherRefunds: readonly { reference: string | null; amountInCents: Cents }[];
  endToEndId: string;
  amountInCents: Cents;
}

export interface Refund {
  /** The PSP's name for it, or ours where it has none. A refund that has one was taken and is not sent again. */
  reference: string | null;
  status: 'pending' | 'completed' | 'failed' | 'unrecognised';
}

/**
 * How a call to a PSP went wrong:
 * `rejected` a definite no; `rejected_payer` a definite no to the payer's data, told to the caller;
 * `not_sent` nothing reached the PSP; `unknown` it may or may not have happened.
 */
export type PspFailure = 'rejected' | 'rejected_payer' | 'not_sent' | 'unknown';

/** The message is ours, without the payer's data and without secrets. */
export class PspError extends Error {
  override readonly name = 'PspError';
  readonly failure: PspFailure;

  constructor(failure: PspFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** A question that was refused or not put answers nothing, whatever kept it from being answered. */
export function unanswered(error: unknown): never {
  throw error instanceof PspError ? new PspError('unknown', error.message) : error;
}

/** One account at one PSP. Every method fails with PspError only, and gives up when the signal says so. */
export interface PspAdapter {
  readonly capabilities: PspCapabilities;
  createCharge(request: ChargeRequest, signal: AbortSignal): Promise<Charge>;
  /** Undefined when the PSP is sure that there is no such charge. */
  findCharge(name: ChargeName, signal: AbortSignal): Promise<Charge | undefined>;
  /** Answers the charge as it is then: perhaps it was paid first. */
  cancelCharge(name: ChargeName, signal: AbortSignal): Promise<Charge>;
  refundCharge(request: RefundRequest, signal: AbortSignal): Promise<Refund>;
  /** Undefined when the PSP is sure that there is no such refund. */
  findRefund(request: RefundRequest, signal: AbortSignal): Promise<Refund | undefined>;
  /** Signs in; fails with a message for the operator that says in words what is wrong. */
  check(signal: AbortSignal): Promise<void>;
}

/** A charge as a notification names it: by our id for it, by the PSP's, or by both. */
export interface NotifiedCharge {
  transactionId: string | null;
  reference: string | null;
}

/** What a PSP sent to a notification address, before anything of it is believed. */
export interface RawNotification {
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  query: URLSearchParams;
  body: Buffer;
  /** Whether the connection brought a client certificate that a trusted authority signed. */
  hasTrustedCertificate: boolean;
}

/** The fields of the create request that the PSP demands and the caller did not give. */
export const missingPayerFields = (
  { needsPayer }: Pick<PspCapabilities, 'needsPayer'>,
  payer: Payer,
): string[] => needsPayer.filter((field) => !payer[field]?.trim()).map((field) => `payer.${field}`);
