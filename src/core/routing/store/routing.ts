import type { Mode } from '../../base/mode.ts';
import type { OrganizationRoutes, RoutableCredential } from '../rules/routing.ts';
import type { Queryable } from '../../../database/database.ts';

/** A credential as stored. What its provider accepts is not in the database. */
export type StoredCredential = Omit<RoutableCredential, 'amountLimits' | 'due' | 'recurrences'>;

/** What routes the payments that name neither credential nor rule set. */
export interface RoutingDefaults<Credential = StoredCredential> {
  credential: Credential | null;
  ruleSetIds: Readonly<Record<Mode, string | null>>;
  routes: OrganizationRoutes;
}

interface DefaultsRow extends Record<Mode, string | null> {
  organizationId: string;
  credential: StoredCredential | null;
  defaultFallbackIds: string[];
  diversions: Record<string, string> | null;
  failingIds: string[];
}

/** Keeps the order of the organizations. One statement serves all. */
export async function findRoutingDefaults(
  db: Queryable,
  organizationIds: readonly string[],
): Promise<RoutingDefaults[]> {
  const rows = await db.$queryRaw<DefaultsRow[]>`
    SELECT o.id AS "organizationId", o.default_test_rule_set_id AS test, o.default_live_rule_set_id AS live,
      CASE WHEN c.id IS NOT NULL THEN json_build_object('id', c.id, 'provider', c.provider, 'enabled', c.enabled,
        'needsPayer', c.needs_payer, 'fees', c.fees) END AS credential,
      o.default_fallback_credential_ids AS "defaultFallbackIds",
      (SELECT json_object_agg(d.id, d.diverted_to_id) FROM credential d
        WHERE d.organization_id = o.id AND d.diverted_to_id IS NOT NULL) AS diversions,
      ARRAY(SELECT subject_id FROM alert a WHERE a.organization_id = o.id AND mode = 'live' AND a.closed_at IS NULL
        AND kind IN ('provider_outage', 'credential_refused')) AS "failingIds"
    FROM organization o LEFT JOIN credential c ON c.id = o.default_credential_id
    WHERE o.id = ANY(${[...new Set(organizationIds)]}::uuid[])`;
  const byOrganization = new Map(rows.map((row) => [row.organizationId, row]));
  return organizationIds.map((id) => {
    const row = byOrganization.get(id);
    const { credential = null, test = null, live = null, defaultFallbackIds = [] } = row ?? {};
    const routes = {
      defaultId: credential?.id ?? null,
      defaultFallbackIds,
      diversions: row?.diversions ?? {},
      failingIds: row?.failingIds ?? [],
    };
    return { credential, ruleSetIds: { test, live }, routes };
  });
}

/** Waits for a change in progress; others wait until this transaction ends. */
export async function lockDefaultRuleSets(
  tx: Queryable,
  organizationId: string,
): Promise<RoutingDefaults['ruleSetIds']> {
  await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
  const [defaults] = await findRoutingDefaults(tx, [organizationId]);
  return defaults?.ruleSetIds ?? { test: null, live: null };
}

/** Waits for a change in progress; others wait until this transaction ends. */
export async function lockDefaultRoutes(
  tx: Queryable,
  organizationId: string,
): Promise<Pick<OrganizationRoutes, 'defaultId' | 'defaultFallbackIds'>> {
  await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
  const [defaults] = await findRoutingDefaults(tx, [organizationId]);
  return defaults?.routes ?? { defaultId: null, defaultFallbackIds: [] };
}

export async function setDefaultFallbacks(
  tx: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  const data = { defaultFallbackCredentialIds: [...ids] };
  await tx.organization.update({ where: { id: organizationId }, data, select: { id: true } });
}

/** With null, it takes its own turn again. */
export async function setDiversion(
  tx: Queryable,
  id: string,
  diversion: { toId: string; at: Date } | null,
): Promise<void> {
  const data = { divertedToId: diversion?.toId ?? null, divertedAt: diversion?.at ?? null };
  await tx.credential.update({ where: { id }, data, select: { id: true } });
}

/** With null, the organization has no default rule set in this mode. */
export async function setDefaultRuleSet(
  tx: Queryable,
  organizationId: string,
  mode: Mode,
  id: string | null,
): Promise<void> {
  const data = mode === 'live' ? { defaultLiveRuleSetId: id } : { defaultTestRuleSetId: id };
  await tx.organization.update({ where: { id: organizationId }, data, select: { id: true } });
}

/** The id of a credential or rule set, and the organization that it must belong to. */
export interface OwnedId {
  organizationId: string;
  id: string;
}

/** Keeps the order of the ids; null for those of other organizations. One statement serves all. */
export async function findRoutableCredentials(
  db: Queryable,
  sought: readonly OwnedId[],
): Promise<(StoredCredential | null)[]> {
  const rows = await db.$queryRaw<(StoredCredential & OwnedId)[]>`
    SELECT id, organization_id AS "organizationId", provider, enabled, needs_payer AS "needsPayer", fees FROM credential
    WHERE id = ANY(${[...new Set(sought.map(({ id }) => id))]}::uuid[])`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return sought.map((each) => {
    const row = byId.get(each.id.toLowerCase());
    if (row?.organizationId !== each.organizationId) return null;
    const { organizationId: _organizationId, ...credential } = row;
    return credential;
  });
}
