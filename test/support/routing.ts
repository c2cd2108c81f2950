import { randomUUID } from 'node:crypto';
import { query } from './database.ts';

export interface TestCredential {
  id: string;
  provider: string;
}

/** A credential that nothing is known of but its place in the routing: test keys never reach its provider. */
export async function insertCredential(
  databaseUrl: string,
  organizationId: string,
  {
    provider,
    enabled = true,
    isDefault = false,
  }: { provider: string; enabled?: boolean; isDefault?: boolean },
): Promise<TestCredential> {
  const id = randomUUID();
  await query(
    databaseUrl,
    `INSERT INTO credential (id, organization_id, provider, name, enabled, created_at, sealed_settings,
       notification_token_sha256, needs_payer)
     VALUES ($1, $2, $3, $3, $4, now(), '', $5, '{}')`,
    [id, organizationId, provider, enabled, randomUUID()],
  );
  if (isDefault) {
    await query(databaseUrl, 'UPDATE organization SET default_credential_id = $1 WHERE id = $2', [
      id,
      organizationId,
    ]);
  }
  return { id, provider };
}

export interface TestRules {
  /** The ends are reais, both inclusive. */
  ranges?: { from: number; to: number; credential: TestCredential }[];
  default?: TestCredential;
  fallbacks?: TestCredential[];
}

/** Answers the id of the rule set. */
export async function insertRuleSet(
  databaseUrl: string,
  organizationId: string,
  { ranges = [], default: ownDefault, fallbacks = [] }: TestRules,
): Promise<string> {
  const id = randomUUID();
  await query(
    databaseUrl,
    `INSERT INTO rule_set (id, organization_id, name, default_credential_id, fallback_credential_ids, created_at)
     VALUES ($1, $2, 'Test', $3, $4, now())`,
    [id, organizationId, ownDefault?.id ?? null, fallbacks.map((fallback) => fallback.id)],
  );
  for (const [position, { from, to, credential }] of ranges.entries()) {
    await query(
      databaseUrl,
      `INSERT INTO rule_set_range (rule_set_id, position, from_cents, to_cents, credential_id)
       VALUES ($1, $2, $3, $4, $5)`,
      [id, position, Math.round(from * 100), Math.round(to * 100), credential.id],
    );
  }
  return id;
}

export interface AttemptRow {
  provider: string;
  credentialId: string | null;
  reason: string;
  outcome: string;
}

/** The attempts of all payments of an organization, in routing order. */
export const attemptsOf = (databaseUrl: string, organizationId: string): Promise<AttemptRow[]> =>
  query<AttemptRow>(
    databaseUrl,
    `SELECT a.provider, a.credential_id AS "credentialId", a.reason, a.outcome::text
     FROM payment_attempt a JOIN payment p ON p.id = a.payment_id
     WHERE p.organization_id = $1 ORDER BY p.id, a.position`,
    [organizationId],
  );
