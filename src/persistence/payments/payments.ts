import { JsonText } from '../../domain/json/json-text.ts';
import type { Mode } from '../../domain/mode.ts';
import { cents, type Cents } from '../../domain/money.ts';
import type { Payment, PaymentConcern, PublicStatus } from '../../domain/payments/payment.ts';
import { Prisma } from '../generated/client.ts';
import type { Queryable } from '../database.ts';
import { newestRange, tenantValues } from '../index-range.ts';

/** Every query for a caller is bounded by both. */
export interface Tenant {
  organizationId: string;
  mode: Mode;
}

export interface PaymentKey extends Tenant {
  id: string;
}

export interface PaymentFilter {
  status?: PublicStatus;
  externalId?: string;
  concern?: PaymentConcern;
  provider?: string;
  credentialId?: string;
  /** Inclusive. */
  amountFrom?: Cents;
  amountTo?: Cents;
  /** Keyset: only payments with a smaller id. */
  beforeId?: string;
  /** Bounds on the id, which is in creation order: from inclusive, to exclusive. */
  fromId?: string;
  toId?: string;
}

export const paymentColumns =
  Prisma.raw(`p.id, p.organization_id AS "organizationId", p.mode::text, p.status::text,
  p.amount_in_cents AS "amountInCents", p.provider, p.description, p.external_id AS "externalId",
  p.payer_name AS "payerName", p.payer_document AS "payerDocument", p.payer_email AS "payerEmail", p.payer_phone AS "payerPhone", p.metadata::text,
  p.pix_copy_paste AS "pixCopyPaste", p.pix_qr_code_base64 AS "pixQrCodeBase64", p.created_at AS "createdAt",
  p.expires_at AS "expiresAt", p.confirmed_at AS "confirmedAt", p.refunded_in_cents AS "refundedInCents",
  p.reversed_in_cents AS "reversedInCents", p.disputed,
  CASE WHEN p.confirmed_at IS NOT NULL THEN (
    SELECT coalesce(x.told_end_to_end_id, x.end_to_end_id) FROM received_pix x
    WHERE x.payment_id = p.id AND x.attempt_id = p.attempt_id ORDER BY x.created_at, x.end_to_end_id LIMIT 1
  ) END AS "pixId"`);

/** Runs a statement that selects `paymentColumns`. */
export async function selectPayments(db: Queryable, statement: Prisma.Sql): Promise<Payment[]> {
  const rows = await db.$queryRaw<(Omit<Payment, 'metadata'> & { metadata: string | null })[]>(statement);
  return rows.map((row) =>
    Object.assign(row, { metadata: row.metadata === null ? null : new JsonText(row.metadata) }),
  );
}

/** The payment of each key, in order; undefined where the tenant has none. One statement for all keys. */
export async function findPayments(
  db: Queryable,
  keys: readonly PaymentKey[],
): Promise<(Payment | undefined)[]> {
  const ids = keys.map(({ id }) => id);
  // By id alone first: given the tenant as well, the planner may use an index that starts with the tenant and
  // read all of its payments.
  const rows = await selectPayments(
    db,
    Prisma.sql`
    WITH p AS MATERIALIZED (SELECT * FROM payment WHERE id = ANY(${ids}::uuid[]) AND status <> 'creating')
    SELECT ${paymentColumns}
    FROM p JOIN unnest(${ids}::uuid[], ${keys.map((key) => key.organizationId)}::uuid[],
      ${keys.map(({ mode }) => mode)}::"Mode"[]) AS k(id, organization_id, mode)
      ON p.id = k.id AND p.organization_id = k.organization_id AND p.mode = k.mode`,
  );
  const keyOf = ({ id, organizationId, mode }: PaymentKey) => `${id} ${organizationId} ${mode}`;
  const byKey = new Map(rows.map((payment) => [keyOf(payment), payment]));
  return keys.map((key) => byKey.get(keyOf(key)));
}

/** For the service's own work, across tenants. */
export async function findPaymentById(db: Queryable, id: string): Promise<Payment | undefined> {
  const [payment] = await selectPayments(
    db,
    Prisma.sql`SELECT ${paymentColumns} FROM payment p WHERE p.id = ${id}::uuid`,
  );
  return payment;
}

/** Written like the conditions of the partial indexes. */
const concernConditions: Record<PaymentConcern, Prisma.Sql> = {
  duplicated: Prisma.sql`p.duplicate_payment AND p.refunded_in_cents = 0`,
  paid_late: Prisma.sql`p.paid_late AND p.refunded_in_cents = 0`,
  disputed: Prisma.sql`p.disputed`,
};

/** Conditions that no index serves: rows are compared one by one. */
function comparedConditions({ provider, credentialId, amountFrom, amountTo }: PaymentFilter): Prisma.Sql[] {
  return [
    ...(provider === undefined ? [] : [Prisma.sql`p.provider = ${provider}`]),
    ...(credentialId === undefined ? [] : [Prisma.sql`p.credential_id = ${credentialId}::uuid`]),
    ...(amountFrom === undefined ? [] : [Prisma.sql`p.amount_in_cents >= ${amountFrom}::bigint`]),
    ...(amountTo === undefined ? [] : [Prisma.sql`p.amount_in_cents <= ${amountTo}::bigint`]),
  ];
}

const hasStatus = ({ status }: PaymentFilter): Prisma.Sql =>
  status ? Prisma.sql`p.status = ${status}::"PaymentStatus"` : Prisma.sql`p.status <> 'creating'`;

/** All conditions of a filter on a payment `p`, but for the bounds on its id. */
export const filterConditions = (filter: PaymentFilter): Prisma.Sql[] => [
  hasStatus(filter),
  ...(filter.externalId === undefined ? [] : [Prisma.sql`p.external_id = ${filter.externalId}`]),
  ...(filter.concern ? [concernConditions[filter.concern]] : []),
  ...comparedConditions(filter),
];

/** The filter served by an index of its own; concerns have partial indexes. */
function filteredBy({ status, externalId, concern }: PaymentFilter) {
  if (externalId !== undefined) return { column: 'p.external_id', value: Prisma.sql`${externalId}` };
  if (concern || !status) return undefined;
  return { column: 'p.status', value: Prisma.sql`${status}::"PaymentStatus"` };
}

/** The smaller of two exclusive bounds. */
export const beforeBoth = (a: string | undefined, b: string | undefined): string | undefined =>
  a !== undefined && b !== undefined && b < a ? b : (a ?? b);

/** The range of an index that serves the filter, and what else a row has to be. */
function walkOf(tenant: Tenant, filter: PaymentFilter, fromId: string | undefined) {
  const { concern, toId, beforeId } = filter;
  const index = filteredBy(filter);
  const bounds = { fromId, beforeId: beforeBoth(beforeId, toId) };
  const columns = ['p.organization_id', 'p.mode', ...(index ? [index.column] : []), 'p.id'];
  const values = [...tenantValues(tenant), ...(index ? [index.value] : [])];
  const range = newestRange(columns, values, bounds);
  const { newestFirst } = range;
  const condition = Prisma.join([range.condition, ...(concern ? [concernConditions[concern]] : [])], ' AND ');
  // Next to another index's range condition it would make the planner waver between indexes.
  const isRight = index?.column === 'p.status' ? [] : [hasStatus(filter)];
  return { condition, newestFirst, isRight };
}

/**
 * The id of the last of so many entries of an index; undefined when there are fewer. What is read down to an id stays bounded
 * even where the planner would rather sort all there is than walk so far.
 */
export async function findWalkEnd(
  db: Queryable,
  { condition, newestFirst }: { condition: Prisma.Sql; newestFirst: Prisma.Sql },
  entries: number,
): Promise<string | undefined> {
  const [last] = await db.$queryRaw<{ id: string }[]>`
    SELECT p.id FROM payment p WHERE ${condition} ORDER BY ${newestFirst} OFFSET ${entries - 1}::int LIMIT 1`;
  return last?.id;
}

/** Rows that are compared for a page before it ends with fewer than it may have. */
const maximumCompared = 5_000;

export interface ListedPayments {
  /** Newest first. */
  payments: Payment[];
  /** Set where more rows have to be compared than for one page: the next one goes on before this id. */
  comparedTo?: string;
}

/** Each filter has an index that ends in the id, or compares a bounded number of rows: the table's size does not matter. */
export async function listPayments(
  db: Queryable,
  tenant: Tenant,
  filter: PaymentFilter,
  limit: number,
): Promise<ListedPayments> {
  const compared = comparedConditions(filter);
  const comparedTo =
    compared.length > 0
      ? await findWalkEnd(db, walkOf(tenant, filter, filter.fromId), maximumCompared)
      : undefined;
  const { condition, newestFirst, isRight } = walkOf(tenant, filter, comparedTo ?? filter.fromId);
  const payments = await selectPayments(
    db,
    Prisma.sql`
    SELECT ${paymentColumns} FROM (
      SELECT * FROM payment p WHERE ${Prisma.join([condition, ...isRight, ...compared], ' AND ')}
      ORDER BY ${newestFirst} LIMIT ${limit}::int) p
    ORDER BY p.id DESC`,
  );
  return { payments, ...(comparedTo !== undefined && { comparedTo }) };
}

export interface PaymentTotals {
  count: number;
  amountInCents: Cents;
  /** There are more, or rows that were not compared. */
  isAtLeast: boolean;
}

const maximumCounted = 10_000;
const maximumComparedForTotals = 20_000;

/** Of the newest that pass the filter, up to a bound. */
export async function totalPayments(
  db: Queryable,
  tenant: Tenant,
  filter: PaymentFilter,
): Promise<PaymentTotals> {
  const compared = comparedConditions(filter);
  const walk = walkOf(tenant, filter, filter.fromId);
  const comparedTo = compared.length > 0 ? await findWalkEnd(db, walk, maximumComparedForTotals) : undefined;
  const { condition, newestFirst, isRight } = walkOf(tenant, filter, comparedTo ?? filter.fromId);
  const [row] = await db.$queryRaw<{ count: number; amountInCents: bigint }[]>`
    SELECT count(*)::int AS count, coalesce(sum(amount_in_cents), 0)::bigint AS "amountInCents" FROM (
      SELECT p.amount_in_cents FROM payment p
      WHERE ${Prisma.join([condition, ...isRight, ...compared], ' AND ')}
      ORDER BY ${newestFirst} LIMIT ${maximumCounted}::int) AS newest`;
  const count = row?.count ?? 0;
  const isAtLeast = comparedTo !== undefined || count === maximumCounted;
  return { count, amountInCents: cents(row?.amountInCents ?? 0n), isAtLeast };
}
