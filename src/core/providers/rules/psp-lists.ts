import type { Cents } from '../../base/money.ts';
import type { NotifiedCharge, PspDispute } from './charge.ts';

/** A span of a PSP's list of received money; `until` is excluded. */
export interface ReceivedWindow {
  since: Date;
  until: Date;
  /** Where the window before this one, if there was one, began to list. */
  bookmark: string | null;
}

/** A page of what a PSP lists as received, in any order. It may name charges of other systems, and some charges twice. */
export interface ReceivedPage {
  charges: readonly NotifiedCharge[];
  /** What the page tells of received Pix, with or without a charge, for PSPs whose list is enough for books. */
  pix?: readonly StatementPix[];
  /** Where the list goes on; null at its end. */
  nextCursor: string | null;
  /** The first page of a window has it, for the next window. Null when times alone tell what is new. */
  bookmark: string | null;
}

/** A page of the charges that a PSP lists by creation. It may name charges of other systems, and some charges twice. */
export type ChargesPage = Pick<ReceivedPage, 'charges' | 'nextCursor'>;

/** A claim, by the Pix whose money is claimed. Its amount may be more than that Pix. */
export interface ListedDispute extends PspDispute {
  endToEndId: string;
}

/** A page of claims, in any order. It may have some on the Pix of other systems. */
export interface DisputesPage {
  disputes: readonly ListedDispute[];
  /** Where the list goes on; null at its end. */
  nextCursor: string | null;
}

/** A Pix as a PSP's statement lists it. */
export interface StatementPix {
  /** Unique in the account: the end-to-end id if every list has it, otherwise the PSP's id of the charge or line. */
  reference: string;
  endToEndId: string | null;
  /** How the list names its charge: by our id, the PSP's, both or neither. */
  charge: NotifiedCharge;
  amountInCents: Cents;
  /** How much of it has left again, and how much of that was taken back; null when the list does not tell. */
  returnedInCents: Cents | null;
  reversedInCents: Cents | null;
  feeInCents: Cents | null;
  receivedAt: Date;
}

/** What names a Pix and its charge. */
export type NamedPix = Pick<StatementPix, 'reference' | 'endToEndId' | 'charge'>;

/** An item of a statement that could not be read. */
export interface UnreadableItem {
  /** The reference of a `StatementPix` if it has one, otherwise whatever stays the same for as long as the item does. */
  reference: string;
  endToEndId: string | null;
  /** Null if the time itself cannot be read. */
  receivedAt: Date | null;
  /** The members that could not be read; none if it is the whole item. */
  members: readonly string[];
}

export interface StatementPage {
  pix: readonly StatementPix[];
  unreadable?: readonly UnreadableItem[];
  /** Where the list goes on; null at its end. */
  nextCursor: string | null;
  /** The page belongs to another list than the pages before it, so the list must be read again from the start. */
  hasChanged: boolean;
}
