import type { Mode } from '../../../../core/base/mode.ts';
import { cents, centsFromReais } from '../../../../core/base/money.ts';
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

/** Drafts are checked as the service itself does. */
export function findingsOf(mode: Mode, rules: Omit<Rules, 'name'>, accounts: Accounts): RuleSetFinding[] {
  const { ranges, defaultCredentialId, fallbackCredentialIds } = rules;
  const inside = ranges.map(({ from, to, credentialId }) => ({
    fromCents: inCents(from),
    toCents: inCents(to),
    credentialId,
  }));
  return lintRuleSet(
    mode,
    { ranges: inside, defaultCredentialId, fallbackCredentialIds },
    { defaultId: defaultOf(accounts)?.id ?? null, defaultFallbackIds: defaultFallbacksOf(accounts) },
    new Map(
      [...accounts].map(([id, account]) => [id, { ...account, amountLimits: amountLimitsOf(account) }]),
    ),
  );
}
