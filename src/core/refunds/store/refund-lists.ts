import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';
import { newestRange, tenantValues } from '../../../database/index-range.ts';
import { type Cents, cents } from '../../base/money.ts';
import { beforeBoth } from '../../payments/store/payment-lists.ts';
import { isCreated, type Tenant } from '../../payments/store/payments.ts';
import type { Refund, RefundStatus } from '../rules/refund.ts';

export interface RefundFilter {
  status?: RefundStatus | undefined;
  stuck?: boolean | undefined;
  /** The reference of a payment. */
  search?: string | undefined;
  /** What is searched for, if it may be the id of a refund or of a payment. */
  id?: string | undefined;
  /** Inclusive. */
  amountFrom?: Cents | undefined;
  amountTo?: Cents | undefined;
  /** Bounds on the id, which follows creation order: `fromId` is inclusive, `toId` exclusive. */
  fromId?: string | undefined;
  toId?: string | undefined;
  /** Keyset pagination: only refunds that were created before this one. */
  afterId?: string | undefined;
}

export interface ListedRefunds {
  refunds: Refund[];
  /** Set when a page has compared as many rows as it may: the next one continues after this refund. */
  comparedTo?: string;
}

/** Must match the condition of the partial index. */
const isStuck = Prisma.sql`r.status = 'pending'::"RefundStatus" AND r.pending_reason IS NOT NULL`;

/** Most rows compared for a page; it may end short. */
const maximumCompared = 1_000;

const maximumPaymentsOfReference = 1_000;

const statusConditions = ({ status }: RefundFilter): Prisma.Sql[] =>
  status ? [Prisma.sql`r.status = ${status}::"RefundStatus"`] : [];

const stuckConditions = ({ stuck }: RefundFilter): Prisma.Sql[] =>
  stuck === undefined ? [] : [stuck ? isStuck : Prisma.sql`NOT (${isStuck})`];

const amountConditions = ({ amountFrom, amountTo }: RefundFilter): Prisma.Sql[] => [
  ...(amountFrom === undefined ? [] : [Prisma.sql`r.amount_in_cents >= ${amountFrom}::bigint`]),
  ...(amountTo === undefined ? [] : [Prisma.sql`r.amount_in_cents <= ${amountTo}::bigint`]),
];

async function select(db: Queryable, rows: Prisma.Sql): Promise<Refund[]> {
  const found = await db.$queryRaw<(Omit<Refund, 'amountInCents'> & { amountInCents: bigint })[]>`
    SELECT r.id, r.payment_id AS "paymentId", r.amount_in_cents AS "amountInCents", r.status::text,
      r.failure_reason AS "failureReason", r.pending_reason AS "pendingReason", r.reason, r.created_at AS "createdAt",
      r.awaiting_approval AS "awaitingApproval", r.approved_at AS "approvedAt" FROM (${rows}) r ORDER BY r.id DESC`;
  return found.map((row) => ({ ...row, amountInCents: cents(row.amountInCents) }));
}

/** Those of a payment are found by its index, and compared with whatever else is asked for. */
async function findRefunds(
  db: Queryable,
  tenant: Tenant,
  filter: RefundFilter & { search: string },
  limit: number,
): Promise<ListedRefunds> {
  const columns = ['p.organization_id', 'p.mode', 'p.external_id', 'p.id'];
  const { condition, inOrder } = newestRange(
    columns,
    [...tenantValues(tenant), Prisma.sql`${filter.search}`],
    {},
  );
  const payments = await db.$queryRaw<{ id: string }[]>`
    SELECT p.id FROM payment p WHERE ${condition} AND ${isCreated} ORDER BY ${inOrder} LIMIT ${maximumPaymentsOfReference}::int`;
  const paymentIds = [...payments.map(({ id }) => id), ...(filter.id === undefined ? [] : [filter.id])];
  const range = newestRange(['r.organization_id', 'r.mode', 'r.id'], tenantValues(tenant), {
    fromId: filter.fromId,
    beforeId: beforeBoth(filter.afterId, filter.toId),
  });
  const conditions = [
    range.condition,
    ...statusConditions(filter),
    ...stuckConditions(filter),
    ...amountConditions(filter),
  ];
  const found = Prisma.sql`
    SELECT r.* FROM (
      SELECT * FROM refund WHERE payment_id = ANY(${paymentIds}::uuid[])
      UNION SELECT * FROM refund WHERE id = ${filter.id ?? null}::uuid OFFSET 0) r
    WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY ${range.inOrder} LIMIT ${limit}::int`;
  return { refunds: await select(db, found) };
}

/** Newest first. Every list has an index in its order or compares a bounded number of rows, so its cost does not grow with the table. */
export async function listRefundsOf(
  db: Queryable,
  tenant: Tenant,
  filter: RefundFilter,
  limit: number,
): Promise<ListedRefunds> {
  const { status, stuck, search, fromId, toId, afterId } = filter;
  if (search !== undefined) return findRefunds(db, tenant, { ...filter, search }, limit);
  const byStatus = status !== undefined && !stuck;
  const { condition, inOrder } = newestRange(
    ['r.organization_id', 'r.mode', ...(byStatus ? ['r.status'] : []), 'r.id'],
    [...tenantValues(tenant), ...(byStatus ? [Prisma.sql`${status}::"RefundStatus"`] : [])],
    { fromId, beforeId: beforeBoth(afterId, toId) },
  );
  const ofIndex = stuck ? Prisma.sql`${condition} AND ${isStuck}` : condition;
  const compared = [
    ...(byStatus ? [] : statusConditions(filter)),
    ...(stuck ? [] : stuckConditions(filter)),
    ...amountConditions(filter),
  ];
  const walk = Prisma.sql`FROM refund r WHERE ${ofIndex} ORDER BY ${inOrder}`;
  if (compared.length === 0)
    return { refunds: await select(db, Prisma.sql`SELECT r.* ${walk} LIMIT ${limit}::int`) };
  const refunds = await select(
    db,
    Prisma.sql`
    SELECT r.* FROM (SELECT * ${walk} LIMIT ${maximumCompared}::int) r
    WHERE ${Prisma.join(compared, ' AND ')} ORDER BY ${inOrder} LIMIT ${limit}::int`,
  );
  if (refunds.length === limit) return { refunds };
  const [last] = await db.$queryRaw<{ id: string }[]>`
    SELECT r.id ${walk} OFFSET ${maximumCompared - 1}::int LIMIT 1`;
  return { refunds, ...(last && { comparedTo: last.id }) };
}

/** Who asked for a refund: the person's e-mail address, or the name of the key; null for the operator. */
export const requester = Prisma.sql`coalesce((SELECT email FROM "user" WHERE id = r.user_id), (SELECT name FROM api_key WHERE id = r.api_key_id))`;

/** Answers in the order of the ids. */
export async function listRequesters(db: Queryable, ids: readonly string[]): Promise<(string | null)[]> {
  const rows = await db.$queryRaw<{ id: string; requestedBy: string | null }[]>`
    SELECT r.id, ${requester} AS "requestedBy" FROM refund r WHERE r.id = ANY(${ids}::uuid[])`;
  const byId = new Map(rows.map(({ id, requestedBy }) => [id, requestedBy]));
  return ids.map((id) => byId.get(id) ?? null);
}
