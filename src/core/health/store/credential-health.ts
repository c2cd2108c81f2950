import type { Queryable } from '../../../database/database.ts';

/** A credential with what its calls and notifications have shown to any node. */
export interface CredentialHealthRow {
  id: string;
  provider: string;
  name: string;
  enabled: boolean;
  certificateExpiresAt: Date | null;
  pausedUntil: Date | null;
  notifiedAt: Date | null;
  missedAt: Date | null;
  succeededAt: Date | null;
  answeredAt: Date | null;
  outages: number;
  outagesSince: Date | null;
  lastOutageAt: Date | null;
  failedAt: Date | null;
  failedOperation: string | null;
  failedOutcome: string | null;
  failedReason: string | null;
  failedMessage: string | null;
  refusedAt: Date | null;
  refusedReason: string | null;
  breakerOpenAt: Date | null;
  requestsLeft: number | null;
  requestsLimit: number | null;
  requestsAt: Date | null;
  isDefault: boolean;
}

/** Oldest first. Leaves out the sandbox, which makes no calls. */
export const listCredentialHealth = (db: Queryable, organizationId: string): Promise<CredentialHealthRow[]> =>
  db.$queryRaw<CredentialHealthRow[]>`
    SELECT c.id, c.provider, c.name, c.enabled, c.certificate_expires_at AS "certificateExpiresAt",
      paused_until AS "pausedUntil", notified_at AS "notifiedAt", missed_at AS "missedAt",
      succeeded_at AS "succeededAt", answered_at AS "answeredAt", coalesce(outages, 0) AS outages,
      outages_since AS "outagesSince", last_outage_at AS "lastOutageAt", failed_at AS "failedAt",
      failed_operation AS "failedOperation", failed_outcome AS "failedOutcome", failed_reason AS "failedReason",
      failed_message AS "failedMessage", refused_at AS "refusedAt", refused_reason AS "refusedReason",
      breaker_open_at AS "breakerOpenAt", requests_left AS "requestsLeft", requests_limit AS "requestsLimit",
      requests_at AS "requestsAt", o.id IS NOT NULL AS "isDefault"
    FROM credential c
    LEFT JOIN credential_traffic t ON t.credential_id = c.id
    LEFT JOIN credential_health h ON h.credential_id = c.id
    LEFT JOIN organization o ON o.id = c.organization_id AND o.default_credential_id = c.id
    WHERE c.organization_id = ${organizationId}::uuid AND c.provider <> 'sandbox' AND c.archived_at IS NULL ORDER BY c.id`;
