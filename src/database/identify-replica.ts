import type { Database } from './database.ts';

interface Identity {
  system: string;
  isStandby: boolean;
}

/** Undefined while the server is away, or when it does not tell. */
async function identityOf(db: Database): Promise<Identity | undefined> {
  const identified = db.$queryRaw<Identity[]>`
    SELECT system_identifier::text AS system, pg_is_in_recovery() AS "isStandby" FROM pg_control_system()`;
  return (await identified.catch(() => []))[0];
}

/** What a replica is to its primary; `other` belongs to another PostgreSQL. Undefined while one of them is away. */
export async function identifyReplica(
  primary: Database,
  replica: Database,
): Promise<'standby' | 'primary' | 'other' | undefined> {
  const [own, its] = await Promise.all([identityOf(primary), identityOf(replica)]);
  if (!own || !its) return undefined;
  if (own.system !== its.system) return 'other';
  return its.isStandby ? 'standby' : 'primary';
}
