import type { Mode } from '../../base/mode.ts';
import { type Cents, reaisFromCents } from '../../base/money.ts';
import type { DueTerms } from '../../payments/rules/due/due-terms.ts';
import {
  type DueSupport,
  missingAddressMembers,
  unsupportedTerms,
} from '../../providers/rules/due-support.ts';
import type { Authorization } from '../../recurrences/rules/recurrence.ts';
import type { Payer, PayerField } from '../../providers/rules/charge.ts';
import { exactFeeOf, type FeeTerms } from '../../providers/rules/fees/fees.ts';
import type { AmountLimits } from '../../providers/rules/psp.ts';
import { includesMoment, type TimeWindow } from './time-window.ts';

export interface RoutableCredential {
  id: string;
  provider: string;
  enabled: boolean;
  /** Payer fields that the account requires to create a charge. */
  needsPayer: readonly PayerField[];
  /** What its provider accepts. */
  amountLimits: AmountLimits;
  /** What a received Pix costs; null or absent where nobody has said. */
  fees?: FeeTerms | null | undefined;
  /** The terms that its provider takes; undefined if it has no charges with a due date. */
  due?: DueSupport | undefined;
  /** How its provider lets payers permit recurrences; undefined if it has none. */
  recurrences?: readonly Authorization[] | undefined;
}

/** How candidates of equal standing are put in order, other than as they are listed. */
export const preferences = ['cheapest'] as const;

export type Preference = (typeof preferences)[number];

/** The limit per rule set; it applies to fallbacks as well. */
export const maximumRanges = 100;

export interface RoutingRules {
  /** The first window that includes the moment of the payment goes before everything else. */
  when: readonly TimeWindow[];
  /** Inclusive at both ends, in the order of the rule set. */
  ranges: readonly { fromCents: Cents; toCents: Cents; credentialId: string }[];
  /** Shares of the payments that no range takes; what they leave of 100 goes to the default. */
  split: readonly Share[];
  defaultCredentialId: string | null;
  fallbackCredentialIds: readonly string[];
  /** Between the ranges that contain the amount, and between the fallbacks. Absent in rules that are older. */
  prefer?: Preference | null | undefined;
}

interface Share {
  credentialId: string;
  /** Whole number from 1 to 100. */
  percent: number;
}

export type RoutingReason =
  | 'requested'
  | 'time_window'
  | 'price_range'
  | 'cheapest'
  | 'split'
  | 'default'
  | 'fallback'
  | 'default_fallback'
  | 'diverted'
  | 'probe'
  | 'no_credential';

/** What an organization decides for all payments that do not name their credential. */
export interface OrganizationRoutes {
  defaultId: string | null;
  /** They are tried after the default, and wherever a rule set leaves the default to the organization. */
  defaultFallbackIds: readonly string[];
  /** From a credential to the one that takes its turn first, such as during an outage. */
  diversions: Readonly<Record<string, string>>;
  /** Credentials that an open alert says cannot create live charges now; none in test mode. */
  failingIds: readonly string[];
}

/** Everything that decides where a payment by these rules goes. */
export interface RoutingBy {
  mode: Mode;
  rules: RoutingRules;
  routes: OrganizationRoutes;
  credentials: ReadonlyMap<string, RoutableCredential>;
}

/** Every credential that the organization's routes lead to, without its default. */
export const credentialIdsOfRoutes = ({ defaultFallbackIds, diversions }: OrganizationRoutes): string[] => [
  ...defaultFallbackIds,
  ...Object.values(diversions),
];

/** Every credential that the rules refer to. */
export const credentialIdsOf = (rules: RoutingRules): string[] => [
  ...[...rules.when, ...rules.ranges, ...rules.split].map(({ credentialId }) => credentialId),
  ...(rules.defaultCredentialId ? [rules.defaultCredentialId] : []),
  ...rules.fallbackCredentialIds,
];

/** Why a credential can take no payment at all; null when it can. */
export function unusableReason(
  mode: Mode,
  { enabled, provider }: Pick<RoutableCredential, 'enabled' | 'provider'>,
): 'disabled' | 'sandbox_only' | null {
  if (!enabled) return 'disabled';
  // A live payment in the sandbox would be a code that nobody can pay.
  return mode === 'live' && provider === 'sandbox' ? 'sandbox_only' : null;
}

export type UnusableReason = NonNullable<ReturnType<typeof unusableReason>>;

/** Why a provider does not accept the amount; null when it does. */
export function amountReason(
  { minimum, maximum }: AmountLimits,
  amountInCents: Cents,
): 'amount_too_small' | 'amount_too_large' | null {
  if (minimum !== undefined && amountInCents < minimum) return 'amount_too_small';
  return maximum !== undefined && amountInCents > maximum ? 'amount_too_large' : null;
}

/** Says the limits in words, with amounts in BRL. */
export const amountRule = ({ minimum, maximum }: AmountLimits): string =>
  [
    ...(minimum === undefined ? [] : [`at least ${reaisFromCents(minimum).toFixed(2)}`]),
    ...(maximum === undefined ? [] : [`at most ${reaisFromCents(maximum).toFixed(2)}`]),
  ].join(' and ');

/** What the choice of a credential depends on beside the payer's fields that it needs. */
export interface RoutedAmount {
  amountInCents: Cents;
  /** Null without a due date. */
  due: DueTerms | null;
  /** Absent while nobody knows who pays. */
  payer?: Payer;
  /** Set for a recurrence. */
  authorization?: Authorization;
}

/** Why a provider takes no charge with these terms from this payer; null when it does. */
function dueReason(
  { due: support }: Pick<RoutableCredential, 'due'>,
  { due, payer }: RoutedAmount,
): 'due_not_supported' | 'address_incomplete' | null {
  if (!due) return null;
  if (!support || unsupportedTerms(support, due).length > 0) return 'due_not_supported';
  return missingAddressMembers(support, payer?.address).length > 0 ? 'address_incomplete' : null;
}

/** Why a provider takes no recurrence that is permitted so; null when it does. */
const recurrenceReason = (
  { recurrences = [] }: Pick<RoutableCredential, 'recurrences'>,
  authorization: Authorization | undefined,
): 'recurrence_not_supported' | null =>
  authorization && !recurrences.includes(authorization) ? 'recurrence_not_supported' : null;

/** Why a credential does not take a payment; null when it does. */
export const skipReason = (mode: Mode, credential: RoutableCredential, routed: RoutedAmount) =>
  unusableReason(mode, credential) ??
  amountReason(credential.amountLimits, routed.amountInCents) ??
  dueReason(credential, routed) ??
  recurrenceReason(credential, routed.authorization);

export type SkipReason = NonNullable<ReturnType<typeof skipReason>>;

export interface Candidate {
  credential: RoutableCredential;
  reason: RoutingReason;
  /** Whether a split decides when it is the first. */
  isShare: boolean;
}

export type RoutingChoice =
  | { by: 'credential'; credential: RoutableCredential }
  | { by: 'rule_set'; rules: RoutingRules }
  | { by: 'default' };

type Turn = readonly [credentialId: string, reason: RoutingReason, isShare?: boolean];

/** A credential that is diverted stays behind the one that takes its turn, in case that one fails as well. */
function diverted([id, reason, isShare]: Turn, diversions: OrganizationRoutes['diversions']): Turn[] {
  const turns: Turn[] = [[id, reason, isShare]];
  for (let to = diversions[id]; to !== undefined && turns.every(([each]) => each !== to); to = diversions[to])
    turns.unshift([to, 'diverted', isShare]);
  return turns;
}

export const noRules: RoutingRules = {
  when: [],
  ranges: [],
  split: [],
  defaultCredentialId: null,
  fallbackCredentialIds: [],
};

/**
 * The shares of a split and the default, which has what they leave of 100. The one that the lot falls on comes first, and the
 * others stand in for it. Without a lot they keep their order.
 */
function turnsOfSplit({ split }: RoutingRules, defaultId: string | null, lot: number | undefined): Turn[] {
  const isDefaultShare = split.length > 0 && leftOf(split) > 0;
  const turns: Turn[] = [
    ...split.map(({ credentialId }): Turn => [credentialId, 'split', true]),
    ...(defaultId === null ? [] : [[defaultId, 'default', isDefaultShare] satisfies Turn]),
  ];
  if (lot === undefined) return turns;
  let end = 0;
  const drawn = turns.at(split.findIndex(({ percent }) => lot * 100 < (end += percent)));
  const others = turns.filter((each) => each !== drawn);
  return [
    ...(drawn ? [drawn] : []),
    ...others.map(([id, reason, isShare]): Turn => [id, reason === 'split' ? 'fallback' : reason, isShare]),
  ];
}

/** What the shares leave of 100. */
const leftOf = (split: readonly Share[]): number => split.reduce((left, { percent }) => left - percent, 100);

/** Each part of a hundred payments that a split sends the same way, with a lot that falls into it. */
export function partsOf({ split }: Pick<RoutingRules, 'split'>): { percent: number; lot: number }[] {
  let end = 0;
  return [...split, { percent: leftOf(split) }].map(({ percent }) => {
    end += percent;
    return { percent, lot: (end - percent / 2) / 100 };
  });
}

/** What decides between the entries of a rule set. */
export interface RoutedMoment {
  amountInCents: Cents;
  /** What the clock says by which the payment goes. */
  at: Date;
  /** From 0 up to 1, evenly spread over payments and always the same for one. Absent where no payment is meant. */
  lot?: number;
}

/**
 * The cheapest first, and those that cost the same as they are listed. Where the fees of one are unknown nothing can be compared,
 * so the order stays.
 */
function cheapestFirst(
  turns: readonly Turn[],
  amountInCents: Cents,
  credentials: ReadonlyMap<string, Pick<RoutableCredential, 'fees'>>,
): readonly Turn[] {
  const priced = turns.flatMap((turn) => {
    const fees = credentials.get(turn[0])?.fees;
    return fees ? [{ turn, fee: exactFeeOf(fees, amountInCents) }] : [];
  });
  if (priced.length < turns.length) return turns;
  const sorted = priced
    .toSorted((a, b) => (a.fee < b.fee ? -1 : a.fee > b.fee ? 1 : 0))
    .map(({ turn }) => turn);
  return sorted.map((turn, place) => (place === 0 && turn !== turns[0] ? [turn[0], 'cheapest'] : turn));
}

/**
 * Returns the credentials to try, in order and without duplicates: the window that includes the moment, ranges that include the
 * amount, the split, the default (the organization's when the rule set has none), the fallbacks, those of the organization's
 * default. A rule set may prefer the cheapest of its ranges and fallbacks. Disabled ones are included so that the caller can
 * record why they were skipped. A credential that was asked for is never diverted.
 */
export function routeCandidates(
  choice: RoutingChoice,
  { amountInCents, at, lot }: RoutedMoment,
  { defaultId: organizationDefaultId, defaultFallbackIds, diversions }: OrganizationRoutes,
  credentials: ReadonlyMap<string, RoutableCredential>,
): Candidate[] {
  if (choice.by === 'credential')
    return [{ credential: choice.credential, reason: 'requested', isShare: false }];
  const rules = choice.by === 'rule_set' ? choice.rules : noRules;
  const defaultId = rules.defaultCredentialId ?? organizationDefaultId;
  const ofDefault = rules.defaultCredentialId === null ? defaultFallbackIds : [];
  const window = rules.when.find((each) => includesMoment(each, at));
  const preferred = (turns: readonly Turn[]) =>
    rules.prefer === 'cheapest' ? cheapestFirst(turns, amountInCents, credentials) : turns;
  const ordered: Turn[] = [
    ...(window ? [[window.credentialId, 'time_window'] satisfies Turn] : []),
    ...preferred(
      rules.ranges
        .filter(({ fromCents, toCents }) => fromCents <= amountInCents && amountInCents <= toCents)
        .map(({ credentialId }): Turn => [credentialId, 'price_range']),
    ),
    ...turnsOfSplit(rules, defaultId, lot),
    ...preferred(rules.fallbackCredentialIds.map((id): Turn => [id, 'fallback'])),
    ...ofDefault.map((id): Turn => [id, 'default_fallback']),
  ];
  const seen = new Set<string>();
  return ordered
    .flatMap((turn) => diverted(turn, diversions))
    .flatMap(([id, reason, isShare = false]) => {
      const credential = credentials.get(id);
      if (!credential || seen.has(id)) return [];
      seen.add(id);
      return [{ credential, reason, isShare }];
    });
}
