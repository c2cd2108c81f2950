import { newestOf } from '../../base/time/lost-time.ts';
import { idTimestamp } from '../../base/ids.ts';
import type { Database, Queryable } from '../../../database/database.ts';

/** A copy of the database that nodes have worked on. */
export interface DatabaseCopy {
  id: string;
  identity: string;
  noticedAt: Date;
  /** What was written from then on until it was noticed may be lost; null for the first. */
  lostSince: Date | null;
  /** When every PSP had been asked for what was lost. */
  checkedAt: Date | null;
}

/**
 * Changes when a backup or a dump is restored and when a standby takes over, as each of them begins a timeline, a system
 * or a database. Undefined where the server does not tell.
 */
export async function identifyDatabase(db: Database): Promise<string | undefined> {
  const identified = db.$queryRaw<{ identity: string }[]>`
    SELECT concat_ws('/', system_identifier, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), oid) AS identity
    FROM pg_control_system(), pg_database WHERE datname = current_database()`;
  return (await identified.catch(() => []))[0]?.identity;
}

export const findLatestCopy = (db: Queryable): Promise<DatabaseCopy | null> =>
  db.databaseCopy.findFirst({ orderBy: { id: 'desc' } });

/** Lets only one of several nodes that start at once begin an epoch. */
export async function lockCopies(tx: Queryable): Promise<void> {
  await tx.$executeRaw`LOCK TABLE database_copy IN SHARE ROW EXCLUSIVE MODE`;
}

export async function insertCopy(tx: Queryable, copy: DatabaseCopy): Promise<void> {
  await tx.databaseCopy.create({ data: copy, select: { id: true } });
}

export async function changeCopy(
  db: Queryable,
  id: string,
  change: Partial<Pick<DatabaseCopy, 'lostSince' | 'checkedAt'>>,
): Promise<void> {
  await db.databaseCopy.update({ where: { id }, data: change, select: { id: true } });
}

/** When the newest rows were written, by their ids; null in an empty database. */
export async function findLastWritten(db: Queryable): Promise<Date | null> {
  const newest = { orderBy: { id: 'desc' }, select: { id: true } } as const;
  const rows = [
    await db.payment.findFirst(newest),
    await db.event.findFirst(newest),
    await db.pspNotification.findFirst(newest),
    await db.auditEntry.findFirst(newest),
  ];
  return newestOf(rows.flatMap((row) => (row ? [idTimestamp(row.id)] : [])));
}

/** Numbers of later events begin after the next whole million that leaves room for so many lost ones. */
export async function beginEpoch(tx: Queryable, lostEvents: number): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO event_counter AS known (organization_id, mode, last_sequence, epoch)
    SELECT organization.id, modes.mode, (${lostEvents}::bigint / 1000000 + 1) * 1000000, 2
    FROM organization, unnest(enum_range(NULL::"Mode")) AS modes(mode)
    ON CONFLICT (organization_id, mode) DO UPDATE
    SET epoch = known.epoch + 1, last_sequence = ((known.last_sequence + ${lostEvents}::bigint) / 1000000 + 1) * 1000000`;
}
