import type { JsonText } from '../../base/json/json-text.ts';
import type { Mode } from '../../base/mode.ts';
import type { Cents } from '../../base/money.ts';
import type { Address } from './address.ts';
import type { Debit } from '../../recurrences/rules/debit.ts';
import type { Due } from './due/due.ts';
import type { PaidParts } from './due/paid.ts';
import type { PixPayer } from './pix-payer.ts';

export const publicStatuses = ['pending', 'completed', 'expired', 'cancelled', 'refunded', 'failed'] as const;

/** Values of `status` in every API. */
export type PublicStatus = (typeof publicStatuses)[number];

/** Each needs a person's attention until some of the payment is refunded or the dispute is decided. */
export const paymentConcerns = [
  'duplicated',
  'paid_late',
  'amount_differs',
  'other_payer',
  'disputed',
] as const;

export type PaymentConcern = (typeof paymentConcerns)[number];

/** The orders of a list; `paid` lists only payments that were paid, `due` only those with a due date. */
export const paymentSorts = ['created', 'amount', 'paid', 'due'] as const;

export type PaymentSort = (typeof paymentSorts)[number];

/** What became of an attempt to create a charge. `planned`: in the routing order, not called yet; `open`: being called. */
export const attemptOutcomes = [
  'planned',
  'open',
  'created',
  'rejected',
  'not_sent',
  'unknown',
  'skipped',
  'not_created',
  'withdrawn',
] as const;

export type AttemptOutcome = (typeof attemptOutcomes)[number];

export const sortOrders = ['desc', 'asc'] as const;

export type SortOrder = (typeof sortOrders)[number];

/** `creating`: no provider has replied yet; never shown to callers. */
export type PaymentStatus = PublicStatus | 'creating';

/**
 * The state machine. Received money wins, so a payment that ended unpaid can still complete; money that had already been
 * returned when first seen completes nothing.
 */
const transitions: Record<PaymentStatus, readonly PaymentStatus[]> = {
  creating: ['pending', 'failed'],
  // Only a debit fails after it was created.
  pending: ['completed', 'expired', 'cancelled', 'refunded', 'failed'],
  expired: ['completed', 'refunded'],
  cancelled: ['completed', 'refunded'],
  completed: ['refunded'],
  refunded: [],
  failed: ['completed', 'refunded'],
};

export const canBecome = (from: PaymentStatus, to: PaymentStatus): boolean => transitions[from].includes(to);

/** Whether money arrived, even if it has left again. */
export const hasBeenPaid = ({ status }: { status: PaymentStatus }): boolean =>
  status === 'completed' || status === 'refunded';

export interface Payment {
  id: string;
  organizationId: string;
  mode: Mode;
  status: PaymentStatus;
  amountInCents: Cents;
  provider: string;
  description: string | null;
  externalId: string | null;
  /** The access key of the invoice that it is for. */
  fiscalDocument: string | null;
  payerName: string | null;
  payerDocument: string | null;
  payerEmail: string | null;
  /** Sent only to the provider; never part of a response. */
  payerPhone: string | null;
  payerAddress: Address | null;
  metadata: JsonText | null;
  pixCopyPaste: string | null;
  /** The transaction id that banks know the charge by; null where its provider does not tell it. */
  txid: string | null;
  createdAt: Date;
  expiresAt: Date;
  confirmedAt: Date | null;
  /** When it was cancelled, also if a late Pix has paid it since; null as well for those that an earlier release cancelled. */
  cancelledAt: Date | null;
  /** Everything that left again, by our refunds or otherwise. */
  refundedInCents: Cents;
  /** The part of `refundedInCents` that the special refund mechanism or a chargeback took back. */
  reversedInCents: Cents;
  /** Whether a dispute is open. */
  disputed: boolean;
  /** Null unless it is a charge with a due date, whose amount depends on the day. */
  due: Due | null;
  /** How often terms, amount, description or metadata were changed. */
  revision: number;
  /** Whether its due date has passed and its provider, asked after that, knew of no Pix. */
  overdue: boolean;
  /** The recurrence whose debit it is; null for any other payment. */
  recurrenceId: string | null;
  debit: Debit | null;
  /** Null until a charge with a due date is paid. */
  paidInCents: Cents | null;
  /** What `paidInCents` consists of; null as well where nothing explains it. */
  paidParts: PaidParts | null;
  /**
   * Identifies the Pix that paid: its end-to-end id, or a stand-in where the provider does not report one.
   */
  pixId: string | null;
  /** Who paid that Pix, as far as the provider tells it. */
  paidBy: PixPayer | null;
}

/** What came in, or should: only a charge with a due date is paid with another amount than it was made for. */
export const receivedOf = ({
  paidInCents,
  amountInCents,
}: Pick<Payment, 'paidInCents' | 'amountInCents'>): Cents => paidInCents ?? amountInCents;

type Privacy = 'payer' | 'payer JSON' | 'Pix payer' | 'free text' | 'free JSON' | 'code' | 'none';

/**
 * What happens to each member when the payer is forgotten. The pseudonym replaces `payer` members, and `payer JSON` is removed, as
 * is `Pix payer` from the received Pix; in
 * `free text` and `free JSON`, which callers write, it replaces whatever names the payer; a `code` that names them is removed;
 * `none` stays, because only we and the provider write it. A missing member does not compile.
 */
export const paymentPrivacy = {
  id: 'none',
  organizationId: 'none',
  mode: 'none',
  status: 'none',
  amountInCents: 'none',
  provider: 'none',
  description: 'free text',
  externalId: 'free text',
  fiscalDocument: 'free text',
  payerName: 'payer',
  payerDocument: 'payer',
  payerEmail: 'payer',
  payerPhone: 'payer',
  payerAddress: 'payer JSON',
  metadata: 'free JSON',
  pixCopyPaste: 'code',
  txid: 'none',
  createdAt: 'none',
  expiresAt: 'none',
  confirmedAt: 'none',
  cancelledAt: 'none',
  refundedInCents: 'none',
  reversedInCents: 'none',
  disputed: 'none',
  due: 'none',
  revision: 'none',
  overdue: 'none',
  recurrenceId: 'none',
  debit: 'none',
  paidInCents: 'none',
  paidParts: 'none',
  pixId: 'none',
  paidBy: 'Pix payer',
} as const satisfies Record<keyof Payment, Privacy>;

type PrivacyOf = typeof paymentPrivacy;

export type MembersOf<Class extends Privacy> = {
  [Name in keyof Payment]: PrivacyOf[Name] extends Class ? Name : never;
}[keyof Payment];

export const paymentMembers = Object.keys(paymentPrivacy) as (keyof Payment)[];

const membersOf = <Class extends Privacy>(wanted: Class): MembersOf<Class>[] =>
  paymentMembers.filter((name): name is MembersOf<Class> => paymentPrivacy[name] === wanted);

export const payerMembers = membersOf('payer');

export const payerJsonMembers = membersOf('payer JSON');

export const pixPayerMembers = membersOf('Pix payer');

export type FreeTexts = Record<MembersOf<'free text'>, string | null>;

/** Texts that callers send. Creating, reading and forgetting a payment go through all of them, so that none is left out. */
export const freeTexts = membersOf('free text');

/** Calls the function with the name of each free text; null stands for no text. */
export const freeTextsOf = (of: (name: keyof FreeTexts) => string | null | undefined): FreeTexts =>
  Object.fromEntries(freeTexts.map((name) => [name, of(name) ?? null])) as FreeTexts;
