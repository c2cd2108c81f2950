import type { RoutingRules } from '../domain/routing.ts';
import { cents } from '../domain/money.ts';
import type { Queryable } from './database.ts';

export interface RuleSet extends RoutingRules {
  id: string;
  organizationId: string;
  name: string;
  createdAt: Date;
}

const withRanges = { ranges: { orderBy: { position: 'asc' } } } as const;

interface Row {
  id: string;
  organizationId: string;
  name: string;
  createdAt: Date;
  defaultCredentialId: string | null;
  fallbackCredentialIds: string[];
  ranges: { fromCents: bigint; toCents: bigint; credentialId: string }[];
}

const ruleSetOf = ({ ranges, ...row }: Row): RuleSet => ({
  ...row,
  ranges: ranges.map(({ fromCents, toCents, credentialId }) => ({
    fromCents: cents(fromCents),
    toCents: cents(toCents),
    credentialId,
  })),
});

export async function insertRuleSet(db: Queryable, { ranges, ...ruleSet }: RuleSet): Promise<void> {
  await db.ruleSet.create({
    data: {
      ...ruleSet,
      fallbackCredentialIds: [...ruleSet.fallbackCredentialIds],
      ranges: { create: ranges.map((range, position) => ({ ...range, position })) },
    },
    select: { id: true },
  });
}

export async function findRuleSet(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<RuleSet | null> {
  const row = await db.ruleSet.findUnique({ where: { id, organizationId }, include: withRanges });
  return row && ruleSetOf(row);
}

/** For the operator, who names a rule set without its organization. */
export async function findAnyRuleSet(db: Queryable, id: string): Promise<RuleSet | null> {
  const row = await db.ruleSet.findUnique({ where: { id }, include: withRanges });
  return row && ruleSetOf(row);
}

export async function listRuleSets(db: Queryable, organizationId: string): Promise<RuleSet[]> {
  const rows = await db.ruleSet.findMany({
    where: { organizationId },
    include: withRanges,
    orderBy: { id: 'asc' },
  });
  return rows.map(ruleSetOf);
}
