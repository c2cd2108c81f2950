import type { RoutingRules } from '../rules/routing.ts';
import { cents } from '../../base/money.ts';
import type { Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { OwnedId } from './routing.ts';

export interface RuleSet extends RoutingRules {
  id: string;
  organizationId: string;
  name: string;
  createdAt: Date;
}

interface Row extends Omit<RuleSet, 'ranges'> {
  ranges: { fromCents: number; toCents: number; credentialId: string }[];
}

const ruleSetOf = ({ ranges, ...row }: Row): RuleSet => ({
  ...row,
  ranges: ranges.map(({ fromCents, toCents, credentialId }) => ({
    fromCents: cents(BigInt(fromCents)),
    toCents: cents(BigInt(toCents)),
    credentialId,
  })),
});

/** Takes one statement, so that a rule set being replaced is read before or after, never half-way. */
async function findWhere(db: Queryable, condition: Prisma.Sql): Promise<RuleSet[]> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT r.id, r.organization_id AS "organizationId", r.name, r.created_at AS "createdAt",
      r.time_windows AS "when", r.split, r.prefer, r.default_credential_id AS "defaultCredentialId", r.fallback_credential_ids AS "fallbackCredentialIds",
      (SELECT coalesce(json_agg(json_build_object(
          'fromCents', g.from_cents, 'toCents', g.to_cents, 'credentialId', g.credential_id
        ) ORDER BY g.position), '[]')
        FROM rule_set_range g WHERE g.rule_set_id = r.id) AS ranges
    FROM rule_set r WHERE ${condition} ORDER BY r.id`;
  return rows.map(ruleSetOf);
}

const storedRules = ({
  when,
  ranges,
  split,
  defaultCredentialId,
  fallbackCredentialIds,
  prefer,
}: RoutingRules) => ({
  prefer: prefer ?? null,
  timeWindows: when.map(({ from, to, days, credentialId }) => ({ from, to, days: [...days], credentialId })),
  split: split.map(({ credentialId, percent }) => ({ credentialId, percent })),
  defaultCredentialId,
  fallbackCredentialIds: [...fallbackCredentialIds],
  ranges: { create: ranges.map((range, position) => ({ ...range, position })) },
});

export async function insertRuleSet(db: Queryable, ruleSet: RuleSet): Promise<void> {
  const { id, organizationId, name, createdAt } = ruleSet;
  await db.ruleSet.create({
    data: { id, organizationId, name, createdAt, ...storedRules(ruleSet) },
    select: { id: true },
  });
}

/** Sets the name and replaces all rules. */
export async function replaceRuleSet(tx: Queryable, ruleSet: RuleSet): Promise<void> {
  const { id, name } = ruleSet;
  await tx.ruleSetRange.deleteMany({ where: { ruleSetId: id } });
  await tx.ruleSet.update({
    where: { id },
    data: { name, ...storedRules(ruleSet) },
    select: { id: true },
  });
}

/** Waits for a change in progress; others wait until this transaction ends. */
export async function lockRuleSet(
  tx: Queryable,
  organizationId: string,
  id: string,
): Promise<RuleSet | null> {
  await tx.$queryRaw`SELECT 1 FROM rule_set
    WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid FOR NO KEY UPDATE`;
  return findRuleSet(tx, organizationId, id);
}

/** Whether it exists. Nobody deletes it until the transaction ends. */
export async function shareRuleSet(tx: Queryable, organizationId: string, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 FROM rule_set
    WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid FOR SHARE`;
  return rows.length > 0;
}

/** With its ranges. */
export async function deleteRuleSet(tx: Queryable, id: string): Promise<void> {
  await tx.ruleSet.delete({ where: { id }, select: { id: true } });
}

export async function findRuleSet(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<RuleSet | null> {
  const [found] = await findRuleSets(db, [{ organizationId, id }]);
  return found ?? null;
}

/** Keeps the order of the ids; null for those of other organizations. One statement serves all. */
export async function findRuleSets(db: Queryable, sought: readonly OwnedId[]): Promise<(RuleSet | null)[]> {
  const found = await findWhere(
    db,
    Prisma.sql`r.id = ANY(${[...new Set(sought.map(({ id }) => id))]}::uuid[])`,
  );
  const byId = new Map(found.map((ruleSet) => [ruleSet.id, ruleSet]));
  return sought.map(({ organizationId, id }) => {
    const ruleSet = byId.get(id.toLowerCase());
    return ruleSet?.organizationId === organizationId ? ruleSet : null;
  });
}

/** Serves the operator, who gives no organization. */
export async function findAnyRuleSet(db: Queryable, id: string): Promise<RuleSet | null> {
  const [found] = await findWhere(db, Prisma.sql`r.id = ${id}::uuid`);
  return found ?? null;
}

/** Oldest first. */
export const listRuleSets = (db: Queryable, organizationId: string): Promise<RuleSet[]> =>
  findWhere(db, Prisma.sql`r.organization_id = ${organizationId}::uuid`);
