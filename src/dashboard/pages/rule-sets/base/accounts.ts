import type { Mode } from '../../../../core/base/mode.ts';
import {
  cents,
  centsFromReais,
  maximumAmountInReais,
  minimumAmountInReais,
  reaisFromCents,
} from '../../../../core/base/money.ts';
import { amountReason, routeCandidates, unusableReason } from '../../../../core/routing/rules/routing.ts';
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
      { ...account, needsPayer: [], amountLimits: amountLimitsOf(account) },
    ]),
  );

/** Drafts are checked as the service itself does. */
export const findingsOf = (mode: Mode, rules: Omit<Rules, 'name'>, accounts: Accounts): RuleSetFinding[] =>
  lintRuleSet(mode, rulesOf(rules), routesOf(accounts), routableOf(accounts));

/** Amounts in BRL, both included, that the same credentials take in the same order. */
export interface Stretch {
  from: number;
  to: number;
  credentialIds: readonly string[];
}

/** Entries of the audit log and of approvals that are older than hours and splits have none. */
export type LoggedRules = Omit<Rules, 'when' | 'split'> & Partial<Rules>;

export const isRules = (value: unknown): value is LoggedRules =>
  typeof value === 'object' && value !== null && 'ranges' in value && 'fallbackCredentialIds' in value;

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
  const starts = [...routing.ranges, ...limits]
    .flatMap(({ fromCents, toCents }) => [fromCents, cents(toCents + 1n)])
    .filter((start) => start > smallest && start <= largest);
  const sorted = [...new Set([smallest, ...starts])].toSorted((a, b) => (a < b ? -1 : 1));
  const stretches: Stretch[] = [];
  for (const [index, start] of sorted.entries()) {
    const to = reaisFromCents(cents((sorted[index + 1] ?? largest + 1n) - 1n));
    const credentialIds = routeCandidates(
      { by: 'rule_set', rules: { ...routing, when: [] } },
      { amountInCents: start, at: new Date() },
      { ...routesOf(accounts), diversions: {} },
      routable,
    )
      .filter(({ credential }) => !unusableReason(mode, credential))
      .filter(({ credential }) => !amountReason(credential.amountLimits, start))
      .map(({ credential: { id } }) => id);
    const last = stretches.at(-1);
    if (last && last.credentialIds.join() === credentialIds.join()) last.to = to;
    else stretches.push({ from: reaisFromCents(start), to, credentialIds });
  }
  return stretches;
}

/** Cuts all amounts where the order changes in one of both. */
export function compareStretches(
  mode: Mode,
  before: Omit<Rules, 'name'>,
  after: Omit<Rules, 'name'>,
  accounts: Accounts,
): (Stretch & { idsBefore: readonly string[] })[] {
  const [old, changed] = [stretchesOf(mode, before, accounts), stretchesOf(mode, after, accounts)];
  const idsAt = (amount: number, stretches: readonly Stretch[]) =>
    stretches.find(({ to }) => amount <= to)?.credentialIds ?? [];
  const sorted = (amounts: readonly number[]) => [...new Set(amounts)].toSorted((a, b) => a - b);
  const ends = sorted([...old, ...changed].map(({ to }) => to));
  return sorted([...old, ...changed].map(({ from }) => from)).map((from, place) => ({
    from,
    to: ends[place] ?? from,
    credentialIds: idsAt(from, changed),
    idsBefore: idsAt(from, old),
  }));
}
