import type { Queryable } from '../../../database/database.ts';
import type { ServerState } from '../../../observability/metrics/node.ts';

/** Times are null where nothing is archived, or nothing has failed. */
export async function findServerState(db: Queryable): Promise<ServerState> {
  const [state] = await db.$queryRaw<ServerState[]>`
    SELECT (SELECT sum(numbackends)::int FROM pg_stat_database) AS connections,
      current_setting('max_connections')::int AS "maximumConnections",
      CASE WHEN current_setting('archive_mode') <> 'off' THEN last_archived_time END AS "archivedAt",
      CASE WHEN current_setting('archive_mode') <> 'off' THEN last_failed_time END AS "archivingFailedAt"
    FROM pg_stat_archiver`;
  if (!state) throw new Error('pg_stat_archiver has one row');
  return state;
}
