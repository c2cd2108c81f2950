import type { Queryable } from '../../../database/database.ts';

/** What the requests and notifications of a credential have shown, to any node. */
export interface CredentialTraffic {
  /** The PSP returned 429; polling leaves it alone until then. */
  pausedUntil: Date | null;
  /** The last time a notification told of money, to the minute. */
  notifiedAt: Date | null;
  /** The last time polling found money whose notification had not come. */
  missedAt: Date | null;
  /** How far sweeps have read the PSP's list of received money. */
  sweptAt: Date | null;
  /** The last time polling found money that a sweep should have found. */
  sweepMissedAt: Date | null;
  /** When the next sweep is due; null while nobody sweeps. */
  nextSweepAt: Date | null;
}

export async function recordPause(db: Queryable, credentialId: string, until: Date): Promise<void> {
  await db.$executeRaw`
    INSERT INTO credential_traffic AS known (credential_id, paused_until) VALUES (${credentialId}::uuid, ${until})
    ON CONFLICT (credential_id) DO UPDATE
    SET paused_until = greatest(known.paused_until, excluded.paused_until)`;
}

export async function recordNotified(db: Queryable, credentialId: string, at: Date): Promise<void> {
  await db.$executeRaw`
    INSERT INTO credential_traffic AS known (credential_id, notified_at) VALUES (${credentialId}::uuid, ${at})
    ON CONFLICT (credential_id) DO UPDATE SET notified_at = greatest(known.notified_at, excluded.notified_at)`;
}

export async function recordMissed(db: Queryable, credentialId: string, at: Date): Promise<void> {
  await db.$executeRaw`
    INSERT INTO credential_traffic AS known (credential_id, missed_at) VALUES (${credentialId}::uuid, ${at})
    ON CONFLICT (credential_id) DO UPDATE SET missed_at = greatest(known.missed_at, excluded.missed_at)`;
}
