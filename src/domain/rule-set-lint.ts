import { type Cents, maximumAmountInReais, minimumAmountInReais, cents, centsFromReais } from './money.ts';
import type { Mode } from './mode.ts';
import {
  type RoutableCredential,
  type RoutingRules,
  unusableReason,
  type UnusableReason,
} from './routing.ts';

type Range = RoutingRules['ranges'][number];

interface Amounts {
  from: Cents;
  to: Cents;
}

/** What an operator would want to know before a payer finds out. */
export type RuleSetFinding =
  /** Nothing usable takes these amounts. */
  | ({ kind: 'gap' } & Amounts)
  /** Two ranges hold them: the first is tried first. */
  | ({ kind: 'overlap'; credentialId: string; laterCredentialId: string } & Amounts)
  | { kind: 'empty_range'; credentialId: string }
  /** Earlier ranges of the same credential hold all of it. */
  | ({ kind: 'repeated_range'; credentialId: string } & Amounts)
  /** Usable ranges before it hold all of it, so that there the credential is only a fallback. */
  | ({ kind: 'hidden_range'; credentialId: string } & Amounts)
  /** It is the default already, or named twice. */
  | { kind: 'repeated_fallback'; credentialId: string }
  | { kind: 'unknown_credential'; credentialId: string }
  | { kind: UnusableReason; credentialId: string };

type Credentials = ReadonlyMap<string, Pick<RoutableCredential, 'enabled' | 'provider'>>;

const largest = centsFromReais(maximumAmountInReais) ?? cents(0);
const smallest = centsFromReais(minimumAmountInReais) ?? cents(1);

/**
 * For payments of a mode. A gap is a finding only where nothing else would take the amount: neither a default
 * nor a fallback.
 */
export function lintRuleSet(
  mode: Mode,
  rules: RoutingRules,
  organizationDefaultId: string | null,
  credentials: Credentials,
): RuleSetFinding[] {
  const alwaysTried = [
    rules.defaultCredentialId ?? organizationDefaultId,
    ...rules.fallbackCredentialIds,
  ].filter((id) => id !== null);
  const isUsable = (id: string) => {
    const credential = credentials.get(id);
    return credential !== undefined && !unusableReason(mode, credential);
  };
  return [
    ...(alwaysTried.some(isUsable) ? [] : gaps(rules, isUsable)),
    ...overlaps(rules),
    ...rules.ranges.flatMap((range, index) => neverFirst(range, rules.ranges.slice(0, index), isUsable)),
    ...repeatedFallbacks(rules, alwaysTried),
    ...unusable(mode, rules, alwaysTried, credentials),
  ];
}

/** What of `from` to `to` is in none of the ranges, in ascending order. */
function uncovered(ranges: readonly Range[], from: Cents, to: Cents): Amounts[] {
  const left: Amounts[] = [];
  let next: bigint = from;
  const inside = ranges.filter(({ fromCents, toCents }) => fromCents <= to && toCents >= from);
  const sorted = inside.toSorted((a, b) => (a.fromCents < b.fromCents ? -1 : 1));
  for (const { fromCents, toCents } of [...sorted, { fromCents: cents(to + 1n), toCents: to }]) {
    if (fromCents > next) left.push({ from: cents(next), to: cents(fromCents - 1n) });
    if (toCents >= next) next = toCents + 1n;
  }
  return left;
}

function gaps({ ranges }: RoutingRules, isUsable: (id: string) => boolean): RuleSetFinding[] {
  const usable = ranges.filter(({ credentialId }) => isUsable(credentialId));
  return uncovered(usable, smallest, largest).map((amounts) => ({ kind: 'gap', ...amounts }));
}

function overlaps({ ranges }: RoutingRules): RuleSetFinding[] {
  return ranges.flatMap(({ credentialId, ...range }, index) =>
    ranges.slice(index + 1).flatMap((other): RuleSetFinding[] => {
      const from = range.fromCents > other.fromCents ? range.fromCents : other.fromCents;
      const to = range.toCents < other.toCents ? range.toCents : other.toCents;
      if (from > to || credentialId === other.credentialId) return [];
      return [{ kind: 'overlap', from, to, credentialId, laterCredentialId: other.credentialId }];
    }),
  );
}

/** Whether a range never decides which credential is tried first. */
function neverFirst(
  { credentialId, fromCents: from, toCents: to }: Range,
  earlier: readonly Range[],
  isUsable: (id: string) => boolean,
): RuleSetFinding[] {
  if (to < smallest || to < from) return [{ kind: 'empty_range', credentialId }];
  const areHolding = (ranges: readonly Range[]) => uncovered(ranges, from, to).length === 0;
  if (areHolding(earlier.filter((other) => other.credentialId === credentialId))) {
    return [{ kind: 'repeated_range', credentialId, from, to }];
  }
  return areHolding(earlier.filter((other) => isUsable(other.credentialId)))
    ? [{ kind: 'hidden_range', credentialId, from, to }]
    : [];
}

function repeatedFallbacks(
  { fallbackCredentialIds }: RoutingRules,
  alwaysTried: readonly string[],
): RuleSetFinding[] {
  const repeated = fallbackCredentialIds.filter(
    (id) => alwaysTried.indexOf(id) !== alwaysTried.lastIndexOf(id),
  );
  return [...new Set(repeated)].map((credentialId) => ({ kind: 'repeated_fallback', credentialId }));
}

function unusable(
  mode: Mode,
  { ranges }: RoutingRules,
  alwaysTried: readonly string[],
  credentials: Credentials,
): RuleSetFinding[] {
  const ids = new Set([...ranges.map(({ credentialId }) => credentialId), ...alwaysTried]);
  return [...ids].flatMap((credentialId): RuleSetFinding[] => {
    const credential = credentials.get(credentialId);
    if (!credential) return [{ kind: 'unknown_credential', credentialId }];
    const kind = unusableReason(mode, credential);
    return kind ? [{ kind, credentialId }] : [];
  });
}
