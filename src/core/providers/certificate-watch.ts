import { ServiceError } from '../base/errors.ts';
import { certificateDaysLeft, certificateStateOf } from './rules/client-certificate.ts';
import { PspError } from './rules/psp-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Database } from '../../database/database.ts';
import {
  type CertificateRow,
  claimCertificates,
  listCertificateExpiries,
  recordCertificateCheck,
} from './store/client-certificates.ts';
import type { PspCatalogue } from './psp-catalogue.ts';
import type { SealedCredentials } from './sealed-credentials.ts';

/** Looks after the client certificates of all organizations. */
export interface CertificateWatch {
  /**
   * Reads the certificates that no node has read for a day, including those stored by an older version, and logs those that
   * expire soon. Returns how many credentials it read; once there are none, it sets the metric, which every node reports for
   * all credentials.
   */
  checkDue(limit: number): Promise<number>;
}

interface Dependencies {
  db: Database;
  sealed: Pick<SealedCredentials, 'unseal'>;
  catalogue: Pick<PspCatalogue, 'examine'>;
  now: () => Date;
  logger: Logger;
  metrics: Pick<Metrics, 'certificatesExpire'>;
}

const dayMs = 86_400_000;
/** Longer than a batch takes. After that, another node takes over what a dead one has claimed. */
const leaseMs = 2 * 60_000;

export function createCertificateWatch({
  db,
  sealed,
  catalogue,
  now,
  logger,
  metrics,
}: Dependencies): CertificateWatch {
  /** Falls back to what is known when the stored settings cannot be used; their first use reports that. */
  function expiryOf(row: CertificateRow): Date | null {
    try {
      return catalogue.examine(row.provider, sealed.unseal(row).settings).certificate?.expiresAt ?? null;
    } catch (error) {
      if (error instanceof PspError || error instanceof ServiceError) return row.certificateExpiresAt;
      throw error;
    }
  }

  function warn({ id: credentialId, organizationId, provider }: CertificateRow, expiresAt: Date): void {
    const state = certificateStateOf(expiresAt, now());
    if (state === 'valid') return;
    const about = { provider, credentialId, organizationId, expiresAt };
    if (state === 'expired') logger.error(about, 'the client certificate of a credential has expired');
    else {
      const daysLeft = certificateDaysLeft(expiresAt, now());
      logger.warn({ ...about, daysLeft }, 'the client certificate of a credential expires soon');
    }
  }

  return {
    async checkDue(limit) {
      const before = new Date(now().getTime() - dayMs);
      const checkedAt = new Date(before.getTime() + leaseMs);
      const claimed = await claimCertificates(db, { checkedAt, before, limit });
      for (const row of claimed) {
        const certificateExpiresAt = expiryOf(row);
        if (certificateExpiresAt && row.enabled) warn(row, certificateExpiresAt);
        await recordCertificateCheck(db, row, { certificateExpiresAt, certificateCheckedAt: now() });
      }
      if (claimed.length === 0) metrics.certificatesExpire(await listCertificateExpiries(db));
      return claimed.length;
    },
  };
}
