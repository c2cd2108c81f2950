import type { Mode } from '../../../../core/base/mode.ts';
import {
  cents,
  centsFromReais,
  maximumAmountInReais,
  minimumAmountInReais,
  reaisFromCents,
} from '../../../../core/base/money.ts';
import { feeCrossings, type FeeTerms, termsOf } from '../../../../core/providers/rules/fees/fees.ts';
import { explainRules } from '../../../../core/routing/rules/explain-rules.ts';
import { credentialIdsOf } from '../../../../core/routing/rules/routing.ts';
import { lintRuleSet, type RuleSetFinding } from '../../../../core/routing/rules/rule-set-lint.ts';
import type { Account, Rules } from './documents.ts';

export type Accounts = ReadonlyMap<string, Account>;

/** Leaves out archived ones, which no rule can refer to. */
export const accountsOf = (credentials: readonly Account[]): Accounts =>
  new Map(credentials.filter(({ archivedAt }) => !archivedAt).map((each) => [each.id, each]));

export const defaultOf = (accounts: Accounts): Account | undefined =>
  [...accounts.values()].find(({ isDefault }) => isDefault);

/** Lists them in the order in which they are tried. */
const defaultFallbacksOf = (accounts: Accounts): string[] =>
  [...accounts.values()]
    .flatMap(({ id, fallbackPosition: place }) => (place === null ? [] : [{ id, place }]))
    .toSorted((a, b) => a.place - b.place)
    .map(({ id }) => id);

const inCents = (reais: number) => centsFromReais(reais) ?? cents(0);

const amountLimitsOf = ({ minimumAmount, maximumAmount }: Account) => ({
  ...(minimumAmount != null && { minimum: inCents(minimumAmount) }),
  ...(maximumAmount != null && { maximum: inCents(maximumAmount) }),
});

const rulesOf = ({ ranges, ...rules }: Omit<Rules, 'name'>) => ({
  ...rules,
  ranges: ranges.map(({ from, to, credentialId }) => ({
    fromCents: inCents(from),
    toCents: inCents(to),
    credentialId,
  })),
});

const routesOf = (accounts: Accounts) => ({
  defaultId: defaultOf(accounts)?.id ?? null,
  defaultFallbackIds: defaultFallbacksOf(accounts),
});

const routableOf = (accounts: Accounts) =>
  new Map(
    [...accounts].map(([id, account]) => [
      id,
      {
        ...account,
        needsPayer: [],
        amountLimits: amountLimitsOf(account),
        fees: account.fees && termsOf(account.fees),
      },
    ]),
  );

/** Drafts are checked as the service itself does. */
export const findingsOf = (mode: Mode, rules: Omit<Rules, 'name'>, accounts: Accounts): RuleSetFinding[] =>
  lintRuleSet(mode, rulesOf(rules), routesOf(accounts), routableOf(accounts));

export interface Order {
  credentialIds: readonly string[];
  /** How many of a hundred each of them takes first, where a split decides that. */
  percents: Readonly<Record<string, number>>;
}

/** Amounts in BRL, both included, that the same credentials take in the same order. */
export interface Stretch extends Order {
  from: number;
  to: number;
}

/** Entries of the audit log and of approvals that are older than hours, splits and preferences have none. */
export type LoggedRules = Omit<Rules, 'when' | 'split' | 'prefer'> & Partial<Rules>;

export const isRules = (value: unknown): value is LoggedRules =>
  typeof value === 'object' && value !== null && 'ranges' in value && 'fallbackCredentialIds' in value;

/** Where one becomes cheaper than another. */
const crossingsOf = (fees: readonly (FeeTerms | null | undefined)[]) => {
  const known = [...new Set(fees)].filter((each) => each != null);
  return known.flatMap((one, index) => known.slice(index + 1).flatMap((other) => feeCrossings(one, other)));
};

const isSameOrder = (one: Order, other: Order): boolean =>
  JSON.stringify([one.credentialIds, one.percents]) === JSON.stringify([other.credentialIds, other.percents]);

/** Cuts all amounts where the order of attempts changes outside of its hours, ascending. */
export function stretchesOf(mode: Mode, rules: Omit<Rules, 'name'>, accounts: Accounts): Stretch[] {
  const routing = rulesOf(rules);
  const routable = routableOf(accounts);
  const [smallest, largest] = [inCents(minimumAmountInReais), inCents(maximumAmountInReais)];
  const limits = [...routable.values()].map(
    ({ amountLimits: { minimum = smallest, maximum = largest } }) => ({
      fromCents: minimum,
      toCents: maximum,
    }),
  );
  const starts = [
    ...[...routing.ranges, ...limits].flatMap(({ fromCents, toCents }) => [fromCents, cents(toCents + 1n)]),
    ...(routing.prefer ? crossingsOf(credentialIdsOf(routing).map((id) => routable.get(id)?.fees)) : []),
  ].filter((start) => start > smallest && start <= largest);
  const sorted = [...new Set([smallest, ...starts])].toSorted((a, b) => (a < b ? -1 : 1));
  const stretches: Stretch[] = [];
  for (const [index, start] of sorted.entries()) {
    const to = reaisFromCents(cents((sorted[index + 1] ?? largest + 1n) - 1n));
    const tried = explainRules(
      {
        mode,
        rules: { ...routing, when: [] },
        routes: { ...routesOf(accounts), diversions: {}, failingIds: [] },
        credentials: routable,
      },
      { amountInCents: start, at: new Date() },
    ).filter(({ skipped }) => skipped === null);
    const credentialIds = tried.map(({ credentialId }) => credentialId);
    const percents = Object.fromEntries(
      tried.flatMap(({ credentialId, percent }) => (percent === null ? [] : [[credentialId, percent]])),
    );
    const last = stretches.at(-1);
    if (last && isSameOrder(last, { credentialIds, percents })) last.to = to;
    else stretches.push({ from: reaisFromCents(start), to, credentialIds, percents });
  }
  return stretches;
}

/** Cuts all amounts where the order changes in one of both. */
export function compareStretches(
  mode: Mode,
  before: Omit<Rules, 'name'>,
  after: Omit<Rules, 'name'>,
  accounts: Accounts,
): (Stretch & { before: Order })[] {
  const [old, changed] = [stretchesOf(mode, before, accounts), stretchesOf(mode, after, accounts)];
  const orderAt = (amount: number, stretches: readonly Stretch[]): Order =>
    stretches.find(({ to }) => amount <= to) ?? { credentialIds: [], percents: {} };
  const sorted = (amounts: readonly number[]) => [...new Set(amounts)].toSorted((a, b) => a - b);
  const ends = sorted([...old, ...changed].map(({ to }) => to));
  return sorted([...old, ...changed].map(({ from }) => from)).map((from, place) => ({
    ...orderAt(from, changed),
    from,
    to: ends[place] ?? from,
    before: orderAt(from, old),
  }));
}

const palette = ['blue', 'orange', 'teal', 'grape', 'yellow', 'red', 'cyan', 'lime'];

const colorAt = (place: number): string =>
  `var(--mantine-color-${palette[place % palette.length]}-${place < palette.length ? 6 : 3})`;

/** A credential has the same colour in every picture. What is no longer in `accounts` takes its colour from `place`. */
export function colorOf(id: string | null, accounts: Accounts, place = 0): string {
  const known = id === null ? -1 : [...accounts.keys()].indexOf(id);
  return colorAt(known < 0 ? accounts.size + place : known);
}
