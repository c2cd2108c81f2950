import type { Tenant } from '../../payments/store/payments.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';
import { failedByOurFault } from '../../payments/store/debits.ts';
import { newestRange, oldestRange, tenantValues } from '../../../database/index-range.ts';

const tenantOf = (tenant: Tenant) => Prisma.join(tenantValues(tenant));

/** Counts the calls of these operations since `from`, and the outages among them, per credential. */
export const countOutages = (
  db: Queryable,
  credentialIds: readonly string[],
  { operations, from }: { operations: readonly string[]; from: Date },
): Promise<{ credentialId: string; outages: number; calls: number }[]> =>
  db.$queryRaw`
    SELECT credential_id AS "credentialId", sum(not_sent + unknown)::int AS outages,
      sum(done + refused + rejected + rejected_payer + rate_limited + not_yet + not_sent + unknown)::int AS calls
    FROM psp_call_sum
    WHERE credential_id = ANY(${credentialIds}::uuid[]) AND seconds = 60 AND starts_at >= ${from}
      AND operation = ANY(${operations}::text[])
    GROUP BY credential_id`;

export interface RecentCreations {
  failed: number;
  total: number;
  lastFailedAt: Date | null;
  lastSucceededAt: Date | null;
}

/** Counts the latest payments whose ids are `fromId` or later, at most `limit`. */
export async function countCreations(
  db: Queryable,
  tenant: Tenant,
  { fromId, limit }: { fromId: string; limit: number },
): Promise<RecentCreations> {
  const range = newestRange(['organization_id', 'mode', 'id'], tenantValues(tenant), { fromId });
  const [counted] = await db.$queryRaw<RecentCreations[]>`
    SELECT count(*) FILTER (WHERE status = 'failed')::int AS failed, count(*)::int AS total,
      max(created_at) FILTER (WHERE status = 'failed') AS "lastFailedAt",
      max(created_at) FILTER (WHERE status <> 'failed') AS "lastSucceededAt"
    FROM (SELECT status, created_at FROM payment WHERE ${range.condition} AND status <> 'creating'
      ORDER BY ${range.inOrder} LIMIT ${limit}) AS latest`;
  if (!counted) throw new Error('a count has one row');
  return counted;
}

export interface TroubledEndpoint {
  id: string;
  name: string | null;
  url: string;
  disabledReason: string | null;
  failingSince: Date | null;
}

/** Endpoints that fail, or that the service disabled because they failed. */
export const listTroubledEndpoints = (db: Queryable, tenant: Tenant): Promise<TroubledEndpoint[]> =>
  db.$queryRaw<TroubledEndpoint[]>`
    SELECT id, name, url, disabled_reason AS "disabledReason", failing_since AS "failingSince" FROM webhook_endpoint
    WHERE (organization_id, mode) = (${tenantOf(tenant)})
      AND deleted_at IS NULL AND (CASE WHEN enabled THEN failing_since IS NOT NULL ELSE disabled_reason IS NOT NULL END)
    ORDER BY id LIMIT 100`;

/** Finds since when the longest overdue delivery of the tenant is due and claimed by no worker. */
export async function dueDeliverySince(db: Queryable, tenant: Tenant, now: Date): Promise<Date | null> {
  const [row] = await db.$queryRaw<{ since: Date | null }[]>`
    SELECT min(due.next_attempt_at) AS since
    FROM (SELECT id FROM webhook_endpoint WHERE (organization_id, mode) = (${tenantOf(tenant)}) AND enabled AND deleted_at IS NULL) AS e
    CROSS JOIN LATERAL (
      SELECT next_attempt_at FROM webhook_delivery
      WHERE endpoint_id = e.id AND next_attempt_at IS NOT NULL AND next_attempt_at <= ${now}
      ORDER BY next_attempt_at LIMIT 1) AS due`;
  return row?.since ?? null;
}

/** Days whose statement could not be read or never was, oldest first. Accounts without statements are left out. */
export const listUnreadDays = (
  db: Queryable,
  { organizationId, mode }: Tenant,
  { from, to }: { from: string; to: string },
): Promise<{ day: string; credentialId: string; count: number }[]> =>
  db.$queryRaw`
    SELECT min(day)::text AS day, credential_id AS "credentialId", count(*)::int AS count FROM statement_day
    WHERE organization_id = ${organizationId}::uuid AND day BETWEEN ${from}::date AND ${to}::date
      AND mode = ${mode}::"Mode" AND CASE WHEN problem IS NULL THEN imported_at IS NULL
        ELSE problem_reason ->> 'code' IS DISTINCT FROM 'no_statement' END
    GROUP BY credential_id ORDER BY 1, 2`;

/** Payments whose refunds need a person at the PSP, oldest refund first. */
export const listStuckRefunds = (
  db: Queryable,
  tenant: Tenant,
  limit: number,
): Promise<{ paymentId: string; createdAt: Date }[]> => {
  const { condition, inOrder } = oldestRange(['organization_id', 'mode', 'id'], tenantValues(tenant), {});
  return db.$queryRaw`
    SELECT payment_id AS "paymentId", created_at AS "createdAt" FROM refund
    WHERE ${condition} AND status = 'pending' AND pending_reason IS NOT NULL ORDER BY ${inOrder} LIMIT ${limit}`;
};

/** Counts the debits since `fromId` that failed by our fault, up to `limit`. The condition is that of the partial index. */
export async function countOurFaults(
  db: Queryable,
  tenant: Tenant,
  { fromId, limit }: { fromId: string; limit: number },
): Promise<number> {
  const recent = newestRange(['organization_id', 'mode', 'id'], tenantValues(tenant), { fromId });
  const [counted] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (SELECT 1 FROM payment WHERE ${recent.condition} AND ${failedByOurFault}
      ORDER BY ${recent.inOrder} LIMIT ${limit}) AS f`;
  return counted?.count ?? 0;
}

/** The first `limit` open disputes without an answer whose deadlines are still to come, up to `until`. */
export async function listUrgentDisputes(
  db: Queryable,
  { organizationId, mode }: Tenant,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<{ defenceUntil: Date; createdAt: Date }[]> {
  const urgent = await db.dispute.findMany({
    where: { organizationId, mode, state: 'open', answer: null, defenceUntil: { gt: now, lte: until } },
    select: { defenceUntil: true, createdAt: true },
    orderBy: [{ defenceUntil: 'asc' }, { id: 'asc' }],
    take: limit,
  });
  return urgent.flatMap(({ defenceUntil, createdAt }) => (defenceUntil ? [{ defenceUntil, createdAt }] : []));
}

/**
 * Counts payments that need a person, up to `limit`: those with an open dispute, and those paid twice or
 * by another payer since `refundableFromId`.
 */
export async function countConcerns(
  db: Queryable,
  tenant: Tenant,
  { refundableFromId, limit }: { refundableFromId: string; limit: number },
): Promise<Record<'disputed' | 'duplicated' | 'other_payer', number>> {
  const all = newestRange(['organization_id', 'mode', 'id'], tenantValues(tenant), {});
  const recent = newestRange(['organization_id', 'mode', 'id'], tenantValues(tenant), {
    fromId: refundableFromId,
  });
  const [counted] = await db.$queryRaw<Record<'disputed' | 'duplicated' | 'other_payer', number>[]>`
    SELECT
      (SELECT count(*)::int FROM (SELECT 1 FROM payment WHERE ${all.condition} AND disputed
        ORDER BY ${all.inOrder} LIMIT ${limit}) AS d) AS disputed,
      (SELECT count(*)::int FROM (SELECT 1 FROM payment WHERE ${recent.condition} AND duplicate_payment
        AND refunded_in_cents = 0 ORDER BY ${recent.inOrder} LIMIT ${limit}) AS d) AS duplicated,
      (SELECT count(*)::int FROM (SELECT 1 FROM payment WHERE ${recent.condition} AND other_payer
        AND refunded_in_cents = 0 ORDER BY ${recent.inOrder} LIMIT ${limit}) AS d) AS other_payer`;
  if (!counted) throw new Error('a count has one row');
  return counted;
}

/** Credentials whose turn another one takes, since the longest first. */
export const listDiversions = (
  db: Queryable,
  organizationId: string,
): Promise<{ id: string; name: string; since: Date; divertedTo: { id: string; name: string } }[]> =>
  db.$queryRaw`
    SELECT c.id, c.name, c.diverted_at AS since, json_build_object('id', t.id, 'name', t.name) AS "divertedTo"
    FROM credential c JOIN credential t ON t.id = c.diverted_to_id
    WHERE c.organization_id = ${organizationId}::uuid AND c.diverted_to_id IS NOT NULL ORDER BY c.diverted_at`;
