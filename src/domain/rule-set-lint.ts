import {
  type Cents,
  maximumAmountInReais,
  minimumAmountInReais,
  reaisFromCents,
  cents,
  centsFromReais,
} from './money.ts';
import type { RoutableCredential, RoutingRules } from './routing.ts';

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
    ...unreachable(rules, alwaysTried),
    ...unusable(rules, alwaysTried, credentials),
  ];
}

function gaps({ ranges }: RoutingRules, isUsable: (id: string) => boolean): RuleSetWarning[] {
  const found: RuleSetWarning[] = [];
  let next: bigint = smallest;
  const sorted = ranges
    .filter(({ credentialId }) => isUsable(credentialId))
    .toSorted((a, b) => (a.fromCents < b.fromCents ? -1 : 1));
  for (const { fromCents, toCents } of [...sorted, { fromCents: cents(largest + 1n), toCents: largest }]) {
    if (fromCents > next) {
      const message = `no enabled credential takes ${between(cents(next), cents(fromCents - 1n))}`;
      found.push({ kind: 'gap', message });
    }
    if (toCents >= next) next = toCents + 1n;
  }
  return found;
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
): RuleSetWarning[] {
  const outside = ranges
    .filter(({ toCents }) => toCents < smallest)
    .map(({ credentialId }) => `the range of ${credentialId} holds no amount`);
  const repeated = fallbackCredentialIds
    .filter((id) => alwaysTried.indexOf(id) !== alwaysTried.lastIndexOf(id))
    .map((id) => `the fallback ${id} is tried before already`);
  return [...outside, ...new Set(repeated)].map((message) => ({ kind: 'unreachable', message }));
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
