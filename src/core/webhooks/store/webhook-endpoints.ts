import type { EndpointEventType } from '../../events/rules/events.ts';
import type { Mode } from '../../base/mode.ts';
import type { Queryable } from '../../../database/database.ts';
import type { Tenant } from '../../payments/store/payments.ts';

export interface WebhookEndpointRow {
  id: string;
  organizationId: string;
  mode: Mode;
  name: string | null;
  url: string;
  /** Empty means all events of payments. */
  events: EndpointEventType[];
  enabled: boolean;
  disabledReason: string | null;
  sealedSecret: string;
  previousSealedSecret: string | null;
  previousSecretUntil: Date | null;
  failingSince: Date | null;
  createdAt: Date;
  /** Callers never see a deleted endpoint. */
  deletedAt: Date | null;
}

export async function insertWebhookEndpoint(db: Queryable, endpoint: WebhookEndpointRow): Promise<void> {
  await db.webhookEndpoint.create({ data: endpoint, select: { id: true } });
}

/** Across organizations, for the operator. */
export const findWebhookEndpointById = (db: Queryable, id: string): Promise<WebhookEndpointRow | null> =>
  db.webhookEndpoint.findUnique({ where: { id, deletedAt: null } });

export const findWebhookEndpoint = (
  db: Queryable,
  { organizationId, mode }: Tenant,
  id: string,
): Promise<WebhookEndpointRow | null> =>
  db.webhookEndpoint.findUnique({ where: { id, organizationId, mode, deletedAt: null } });

/** Makes others wait until this transaction ends. */
export async function lockWebhookEndpoint(
  tx: Queryable,
  { organizationId, mode }: Tenant,
  id: string,
): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM webhook_endpoint
    WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid AND mode = ${mode}::"Mode"
    FOR NO KEY UPDATE`;
}

/** Oldest first. */
export const listWebhookEndpoints = (
  db: Queryable,
  { organizationId, mode }: Tenant,
  limit: number,
): Promise<WebhookEndpointRow[]> =>
  db.webhookEndpoint.findMany({
    where: { organizationId, mode, deletedAt: null },
    orderBy: { id: 'asc' },
    take: limit,
  });

/** Until the transaction ends, nobody else makes an endpoint of the tenant, so that they can be counted. */
export const lockWebhookEndpoints = (tx: Queryable, { organizationId, mode }: Tenant): Promise<unknown> =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`webhook endpoints ${organizationId} ${mode}`}, 0))`;

export const countWebhookEndpoints = (db: Queryable, { organizationId, mode }: Tenant): Promise<number> =>
  db.webhookEndpoint.count({ where: { organizationId, mode, deletedAt: null } });

export type WebhookEndpointChange = Partial<
  Omit<WebhookEndpointRow, 'id' | 'organizationId' | 'mode' | 'createdAt'>
>;

export const changeWebhookEndpoint = (
  db: Queryable,
  id: string,
  change: WebhookEndpointChange,
): Promise<WebhookEndpointRow> => db.webhookEndpoint.update({ where: { id }, data: change });

const maximumHastened = 1_000;

/** Makes the deliveries that are overdue due now, as whoever claims looks at what became due last. Others are found by looking back. */
export const hastenOverdueDeliveries = (db: Queryable, endpointId: string, now: Date): Promise<number> =>
  db.$executeRaw`
    UPDATE webhook_delivery SET next_attempt_at = ${now} WHERE id = ANY(ARRAY(
      SELECT id FROM webhook_delivery WHERE endpoint_id = ${endpointId}::uuid AND next_attempt_at <= ${now}
      ORDER BY endpoint_id, next_attempt_at LIMIT ${maximumHastened} FOR NO KEY UPDATE SKIP LOCKED))`;

/** Returns whether it was enabled and, given `failingSince`, has accepted nothing since. */
export async function disableFailingEndpoint(
  db: Queryable,
  {
    id,
    disabledReason,
    failingSince,
  }: { id: string; disabledReason: string; failingSince?: Date | undefined },
): Promise<boolean> {
  const { count } = await db.webhookEndpoint.updateMany({
    where: { id, enabled: true, ...(failingSince && { failingSince }) },
    data: { enabled: false, disabledReason },
  });
  return count === 1;
}

/** Changes nothing if a secret was sealed again or rotated meanwhile. */
export async function replaceSealedSecrets(
  db: Queryable,
  { id, sealedSecret, previousSealedSecret }: WebhookEndpointRow,
  to: Pick<WebhookEndpointRow, 'sealedSecret' | 'previousSealedSecret'>,
): Promise<boolean> {
  const where = { id, sealedSecret, previousSealedSecret };
  const { sealedSecret: current, previousSealedSecret: previous } = to;
  const data = { sealedSecret: current, previousSealedSecret: previous };
  return (await db.webhookEndpoint.updateMany({ where, data })).count === 1;
}

/**
 * For deleted endpoints: ends some waiting deliveries, deletes some that ended before this event and keep no attempt, and
 * removes endpoints without deliveries. Returns the total.
 */
export async function clearDeletedEndpoints(
  db: Queryable,
  beforeEventId: string,
  limit: number,
): Promise<number> {
  const ended = await db.$executeRaw`
    UPDATE webhook_delivery SET status = 'exhausted', next_attempt_at = NULL WHERE id = ANY(ARRAY(
      SELECT waiting.id FROM webhook_endpoint endpoint CROSS JOIN LATERAL (
        SELECT id FROM webhook_delivery WHERE endpoint_id = endpoint.id AND next_attempt_at IS NOT NULL
        LIMIT ${limit}) AS waiting
      WHERE endpoint.deleted_at IS NOT NULL LIMIT ${limit}))`;
  // The others go when their last attempt is deleted.
  const deleted = await db.$executeRaw`
    DELETE FROM webhook_delivery WHERE id = ANY(ARRAY(
      SELECT old.id FROM webhook_endpoint endpoint CROSS JOIN LATERAL (
        SELECT id, next_attempt_at FROM webhook_delivery
        WHERE endpoint_id = endpoint.id AND event_id < ${beforeEventId}::uuid
        ORDER BY event_id LIMIT ${limit}) AS old
      WHERE endpoint.deleted_at IS NOT NULL AND old.next_attempt_at IS NULL
        AND NOT EXISTS (SELECT FROM webhook_attempt WHERE delivery_id = old.id) LIMIT ${limit}))`;
  const removed = await db.$executeRaw`
    DELETE FROM webhook_endpoint endpoint WHERE deleted_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM webhook_delivery WHERE endpoint_id = endpoint.id)`;
  return ended + deleted + removed;
}
