import { idAfter } from '../../base/ids.ts';
import { cents, type Cents } from '../../base/money.ts';
import type { Payment, PaymentSort, SortOrder } from '../rules/payment.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';
import { newestRange, oldestRange, tenantValues } from '../../../database/index-range.ts';
import {
  amountConditions,
  concernConditions,
  dueConditions,
  happenedConditions,
  originConditions,
  overdueConditions,
  paidConditions,
  purposeConditions,
  refundedConditions,
  statusConditions,
  timeConditions,
  type PaymentFilter,
} from './payment-filter.ts';
import { isCreated, paymentColumns, selectPayments, type Tenant } from './payments.ts';

/** A payment's place in a list, as an entry of the index that the list is read from. */
export interface Place {
  id: string;
  /**
   * Centavos in a list by amount, milliseconds since 1970 in one by payment, days since then in one by due date; unset in one by
   * creation, where the id is enough.
   */
  value?: bigint | undefined;
}

export interface ListOrder {
  sort: PaymentSort;
  order: SortOrder;
  /** Keyset pagination: only payments that come later in this order. */
  after?: Place | undefined;
}

const newestOrder: ListOrder = { sort: 'created', order: 'desc' };

/** The smaller of two exclusive bounds. */
export const beforeBoth = (a: string | undefined, b: string | undefined): string | undefined =>
  a !== undefined && b !== undefined && b < a ? b : (a ?? b);

const fromBoth = (a: string | undefined, b: string | undefined): string | undefined =>
  a !== undefined && b !== undefined && b > a ? b : (a ?? b);

/** The range of an index that a list is read from, and the order it is read in. */
interface Walk {
  condition: Prisma.Sql;
  inOrder: Prisma.Sql;
  /** The value of a `Place`. */
  value: Prisma.Sql;
  /** Conditions that most rows of the range meet. */
  isRight: Prisma.Sql[];
  /** Conditions that no index serves, so that rows are compared one by one. */
  compared: Prisma.Sql[];
}

/** The filter that has an index of its own; concerns have partial indexes instead. */
function filteredBy({ status, externalId, concern, overdue }: PaymentFilter) {
  if (externalId !== undefined) return { column: 'p.external_id', value: Prisma.sql`${externalId}` };
  if (concern || overdue || !status) return undefined;
  return { column: 'p.status', value: Prisma.sql`${status}::"PaymentStatus"` };
}

function walkByCreation(tenant: Tenant, filter: PaymentFilter, { order, after }: ListOrder): Walk {
  const { concern, fromId, toId } = filter;
  const index = filteredBy(filter);
  const columns = ['p.organization_id', 'p.mode', ...(index ? [index.column] : []), 'p.id'];
  const values = [...tenantValues(tenant), ...(index ? [index.value] : [])];
  const newest = () => newestRange(columns, values, { fromId, beforeId: beforeBoth(after?.id, toId) });
  const oldest = () =>
    oldestRange(columns, values, { fromId: fromBoth(after && idAfter(after.id), fromId), beforeId: toId });
  const { condition, inOrder } = order === 'desc' ? newest() : oldest();
  return {
    condition: Prisma.join(
      [condition, isCreated, ...(concern ? [concernConditions[concern]] : []), ...overdueConditions(filter)],
      ' AND ',
    ),
    inOrder,
    value: Prisma.sql`NULL::bigint`,
    // Beside another index's range condition, it would make the planner waver between the two.
    isRight: index?.column === 'p.status' ? [] : statusConditions(filter),
    compared: [
      ...originConditions(filter),
      ...amountConditions(filter),
      ...dueConditions(filter),
      ...refundedConditions(filter),
      ...paidConditions(filter),
      ...happenedConditions(filter),
    ],
  };
}

interface ValueWalk {
  column: Prisma.Sql;
  /** The value of a `Place`, and what the column has there. */
  value: Prisma.Sql;
  valueOf(value: bigint): Prisma.Sql;
  /** The condition of the index, and that on its value. */
  range(filter: PaymentFilter): Prisma.Sql[];
}

/** Must match the condition of the partial index. */
const isPending = Prisma.sql`p.status = 'pending'::"PaymentStatus"`;

const valueWalks: Record<Exclude<PaymentSort, 'created'>, ValueWalk> = {
  amount: {
    column: Prisma.raw('p.amount_in_cents'),
    value: Prisma.raw('p.amount_in_cents'),
    valueOf: (cents) => Prisma.sql`${cents}::bigint`,
    range: (filter) => [isCreated, ...amountConditions(filter)],
  },
  paid: {
    column: Prisma.raw('p.confirmed_at'),
    value: Prisma.raw('(extract(epoch FROM p.confirmed_at) * 1000)::bigint'),
    valueOf: (ms) => Prisma.sql`${new Date(Number(ms)).toISOString()}::timestamptz`,
    range: (filter) => [Prisma.sql`p.confirmed_at IS NOT NULL`, ...paidConditions(filter)],
  },
  due: {
    column: Prisma.raw('p.due_date'),
    value: Prisma.raw("(p.due_date - date '1970-01-01')::bigint"),
    valueOf: (days) => Prisma.sql`(date '1970-01-01' + ${Number(days)}::int)`,
    // What is due and what is overdue have an index of pending payments, past what was paid long ago.
    range: (filter) => [
      Prisma.sql`p.due_date IS NOT NULL`,
      ...(filter.status === 'pending' || filter.overdue ? [isPending] : []),
      ...dueConditions(filter),
    ],
  },
};

/** Walks an index that has a value before the id. */
function walkByValue(
  tenant: Tenant,
  filter: PaymentFilter,
  { sort, order, after }: ListOrder & { sort: keyof typeof valueWalks },
): Walk {
  const { column, value, valueOf, range: ofIndex } = valueWalks[sort];
  const beyond = Prisma.raw(order === 'desc' ? '<' : '>');
  const [organizationId, mode] = tenantValues(tenant);
  const range = [
    Prisma.sql`p.organization_id = ${organizationId}`,
    Prisma.sql`p.mode = ${mode}`,
    ...ofIndex(filter),
    ...(after?.value === undefined
      ? []
      : [Prisma.sql`(${column}, p.id) ${beyond} (${valueOf(after.value)}, ${after.id}::uuid)`]),
  ];
  return {
    condition: Prisma.join(range, ' AND '),
    // The columns that are the same everywhere are left out: outside of the walk the planner does not know that, and would sort all of it.
    inOrder: Prisma.raw([column.sql, 'p.id'].map((each) => `${each} ${order}`).join(', ')),
    value,
    isRight: sort === 'due' ? [isCreated] : [],
    compared: [
      ...statusConditions(filter),
      ...purposeConditions(filter),
      ...originConditions(filter),
      ...(sort === 'amount' ? [] : amountConditions(filter)),
      ...(sort === 'due' ? [] : dueConditions(filter)),
      ...(sort === 'paid' ? [] : paidConditions(filter)),
      ...happenedConditions(filter),
      ...overdueConditions(filter),
      ...refundedConditions(filter),
      ...timeConditions(filter),
    ],
  };
}

const walkOf = (tenant: Tenant, filter: PaymentFilter, order: ListOrder): Walk =>
  order.sort === 'created'
    ? walkByCreation(tenant, filter, order)
    : walkByValue(tenant, filter, { ...order, sort: order.sort });

/** Finds the last of a number of entries of an index; undefined when there are fewer. */
export async function findWalkEnd(
  db: Queryable,
  {
    condition,
    inOrder,
    value = Prisma.sql`NULL::bigint`,
  }: Pick<Walk, 'condition' | 'inOrder'> & Partial<Pick<Walk, 'value'>>,
  entries: number,
): Promise<Place | undefined> {
  const [last] = await db.$queryRaw<{ id: string; value: bigint | null }[]>`
    SELECT p.id, ${value} AS value FROM payment p WHERE ${condition} ORDER BY ${inOrder} OFFSET ${entries - 1}::int LIMIT 1`;
  return last && { id: last.id, ...(last.value !== null && { value: last.value }) };
}

/**
 * The rows of a walk that pass the filter, in its order. Comparisons stay outside of a walk that ends: beside its range
 * condition, the planner may choose another index and read all of it.
 */
function rowsOf(
  { condition, inOrder, isRight, compared }: Walk,
  { columns, most, limit }: { columns: string; most: number; limit: number },
): Prisma.Sql {
  const selected = Prisma.raw(columns);
  const isOrdered = (ends: number) => Prisma.sql`ORDER BY ${inOrder} LIMIT ${ends}::int`;
  if (compared.length === 0) {
    const conditions = Prisma.join([condition, ...isRight], ' AND ');
    return Prisma.sql`SELECT ${selected} FROM payment p WHERE ${conditions} ${isOrdered(limit)}`;
  }
  return Prisma.sql`
    SELECT ${selected} FROM (SELECT * FROM payment p WHERE ${condition} ${isOrdered(most)}) p
    WHERE ${Prisma.join([...isRight, ...compared], ' AND ')} ${isOrdered(limit)}`;
}

/** Most rows compared for a page; it may end short. */
const maximumCompared = 5_000;

export interface ListedPayments {
  payments: Payment[];
  /** Set when a page has compared as many rows as it may: the next one continues after this place. */
  comparedTo?: Place;
}

/** Every list has an index in its order or compares a bounded number of rows, so its cost does not grow with the table. */
export async function listPayments(
  db: Queryable,
  tenant: Tenant,
  filter: PaymentFilter,
  order: ListOrder,
  limit: number,
): Promise<ListedPayments> {
  const walk = walkOf(tenant, filter, order);
  const payments = await selectPayments(
    db,
    Prisma.sql`
    SELECT ${paymentColumns} FROM (${rowsOf(walk, { columns: '*', most: maximumCompared, limit })}) p
    ORDER BY ${walk.inOrder}`,
  );
  if (walk.compared.length === 0 || payments.length === limit) return { payments };
  const comparedTo = await findWalkEnd(db, walk, maximumCompared);
  return { payments, ...(comparedTo && { comparedTo }) };
}

export interface PaymentTotals {
  count: number;
  amountInCents: Cents;
  /** There are more, or rows that were not compared. */
  isAtLeast: boolean;
}

const maximumCounted = 10_000;
const maximumComparedForTotals = 20_000;

/** What is due, or was paid, in a time need not be looked for among others if the list goes by that. */
function totalledOrder({ dueFrom, dueTo, paid, externalId, concern }: PaymentFilter): ListOrder {
  if ((externalId ?? concern) !== undefined) return newestOrder;
  if (paid) return { sort: 'paid', order: 'desc' };
  return (dueFrom ?? dueTo) === undefined ? newestOrder : { sort: 'due', order: 'asc' };
}

/** Counts the first payments that pass the filter, up to a bound: the newest, or those due first. */
export async function totalPayments(
  db: Queryable,
  tenant: Tenant,
  filter: PaymentFilter,
): Promise<PaymentTotals> {
  const walk = walkOf(tenant, filter, totalledOrder(filter));
  const rows = rowsOf(walk, {
    columns: 'p.amount_in_cents',
    most: maximumComparedForTotals,
    limit: maximumCounted,
  });
  const [row] = await db.$queryRaw<{ count: number; amountInCents: bigint }[]>`
    SELECT count(*)::int AS count, coalesce(sum(amount_in_cents), 0)::bigint AS "amountInCents" FROM (${rows}) AS counted`;
  const count = row?.count ?? 0;
  const isAtLeast =
    count === maximumCounted ||
    (walk.compared.length > 0 && (await findWalkEnd(db, walk, maximumComparedForTotals)) !== undefined);
  return { count, amountInCents: cents(row?.amountInCents ?? 0n), isAtLeast };
}
