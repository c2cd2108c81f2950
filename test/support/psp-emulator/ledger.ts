import { randomUUID } from 'node:crypto';
import type { Cents } from '../../../src/core/base/money.ts';
import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import type { DueTerms, Parts } from '../due/second-reckoning.ts';
import { partsOf, totalOf } from './due.ts';

/** Who pays, where the PSP tells it. */
export interface EmulatedPayer {
  name: string;
  /** Digits alone, or with asterisks in place of some. */
  document: string;
}

export interface EmulatedPix {
  endToEndId: string;
  /** What our side knows it by, where that is a name of its charge. */
  recordedAs?: string;
  amountInCents: Cents;
  paidAt: Date;
  /** Where lists lag: when this Pix is in them. */
  listedAt?: Date;
  /** Of a charge with a due date. */
  parts?: Parts;
  payer?: EmulatedPayer;
}

export const recordedIdOf = ({ recordedAs, endToEndId }: EmulatedPix): string => recordedAs ?? endToEndId;

export interface EmulatedRefund {
  refundId: string;
  reference: string;
  endToEndId: string;
  amountInCents: Cents;
  status: 'pending' | 'completed' | 'failed';
  /** In the PSP's words, where it was not given back but taken. */
  reason?: string;
  /** For the payer. */
  message?: string;
  createdAt: Date;
}

export interface NewCharge {
  /** What our side calls it. */
  transactionId: string;
  /** What the PSP calls it. */
  reference: string;
  amountInCents: Cents;
  expiresAt: Date;
  /** On whose terms the amount depends on the day. */
  due?: DueTerms;
  /** What this PSP keeps besides. */
  details?: Record<string, unknown>;
}

export interface EmulatedCharge extends Required<Omit<NewCharge, 'due'>>, Pick<NewCharge, 'due'> {
  createdAt: Date;
  isCancelled: boolean;
  pix: EmulatedPix[];
  refunds: EmulatedRefund[];
}

/** What a PSP remembers. Several charges may bear one transaction id: that is for the PSP to forbid. */
export interface Ledger {
  readonly charges: readonly EmulatedCharge[];
  /** So long a refund that was made stands in no list. */
  refundsHiddenMs: number;
  /** Every refund is taken first and decided by the test, also where this PSP decides at once. */
  decidesRefundsLater: boolean;
  /** For a PSP whose charges take one Pix: what our side knows that by. */
  nameOfPix?: (charge: EmulatedCharge) => string | undefined;
  /** For a PSP with due dates: of what the amount of a day is made up. */
  partsOn?: (charge: EmulatedCharge, terms: DueTerms, day: string) => Parts;
  now(): Date;
  add(charge: NewCharge): EmulatedCharge;
  /** As if the PSP had never had them. */
  remove(...charges: readonly EmulatedCharge[]): void;
  /** The last with the transaction id. */
  find(transactionId: string): EmulatedCharge | undefined;
  findByReference(reference: string): EmulatedCharge | undefined;
  findByEndToEndId(endToEndId: string): EmulatedCharge | undefined;
  /** What is owed on the day, `YYYY-MM-DD`; its amount of a charge without a due date. */
  owedOn(charge: EmulatedCharge, day: string): Cents;
  /** What is owed then, unless another amount is given. */
  pay(charge: EmulatedCharge, amountInCents?: Cents, paidAt?: Date, payer?: EmulatedPayer): EmulatedPix;
  refund(charge: EmulatedCharge, refund: Omit<EmulatedRefund, 'createdAt'>): EmulatedRefund;
  /** Whether lists have it by now. */
  isListed(pix: EmulatedPix): boolean;
  /** Those that a list tells of, oldest first. */
  shownRefunds(charge: EmulatedCharge): EmulatedRefund[];
  statusOf(charge: EmulatedCharge): 'active' | 'paid' | 'cancelled' | 'expired';
}

/** What has left or is about to, but for what is only claimed: a provider takes that of what is left in the end. */
export const refundedInCents = ({ refunds }: EmulatedCharge): bigint =>
  refunds
    .filter(({ status, reason }) => status === 'completed' || (status === 'pending' && reason === undefined))
    .reduce((sum, each) => sum + each.amountInCents, 0n);

/** Of a recurrence, so that it is no charge that could be found as one. */
export const isDebit = ({ details }: Pick<EmulatedCharge, 'details'>): boolean => details['isDebit'] === true;

/** A Pix to the key itself, or to a static code: nobody made a charge of it. */
export const hasNoCharge = ({ details }: Pick<EmulatedCharge, 'details'>): boolean =>
  details['hasNoCharge'] === true;

/** What a decided claim took, where no refund shows it. */
export const takenInCents = ({ details }: Pick<EmulatedCharge, 'details'>): bigint =>
  BigInt(Number(details['takenInCents'] ?? 0));

/** What a charge that takes one Pix has brought, which depends on the day if it has a due date. */
export const receivedInCents = ({ due, pix: [pix], amountInCents }: EmulatedCharge): Cents =>
  due && pix ? pix.amountInCents : amountInCents;

/** What has arrived at the payer again. */
export const returnedInCents = ({ refunds }: EmulatedCharge): bigint =>
  refunds.filter(({ status }) => status === 'completed').reduce((sum, each) => sum + each.amountInCents, 0n);

export function createLedger(now: () => Date): Ledger {
  const charges: EmulatedCharge[] = [];
  /** Benchmarks have tens of thousands. */
  const byTransactionId = new Map<string, EmulatedCharge[]>();
  const partsOn = (charge: EmulatedCharge, day: string): Parts | undefined =>
    charge.due && ledger.partsOn?.(charge, charge.due, day);
  const ledger: Ledger = {
    charges,
    refundsHiddenMs: 0,
    decidesRefundsLater: false,
    now,
    add(charge) {
      const added = { details: {}, ...charge, createdAt: now(), isCancelled: false, pix: [], refunds: [] };
      charges.push(added);
      const others = byTransactionId.get(added.transactionId) ?? [];
      byTransactionId.set(added.transactionId, [...others, added]);
      return added;
    },
    remove(...removed) {
      for (const charge of removed) {
        const { transactionId } = charge;
        const named = byTransactionId.get(transactionId) ?? [];
        if (!named.includes(charge)) throw new Error(`the emulator has no charge ${transactionId}`);
        charges.splice(charges.indexOf(charge), 1);
        byTransactionId.set(
          transactionId,
          named.filter((each) => each !== charge),
        );
      }
    },
    find: (transactionId) => byTransactionId.get(transactionId)?.at(-1),
    findByReference: (reference) => charges.find((each) => each.reference === reference),
    findByEndToEndId: (endToEndId) =>
      charges.find(({ pix }) => pix.some((each) => each.endToEndId === endToEndId)),
    owedOn(charge, day) {
      const owed = partsOn(charge, day);
      return owed ? totalOf(owed) : charge.amountInCents;
    },
    pay(charge, given, paidAt = now(), payer) {
      const day = brasiliaDay(paidAt);
      const owed = partsOn(charge, day);
      const amountInCents = given ?? ledger.owedOn(charge, day);
      const minute = paidAt.toISOString().replace(/\D/g, '').slice(0, 12);
      const endToEndId = `E12345678${minute}${randomUUID().replaceAll('-', '').slice(0, 11)}`;
      const recordedAs = ledger.nameOfPix?.(charge);
      const paid = {
        endToEndId,
        ...(recordedAs && { recordedAs }),
        amountInCents,
        paidAt,
        ...(owed && { parts: partsOf(amountInCents, owed) }),
        ...(payer && { payer }),
      };
      charge.pix.push(paid);
      return paid;
    },
    refund(charge, refund) {
      const added = {
        ...refund,
        ...(ledger.decidesRefundsLater && { status: 'pending' as const }),
        createdAt: now(),
      };
      charge.refunds.push(added);
      return added;
    },
    isListed: ({ listedAt }) => listedAt === undefined || listedAt <= now(),
    shownRefunds({ refunds }) {
      return refunds.filter(({ createdAt }) => createdAt.getTime() + this.refundsHiddenMs <= now().getTime());
    },
    statusOf(charge) {
      if (charge.pix.length > 0) return 'paid';
      if (charge.isCancelled) return 'cancelled';
      return charge.expiresAt <= now() ? 'expired' : 'active';
    },
  };
  return ledger;
}
