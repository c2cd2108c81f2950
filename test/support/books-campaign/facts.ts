import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import type { EventType } from '../../../src/core/events/rules/events.ts';
import type { LiveAccount } from '../live.ts';
import type { EmulatedCharge, EmulatedPix } from '../psp-emulator/ledger.ts';

/** What can go wrong with a Pix, and at which providers; everywhere if it does not say. */
const faults = {
  lost: 'no notification comes',
  told_twice: 'its notification comes twice at the same time',
  told_late: 'its notification comes after the statement, on the same night or days later',
  told_while_imported: 'its notification comes, twice, while the statement is read',
  lagging: 'it is in no list until after midnight',
  lagging_and_lost: 'the same, and no notification comes',
  last_of_day: 'it is received in the last millisecond of the day',
  first_of_day: 'it is received in the first millisecond of the day',
  unmatched: 'somebody pays the key directly',
  unmatched_given_back: 'the same, and it is given back at the bank days later',
  missing: 'the bank forgets it',
  late: 'it is paid after its payment has expired',
  late_given_back: 'the same, and it is given back at the bank days later',
  amount: 'it has another amount',
  amount_given_back: 'the same, and it is given back at the bank days later',
  duplicate: 'a second one comes for the same payment',
  duplicate_given_back: 'the same, and that one is given back at the bank days later',
  refunded: 'it is refunded here, in part or whole',
  reversed_whole: 'it is given or taken back at the bank',
  reversed_in_part: 'the same with a part of it',
  reversed_then_refunded: 'a part is given or taken back at the bank, and another refunded here',
  refunded_then_reversed: 'the other way round, until nothing is left',
  dispute_won: 'it is disputed, and stays',
  dispute_lost: 'it is disputed, and taken',
} as const;

export type Fault = keyof typeof faults;

const where: Partial<Record<Fault, readonly string[]>> = {
  // Elsewhere a charge takes one Pix, of its amount.
  amount: ['bacen'],
  amount_given_back: ['bacen'],
  duplicate: ['bacen'],
  duplicate_given_back: ['bacen'],
  // Banks show only its outcome.
  dispute_won: ['asaas', 'mercadopago', 'woovi'],
  dispute_lost: ['asaas', 'mercadopago', 'woovi'],
};

/** Woovi's list does not tell what left again, so that nobody can know what was given back without a notification. */
const toldOnly: readonly Fault[] = [
  'unmatched_given_back',
  'late_given_back',
  'reversed_whole',
  'reversed_in_part',
  'reversed_then_refunded',
  'refunded_then_reversed',
];

export const faultsAt = (provider: string): Fault[] =>
  (Object.keys(faults) as Fault[]).filter(
    (fault) =>
      (where[fault]?.includes(provider) ?? true) && (provider !== 'woovi' || !toldOnly.includes(fault)),
  );

/** What happened to one Pix: the test's own book, which knows nothing of how the service keeps its. */
export interface Fact {
  account: LiveAccount;
  provider: string;
  /** The day on which it was received. */
  day: string;
  paymentId: string | null;
  inCents: number;
  fault: Fault | 'none';
  /** What has left again at the bank, our refunds included. */
  returned: number;
  /** That its payment must have had in the end, each once. */
  events: EventType[];
  /** When the bank last changed it. */
  changedAt: Date;
  charge: EmulatedCharge;
  pix: EmulatedPix;
}

export const providerOf = ({ emulator }: LiveAccount): string => emulator.psp.name;

export const factOf = (
  account: LiveAccount,
  { charge, pix }: { charge: EmulatedCharge; pix: EmulatedPix },
  about: Partial<Pick<Fact, 'paymentId' | 'fault' | 'events'>> = {},
): Fact => ({
  account,
  provider: providerOf(account),
  day: brasiliaDay(pix.paidAt),
  paymentId: null,
  inCents: Number(pix.amountInCents),
  fault: 'none',
  returned: 0,
  events: [],
  changedAt: pix.paidAt,
  charge,
  pix,
  ...about,
});

/** By the rules of docs/books.md: kind, payment, the bank's amount and ours. */
export function differenceOf({ fault, inCents, returned, paymentId }: Fact): unknown[] {
  const amount = inCents / 100;
  const isLeft = returned < inCents;
  const named = (kind: string, theirs: number | null, ours: number | null, isOpen = true) =>
    isOpen ? [[kind, paymentId, theirs, ours]] : [];
  switch (fault) {
    case 'unmatched':
    case 'unmatched_given_back':
      return named('unmatched_pix', amount, null, isLeft);
    case 'missing':
      return named('missing_pix', null, amount);
    case 'amount':
    case 'amount_given_back':
      return named('amount_differs', amount, (inCents - 1) / 100, isLeft);
    case 'late':
    case 'late_given_back':
      return named('late', amount, amount, isLeft);
    case 'duplicate':
    case 'duplicate_given_back':
      return named('duplicate', amount, amount, isLeft);
    default:
      return [];
  }
}

export function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? [];
    group.push(item);
    groups.set(keyOf(item), group);
  }
  return groups;
}
