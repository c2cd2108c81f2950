import {
  type Cents,
  maximumAmountInReais,
  minimumAmountInReais,
  reaisFromCents,
  cents,
  centsFromReais,
} from './money.ts';
import type { RoutableCredential, RoutingRules } from './routing.ts';

type Range = RoutingRules['ranges'][number];

export interface RuleSetWarning {
  kind: 'gap' | 'overlap' | 'unreachable' | 'disabled' | 'unknown_credential';
  message: string;
}

const largest = centsFromReais(maximumAmountInReais) ?? cents(0);
const smallest = centsFromReais(minimumAmountInReais) ?? cents(1);

const brl = (amount: Cents): string => reaisFromCents(amount).toFixed(2);
const between = (from: Cents, to: Cents): string => (from === to ? brl(from) : `${brl(from)} to ${brl(to)}`);

/**
 * What an operator would want to know before a payer finds out. A gap is a warning only where nothing else
 * would take the amount: neither a default nor a fallback.
 */
export function lintRuleSet(
  rules: RoutingRules,
  organizationDefaultId: string | null,
  credentials: ReadonlyMap<string, RoutableCredential>,
): RuleSetWarning[] {
  const alwaysTried = [
    rules.defaultCredentialId ?? organizationDefaultId,
    ...rules.fallbackCredentialIds,
  ].filter((id) => id !== null);
  const isUsable = (id: string) => credentials.get(id)?.enabled === true;
  return [
    ...(alwaysTried.some(isUsable) ? [] : gaps(rules, isUsable)),
    ...overlaps(rules),
    ...unreachable(rules, alwaysTried, isUsable),
    ...unusable(rules, alwaysTried, credentials),
  ];
}

/** What of `from` to `to` is in none of the ranges, in ascending order. */
function uncovered(ranges: readonly Range[], from: Cents, to: Cents): { from: Cents; to: Cents }[] {
  const left: { from: Cents; to: Cents }[] = [];
  let next: bigint = from;
  const inside = ranges.filter(({ fromCents, toCents }) => fromCents <= to && toCents >= from);
  const sorted = inside.toSorted((a, b) => (a.fromCents < b.fromCents ? -1 : 1));
  for (const { fromCents, toCents } of [...sorted, { fromCents: cents(to + 1n), toCents: to }]) {
    if (fromCents > next) left.push({ from: cents(next), to: cents(fromCents - 1n) });
    if (toCents >= next) next = toCents + 1n;
  }
  return left;
}

function gaps({ ranges }: RoutingRules, isUsable: (id: string) => boolean): RuleSetWarning[] {
  const usable = ranges.filter(({ credentialId }) => isUsable(credentialId));
  return uncovered(usable, smallest, largest).map(({ from, to }) => ({
    kind: 'gap',
    message: `no enabled credential takes ${between(from, to)}`,
  }));
}

function overlaps({ ranges }: RoutingRules): RuleSetWarning[] {
  return ranges.flatMap((range, index) =>
    ranges.slice(index + 1).flatMap((other) => {
      const from = range.fromCents > other.fromCents ? range.fromCents : other.fromCents;
      const to = range.toCents < other.toCents ? range.toCents : other.toCents;
      if (from > to || range.credentialId === other.credentialId) return [];
      const message = `${between(from, to)} is in the ranges of ${range.credentialId} and ${other.credentialId}: the first is tried first`;
      return [{ kind: 'overlap' as const, message }];
    }),
  );
}

function unreachable(
  { ranges, fallbackCredentialIds }: RoutingRules,
  alwaysTried: string[],
  isUsable: (id: string) => boolean,
): RuleSetWarning[] {
  const never = ranges.flatMap((range, index) => neverFirst(range, ranges.slice(0, index), isUsable) ?? []);
  const repeated = fallbackCredentialIds
    .filter((id) => alwaysTried.indexOf(id) !== alwaysTried.lastIndexOf(id))
    .map((id) => `the fallback ${id} is tried before already`);
  return [...never, ...new Set(repeated)].map((message) => ({ kind: 'unreachable', message }));
}

/** Why a range never decides which credential is tried first; undefined when it does for some amount. */
function neverFirst(
  { credentialId, fromCents, toCents }: Range,
  earlier: readonly Range[],
  isUsable: (id: string) => boolean,
): string | undefined {
  if (toCents < smallest || toCents < fromCents) return `the range of ${credentialId} holds no amount`;
  const areHolding = (ranges: readonly Range[]) => uncovered(ranges, fromCents, toCents).length === 0;
  const amounts = between(fromCents, toCents);
  if (areHolding(earlier.filter((other) => other.credentialId === credentialId))) {
    return `the range ${amounts} of ${credentialId} changes nothing: the credential's earlier ranges hold all of it`;
  }
  if (areHolding(earlier.filter((other) => isUsable(other.credentialId)))) {
    return `the range ${amounts} of ${credentialId} is never the first choice: enabled ranges before it hold all of it, so there the credential is only a fallback`;
  }
  return undefined;
}

function unusable(
  { ranges }: RoutingRules,
  alwaysTried: string[],
  credentials: ReadonlyMap<string, RoutableCredential>,
): RuleSetWarning[] {
  const ids = new Set([...ranges.map(({ credentialId }) => credentialId), ...alwaysTried]);
  return [...ids].flatMap((id): RuleSetWarning[] => {
    const credential = credentials.get(id);
    if (!credential) return [{ kind: 'unknown_credential', message: `credential ${id} does not exist` }];
    return credential.enabled
      ? []
      : [{ kind: 'disabled', message: `credential ${id} is disabled and skipped` }];
  });
}
