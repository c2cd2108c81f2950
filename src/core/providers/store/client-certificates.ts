import type { Queryable } from '../../../database/database.ts';
import type { CredentialRow } from './credentials.ts';

export type CertificateRow = Pick<
  CredentialRow,
  'id' | 'organizationId' | 'provider' | 'enabled' | 'sealedSettings' | 'certificateExpiresAt'
>;

/**
 * Claims credentials last checked before an instant; no other node gets them until they are due again, because `checkedAt` is
 * that of the lease. Skips one that is being changed.
 */
export const claimCertificates = (
  db: Queryable,
  { checkedAt, before, limit }: { checkedAt: Date; before: Date; limit: number },
): Promise<CertificateRow[]> =>
  db.$queryRaw<CertificateRow[]>`
    UPDATE credential c SET certificate_checked_at = ${checkedAt}
    FROM (
      SELECT id FROM credential WHERE certificate_checked_at IS NULL OR certificate_checked_at <= ${before}
      ORDER BY certificate_checked_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    ) due
    WHERE c.id = due.id
    RETURNING c.id, c.organization_id AS "organizationId", c.provider, c.enabled,
      c.sealed_settings AS "sealedSettings", c.certificate_expires_at AS "certificateExpiresAt"`;

/** Changes nothing when the settings have changed since they were read. */
export async function recordCertificateCheck(
  db: Queryable,
  { id, sealedSettings }: Pick<CertificateRow, 'id' | 'sealedSettings'>,
  check: { certificateExpiresAt: Date | null; certificateCheckedAt: Date },
): Promise<void> {
  await db.credential.updateMany({ where: { id, sealedSettings }, data: check });
}

/** Those of enabled credentials that expire first: an alert needs no others, and a metric has few labels. */
export const listCertificateExpiries = (
  db: Queryable,
): Promise<{ credentialId: string; provider: string; expiresAt: Date }[]> =>
  db.$queryRaw`
    SELECT id AS "credentialId", provider, certificate_expires_at AS "expiresAt"
    FROM credential WHERE enabled AND certificate_expires_at IS NOT NULL
    ORDER BY certificate_expires_at LIMIT 1000`;
