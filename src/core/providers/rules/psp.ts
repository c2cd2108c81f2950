import type { Cents } from '../../base/money.ts';
import type { CalendarDay } from '../../base/time/calendar-day.ts';
import type { Authorization } from '../../recurrences/rules/recurrence.ts';
import type {
  Charge,
  ChargeIds,
  ChargeOutcome,
  ChargeRequest,
  DisputeAnswerRequest,
  Payer,
  PayerField,
  Refund,
  RefundRequest,
  RevisionRequest,
  SoughtCharge,
} from './charge.ts';
import type { AnswerSupport } from '../../disputes/rules/dispute.ts';
import type { DueSupport } from './due-support.ts';
import type {
  ChargesPage,
  DisputesPage,
  ReceivedPage,
  ReceivedWindow,
  StatementPage,
  StatementPix,
} from './psp-lists.ts';
import type { PspRecurrence, RecurrenceIds, RecurrenceRequest } from './psp-recurrence.ts';

/** Inclusive. An end is absent when the PSP has no limit of its own. */
export interface AmountLimits {
  minimum?: Cents;
  maximum?: Cents;
}

/** What a PSP requires and supports, as data. */
export interface PspCapabilities {
  needsPayer: readonly PayerField[];
  /** Holds for every credential, whatever its settings. Absent when any amount is accepted. */
  amountInCents?: AmountLimits;
  /** The expiries that the PSP supports. Any other is replaced by the nearest one, and our own clock does the rest. */
  expiryMinutes: { minimum: number; maximum: number };
  /**
   * `unpaid`: a paid charge refuses to be cancelled. `may_refund`: the same request would refund a paid charge, so it is sent
   * only when nobody can or should pay any more, and never by a timer.
   */
  cancel: 'none' | 'unpaid' | 'may_refund';
  /** A charge that nobody paid is found by the PSP's id alone. */
  hidesUnpaid?: true;
  refund: 'none' | 'total' | 'partial';
  /**
   * How long the PSP recognises a refund by our id, so that sending it again refunds nothing more. Zero when every request is a
   * new refund.
   */
  refundIdRetentionHours: number;
  /**
   * How the PSP learns where to send notifications: registered by `api`, sent with each charge, or entered in its `panel` by a
   * person. `none`: it notifies within the process.
   */
  webhookRegistration: 'api' | 'per_charge' | 'panel' | 'none';
  /** What a charge with a due date may ask for. Absent when the PSP has none. */
  due?: DueSupport;
  /** How payers can permit recurrences. Absent when the PSP has none. */
  recurrences?: readonly Authorization[];
  /** Business days before its day by which a debit must be sent; two, unless the PSP makes debits by itself and ours follow them. */
  leastDebitDays?: number;
  /** How claims can be answered. Absent when only the PSP's panel takes answers. */
  answers?: AnswerSupport | undefined;
  /** The panel in which people answer claims. */
  disputePanel?: string | undefined;
  /** Why the PSP's lists are not enough to keep books. */
  noStatement?: string;
}

/** Whose API it is, and whether its money is real. */
export interface AccountKind {
  /** Null without a preset. */
  preset: string | null;
  /** `unknown`: the bank has no preset, so that its address in production is not known. */
  environment: 'test' | 'production' | 'unknown';
  /** Whether it follows the Banco Central's API Pix, as banks with and without a preset do. */
  isApiPix: boolean;
}

/** What the PSP has on record for the notifications of a credential. */
export interface PspWebhook {
  url: string;
  /** `incomplete`: it has other events or another secret than ours. */
  state: 'active' | 'paused' | 'incomplete';
}

/** One account at one PSP. Methods fail only with a PspError, and stop when the signal aborts. */
export interface PspAdapter {
  readonly capabilities: PspCapabilities;
  createCharge(request: ChargeRequest, signal: AbortSignal): Promise<Charge>;
  /** Undefined when the PSP is certain that no such charge exists. */
  findCharge(ids: SoughtCharge, signal: AbortSignal): Promise<Charge | undefined>;
  /** Returns the charge as it is afterwards; the same again changes nothing. Absent where charges with a due date cannot be changed. */
  reviseCharge?(request: RevisionRequest, signal: AbortSignal): Promise<Charge>;
  /** Returns the charge as it is afterwards, which may be paid. */
  cancelCharge(ids: ChargeIds, signal: AbortSignal): Promise<ChargeOutcome>;
  refundCharge(request: RefundRequest, signal: AbortSignal): Promise<Refund>;
  /** Undefined when the PSP is certain that no such refund exists. */
  findRefund(request: RefundRequest, signal: AbortSignal): Promise<Refund | undefined>;
  /**
   * A page of what was received in a window, for PSPs that list it by time. The cursor is null for the first page. The list may
   * lag, and says too little to confirm a payment.
   */
  listReceived?(window: ReceivedWindow, cursor: string | null, signal: AbortSignal): Promise<ReceivedPage>;
  /**
   * A page of every Pix received in a window, whoever made its charge and whatever became of it, for PSPs whose list is enough
   * for books. May list a Pix of the window's very end, which belongs to the next.
   */
  listStatement?(
    window: Pick<ReceivedWindow, 'since' | 'until'>,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<StatementPage>;
  /**
   * A received Pix as the statement lists it, whoever made its charge. Undefined when the PSP knows no such Pix. Absent where
   * none is told of but by its charge.
   */
  findPix?(endToEndId: string, signal: AbortSignal): Promise<StatementPix | undefined>;
  /**
   * A page of the charges created in a window, whatever became of them, for PSPs that list them by our id. May also list some
   * created shortly before or after.
   */
  listCharges?(
    window: Pick<ReceivedWindow, 'since' | 'until'>,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<ChargesPage>;
  /**
   * A page of the claims that the PSP lists in a window, for PSPs whose charges do not tell of them. Their time in the list may be
   * that of the Pix or of any change to them.
   */
  listDisputes?(
    window: Pick<ReceivedWindow, 'since' | 'until'>,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<DisputesPage>;
  /** Makes a recurrence and its first charge; the same again returns what was made. These three only with `recurrences`. */
  createRecurrence?(request: RecurrenceRequest, signal: AbortSignal): Promise<PspRecurrence>;
  /** Undefined when the PSP is certain that no such recurrence exists. */
  findRecurrence?(ids: RecurrenceIds, signal: AbortSignal): Promise<PspRecurrence | undefined>;
  /** Returns the recurrence as it is afterwards. */
  cancelRecurrence?(ids: RecurrenceIds, signal: AbortSignal): Promise<PspRecurrence>;
  /**
   * Has the payer's bank asked for a failed debit again on another day; the same again changes nothing.
   * Absent where the PSP does so by itself, on days of its own.
   */
  retryDebit?(ids: ChargeIds, on: CalendarDay, signal: AbortSignal): Promise<Charge>;
  /**
   * Answers a claim. Only with `answers`; the same again changes nothing. Fails as `rejected` only when the PSP certainly has no
   * answer of ours.
   */
  answerDispute?(request: DisputeAnswerRequest, signal: AbortSignal): Promise<void>;
  /** Fetches a new access token. Absent when every request carries the key itself. */
  signIn?(signal: AbortSignal): Promise<void>;
  /** Our webhook, or the only one that the PSP can have. Like `registerWebhook`, only with `webhookRegistration: 'api'`. */
  findWebhook?(notificationUrl: string, signal: AbortSignal): Promise<PspWebhook | undefined>;
  /** Creates or corrects our webhook; `findWebhook` then returns the outcome. */
  registerWebhook?(notificationUrl: string, signal: AbortSignal): Promise<void>;
}

/** A notification as received, before anything in it is trusted. */
export interface RawNotification {
  /** The names are in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  query: URLSearchParams;
  body: Buffer;
  /** Whether the client presented a certificate signed by a trusted authority. */
  hasTrustedCertificate: boolean;
}

/** `unproven`: nothing proves where it came from, but we may look at the charge it names, now and then. */
export type Verdict = boolean | 'unproven';

/** Fields that the PSP requires and the caller left out. */
export const missingPayerFields = (
  { needsPayer }: Pick<PspCapabilities, 'needsPayer'>,
  payer: Payer,
): string[] => needsPayer.filter((field) => !payer[field]?.trim()).map((field) => `payer.${field}`);
