import type { Mode } from '../../base/mode.ts';
import type { Queryable } from '../../../database/database.ts';
import { findRoutingDefaults, type OwnedId } from './routing.ts';

/** What still sends payments through a rule set. */
export interface RuleSetUse {
  defaultIn: Mode[];
  /** Active ones, newest first. */
  paymentLinks: NamingLink[];
}

interface NamingLink {
  id: string;
  mode: Mode;
  description: string | null;
}

const maximumCompared = 1_000;

export async function findRuleSetUse(
  db: Queryable,
  { organizationId, id }: OwnedId,
  now: Date,
): Promise<RuleSetUse> {
  const [defaults] = await findRoutingDefaults(db, [organizationId]);
  const found = await db.$queryRaw<(NamingLink & { isUsed: boolean })[]>`
    SELECT l.id, l.mode::text, l.description, l.single_use AND EXISTS (
      SELECT FROM payment_link_payment lp JOIN payment p ON p.id = lp.payment_id
      WHERE lp.link_id = l.id AND p.status IN ('completed', 'refunded')) AS "isUsed"
    FROM (SELECT id, mode, description, single_use FROM payment_link
      WHERE rule_set_id = ${id}::uuid AND deactivated_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})
      LIMIT ${maximumCompared}::int) l
    ORDER BY l.id DESC`;
  // Those that were not compared may take payments, so all are in the way.
  const active = found.length < maximumCompared ? found.filter(({ isUsed }) => !isUsed) : found;
  return {
    defaultIn: (['test', 'live'] as const).filter((mode) => defaults?.ruleSetIds[mode] === id),
    paymentLinks: active.map(({ isUsed: _isUsed, ...link }) => link),
  };
}
