import {
  type Cents,
  maximumAmountInReais,
  minimumAmountInReais,
  cents,
  centsFromReais,
} from '../../base/money.ts';
import type { Mode } from '../../base/mode.ts';
import {
  amountRule,
  maximumRanges,
  type OrganizationRoutes,
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

/** Problems that an operator should see before a payer hits them. */
export type RuleSetFinding =
  /** No usable credential takes these amounts. */
  | ({ kind: 'gap' } & Amounts)
  /** Two ranges include these amounts; the first one wins. */
  | ({ kind: 'overlap'; credentialId: string; laterCredentialId: string } & Amounts)
  | { kind: 'empty_range'; credentialId: string }
  /** Fully covered by earlier ranges of the same credential. */
  | ({ kind: 'repeated_range'; credentialId: string } & Amounts)
  /** Fully covered by earlier usable ranges, so the credential is only a fallback there. */
  | ({ kind: 'hidden_range'; credentialId: string } & Amounts)
  /** Ranges take every amount, so the split decides nothing. */
  | { kind: 'hidden_split' }
  /** Nothing is of equal standing, so there is nothing to prefer. */
  | { kind: 'hidden_preference' }
  /** Others of equal standing cannot be compared with it, so they keep their order. */
  | { kind: 'no_fees'; credentialId: string }
  /** Already the default or in the split, or listed twice. */
  | { kind: 'repeated_fallback'; credentialId: string }
  | { kind: 'unknown_credential'; credentialId: string }
  | { kind: UnusableReason; credentialId: string }
  /** Its provider does not accept these amounts of a range. */
  | ({ kind: 'outside_limits'; credentialId: string; rule: string } & Amounts)
  /** Number of findings left out. */
  | { kind: 'more'; count: number };

type Credentials = ReadonlyMap<
  string,
  Pick<RoutableCredential, 'enabled' | 'provider' | 'amountLimits' | 'fees'>
>;

const maximumOfKind = 20;

const largest = centsFromReais(maximumAmountInReais) ?? cents(0);
const smallest = centsFromReais(minimumAmountInReais) ?? cents(1);

/**
 * Findings for payments of one mode. Uncovered amounts are a gap only when no default or fallback would take
 * them.
 */
export function lintRuleSet(
  mode: Mode,
  rules: RoutingRules,
  organization: Pick<OrganizationRoutes, 'defaultId' | 'defaultFallbackIds'>,
  credentials: Credentials,
): RuleSetFinding[] {
  const alwaysTried = [
    ...rules.split.map(({ credentialId }) => credentialId),
    rules.defaultCredentialId ?? organization.defaultId,
    ...rules.fallbackCredentialIds,
  ].filter((id) => id !== null);
  const lastTried = rules.defaultCredentialId === null ? organization.defaultFallbackIds : [];
  const isUsable = ({ credentialId }: Pick<Range, 'credentialId'>) => {
    const credential = credentials.get(credentialId);
    return credential !== undefined && !unusableReason(mode, credential);
  };
  const accepted = (range: Range) => acceptedPart(range, credentials);
  const everything = [...alwaysTried, ...lastTried].map((credentialId) => ({
    fromCents: smallest,
    toCents: largest,
    credentialId,
  }));
  // Rule sets older than the limit may have many more ranges, and the comparison is quadratic.
  const ranges = rules.ranges.slice(0, maximumRanges);
  const overlapping = overlaps(ranges.map(accepted));
  const isCompared = (id: string) => rules.prefer === 'cheapest' && Boolean(credentials.get(id)?.fees);
  return capFindings([
    ...gaps([...rules.ranges, ...everything].filter(isUsable).map(accepted)),
    ...overlapping.filter((each) => !isCompared(each.credentialId) || !isCompared(each.laterCredentialId)),
    ...neverFirst(ranges, { isUsable, accepted }).filter(
      (each) => each.kind !== 'hidden_range' || !isCompared(each.credentialId),
    ),
    ...preference(rules, overlapping, credentials),
    ...outsideLimits(ranges, credentials),
    ...hiddenSplit(rules, rules.ranges.filter(isUsable).map(accepted)),
    ...repeatedFallbacks(rules, alwaysTried),
    ...unusable(mode, rules, alwaysTried, credentials),
  ]);
}

function capFindings(findings: readonly RuleSetFinding[]): RuleSetFinding[] {
  const counts = new Map<string, number>();
  const kept = findings.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= maximumOfKind;
  });
  const count = findings.length - kept.length;
  return count > 0 ? [...kept, { kind: 'more', count }] : kept;
}

/** The parts of `from` to `to` that no range covers, ascending. */
function uncovered(ranges: readonly Range[], from: Cents, to: Cents): Amounts[] {
  const left: Amounts[] = [];
  let next: bigint = from;
  const inside = ranges.filter(
    ({ fromCents, toCents }) => fromCents <= toCents && fromCents <= to && toCents >= from,
  );
  const sorted = inside.toSorted((a, b) => (a.fromCents < b.fromCents ? -1 : 1));
  for (const { fromCents, toCents } of [...sorted, { fromCents: cents(to + 1n), toCents: to }]) {
    if (fromCents > next) left.push({ from: cents(next), to: cents(fromCents - 1n) });
    if (toCents >= next) next = toCents + 1n;
  }
  return left;
}

/** What the provider accepts of a range: possibly nothing, so that it ends before it begins. */
function acceptedPart(range: Range, credentials: Credentials): Range {
  const { minimum = smallest, maximum = largest } = credentials.get(range.credentialId)?.amountLimits ?? {};
  return {
    ...range,
    fromCents: range.fromCents < minimum ? minimum : range.fromCents,
    toCents: range.toCents > maximum ? maximum : range.toCents,
  };
}

function outsideLimits(ranges: readonly Range[], credentials: Credentials): RuleSetFinding[] {
  return ranges.flatMap((range): RuleSetFinding[] => {
    const { credentialId, fromCents: from, toCents: to } = range;
    const { amountLimits } = credentials.get(credentialId) ?? {};
    if (!amountLimits || to < smallest || to < from) return [];
    const rule = amountRule(amountLimits);
    return uncovered([acceptedPart(range, credentials)], from < smallest ? smallest : from, to).map(
      (amounts) => ({ kind: 'outside_limits', credentialId, rule, ...amounts }),
    );
  });
}

/** `ranges` are the usable ones. */
const gaps = (ranges: readonly Range[]): RuleSetFinding[] =>
  uncovered(ranges, smallest, largest).map((amounts) => ({ kind: 'gap', ...amounts }));

type Overlap = RuleSetFinding & { kind: 'overlap' };

/** Merges adjacent overlaps of the same two credentials. */
function overlaps(ranges: readonly Range[]): Overlap[] {
  const byCredentials = new Map<string, Overlap[]>();
  for (const [index, { credentialId, ...range }] of ranges.entries()) {
    for (const other of ranges.slice(index + 1)) {
      const from = range.fromCents > other.fromCents ? range.fromCents : other.fromCents;
      const to = range.toCents < other.toCents ? range.toCents : other.toCents;
      if (from > to || credentialId === other.credentialId) continue;
      const names = `${credentialId} ${other.credentialId}`;
      const found = byCredentials.get(names) ?? [];
      found.push({ kind: 'overlap', from, to, credentialId, laterCredentialId: other.credentialId });
      byCredentials.set(names, found);
    }
  }
  return [...byCredentials.values()].flatMap((found) => {
    const merged: Overlap[] = [];
    for (const overlap of found.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
      const last = merged.at(-1);
      if (!last || overlap.from > last.to + 1n) merged.push({ ...overlap });
      else if (overlap.to > last.to) last.to = overlap.to;
    }
    return merged;
  });
}

/** A set of amounts, kept as disjoint stretches. */
function createCoverage() {
  let stretches: Amounts[] = [];
  return {
    covers: ({ from, to }: Amounts) => stretches.some((each) => each.from <= from && each.to >= to),
    add(added: Amounts) {
      const touches = ({ from, to }: Amounts) => from <= added.to + 1n && to + 1n >= added.from;
      const { from, to } = stretches.filter(touches).reduce(
        (whole, each) => ({
          from: each.from < whole.from ? each.from : whole.from,
          to: each.to > whole.to ? each.to : whole.to,
        }),
        added,
      );
      stretches = [...stretches.filter((each) => !touches(each)), { from, to }];
    },
  };
}

/** Ranges that never determine the first choice. Those without an accepted amount are `outside_limits`. */
function neverFirst(
  ranges: readonly Range[],
  { isUsable, accepted }: { isUsable: (range: Range) => boolean; accepted: (range: Range) => Range },
): RuleSetFinding[] {
  const usable = createCoverage();
  const own = new Map<string, ReturnType<typeof createCoverage>>();
  return ranges.flatMap((range): RuleSetFinding[] => {
    const { credentialId, fromCents, toCents } = range;
    if (toCents < smallest || toCents < fromCents) return [{ kind: 'empty_range', credentialId }];
    const { fromCents: from, toCents: to } = accepted(range);
    if (to < from) return [];
    const amounts = { from, to };
    const earlier = own.get(credentialId) ?? createCoverage();
    const isRepeated = earlier.covers(amounts);
    const isHidden = usable.covers(amounts);
    own.set(credentialId, earlier);
    earlier.add(amounts);
    if (isUsable(range)) usable.add(amounts);
    if (isRepeated) return [{ kind: 'repeated_range', credentialId, ...amounts }];
    return isHidden ? [{ kind: 'hidden_range', credentialId, ...amounts }] : [];
  });
}

/** `ranges` are the usable ones. */
const hiddenSplit = ({ split }: RoutingRules, ranges: readonly Range[]): RuleSetFinding[] =>
  split.length > 0 && uncovered(ranges, smallest, largest).length === 0 ? [{ kind: 'hidden_split' }] : [];

/** Why a preference changes nothing, for all that it is about or for some. */
function preference(
  { prefer, fallbackCredentialIds }: RoutingRules,
  overlapping: readonly Overlap[],
  credentials: Credentials,
): RuleSetFinding[] {
  if (!prefer) return [];
  const fallbackIds = new Set(fallbackCredentialIds);
  const compared = new Set([
    ...overlapping.flatMap(({ credentialId, laterCredentialId }) => [credentialId, laterCredentialId]),
    ...(fallbackIds.size > 1 ? fallbackIds : []),
  ]);
  if (compared.size === 0) return [{ kind: 'hidden_preference' }];
  const withoutFees = [...compared].filter((id) => credentials.has(id) && !credentials.get(id)?.fees);
  return withoutFees.map((credentialId) => ({ kind: 'no_fees', credentialId }));
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
  { when, ranges }: RoutingRules,
  alwaysTried: readonly string[],
  credentials: Credentials,
): RuleSetFinding[] {
  const ids = new Set([...[...when, ...ranges].map(({ credentialId }) => credentialId), ...alwaysTried]);
  return [...ids].flatMap((credentialId): RuleSetFinding[] => {
    const credential = credentials.get(credentialId);
    if (!credential) return [{ kind: 'unknown_credential', credentialId }];
    const kind = unusableReason(mode, credential);
    return kind ? [{ kind, credentialId }] : [];
  });
}
