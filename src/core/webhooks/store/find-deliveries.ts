import type { EndpointEventType } from '../../events/rules/events.ts';
import type { DeliveryState } from '../rules/webhook.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';
import { newestRange } from '../../../database/index-range.ts';
import { isUndelivered } from './undelivered.ts';
import { lastAttemptAt } from './webhook-summaries.ts';
import { type DeliveryRow, findDeliveries } from './webhook-deliveries.ts';

export interface DeliveryFilter {
  state?: DeliveryState | undefined;
  eventType?: EndpointEventType | undefined;
  /** How the last attempt failed: with this status, or this error. */
  statusCode?: number | undefined;
  error?: string | undefined;
}

/** Deliveries that a page looks at, however few match. The next page continues from there. */
const scannedAtOnce = 2_000;

const isPending = Prisma.sql`status = 'pending'::"WebhookDeliveryStatus"`;

/** States with an index are found at once; the others are searched for among all deliveries of the endpoint. */
const conditions: Record<DeliveryState, Prisma.Sql> = {
  queued: Prisma.sql`attempt_count = 0 AND ${isPending}`,
  retrying: Prisma.sql`${isUndelivered} AND ${isPending}`,
  exhausted: Prisma.sql`${isUndelivered} AND NOT (${isPending})`,
  undelivered: isUndelivered,
  delivered: Prisma.sql`status = 'delivered'::"WebhookDeliveryStatus"`,
};
const inIndex: readonly (DeliveryState | undefined)[] = ['retrying', 'exhausted', 'undelivered'];

interface Scan {
  ids: string[];
  /** The event of the last delivery looked at; null when there are no more. */
  scannedTo: string | null;
}

/** Lists an endpoint's deliveries, newest events first, at most `limit` of them. */
export async function listDeliveries(
  db: Queryable,
  endpointId: string,
  {
    beforeEventId: beforeId,
    limit,
    ...filter
  }: { beforeEventId?: string | undefined; limit: number } & DeliveryFilter,
): Promise<{ rows: DeliveryRow[]; scannedTo: string | null }> {
  const { state, eventType, statusCode, error } = filter;
  const isOfCause = statusCode !== undefined || error !== undefined;
  const endpoint = Prisma.sql`${endpointId}::uuid`;
  const { condition, inOrder } = newestRange(['endpoint_id', 'event_id'], [endpoint], { beforeId });
  const scanned = state || eventType || isOfCause ? scannedAtOnce : limit;
  const all = Prisma.sql`true`;
  const isWanted = state ? conditions[state] : all;
  const isOfType = eventType
    ? Prisma.sql`EXISTS (SELECT FROM event WHERE event.id = event_id AND type = ${eventType}::"EventType")`
    : all;
  const hasFailed = isOfCause
    ? Prisma.sql`${isUndelivered} AND EXISTS (SELECT FROM ${lastAttemptAt(Prisma.sql`scanned.id`)} AS last
        WHERE ${statusCode ?? null}::int IS NOT DISTINCT FROM last.status_code
          AND ${error ?? null}::text IS NOT DISTINCT FROM last.error)`
    : all;
  const [scan] = await db.$queryRaw<Scan[]>`
    WITH scanned AS MATERIALIZED (
      SELECT id, event_id, status, attempt_count FROM webhook_delivery
      WHERE ${condition} AND ${isOfCause || inIndex.includes(state) ? isUndelivered : all} ORDER BY ${inOrder} LIMIT ${scanned}
    ), wanted AS (
      SELECT id FROM scanned WHERE ${isWanted} AND ${isOfType} AND ${hasFailed} ORDER BY event_id DESC LIMIT ${limit}
    )
    SELECT ARRAY(SELECT id::text FROM wanted) AS ids,
      (SELECT event_id::text FROM scanned ORDER BY event_id DESC OFFSET ${scanned}::int - 1 LIMIT 1) AS "scannedTo"`;
  return { rows: await findDeliveries(db, scan?.ids ?? []), scannedTo: scan?.scannedTo ?? null };
}
