import type { Queryable } from '../../../database/database.ts';

/** The last check of a credential, with `stages` as the services have them. */
export interface CredentialCheckRow {
  credentialId: string;
  checkedAt: Date;
  stages: unknown;
}

export async function storeCredentialCheck(
  db: Queryable,
  { credentialId, checkedAt, stages }: CredentialCheckRow,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO credential_check AS stored (credential_id, checked_at, stages)
    VALUES (${credentialId}::uuid, ${checkedAt}, ${JSON.stringify(stages)}::jsonb)
    ON CONFLICT (credential_id) DO UPDATE SET checked_at = excluded.checked_at, stages = excluded.stages
    WHERE stored.checked_at <= excluded.checked_at`;
}

/** A check says nothing about other settings. */
export async function forgetCredentialCheck(tx: Queryable, credentialId: string): Promise<void> {
  await tx.credentialCheck.deleteMany({ where: { credentialId } });
}

export const listCredentialChecks = (
  db: Queryable,
  credentialIds: readonly string[],
): Promise<CredentialCheckRow[]> =>
  db.credentialCheck.findMany({ where: { credentialId: { in: [...credentialIds] } } });
