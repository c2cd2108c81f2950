import type { Mode } from '../domain/mode.ts';
import type { Payment, PaymentConcern, PublicStatus } from '../domain/payment.ts';
import { Prisma } from './generated/client.ts';
import type { Queryable } from './database.ts';

/** Whose payments: every query by a caller is bounded by both. */
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
  /** Only payments whose id is smaller: the keyset. */
  beforeId?: string;
  /** Bounds on the id, which is also the order of creation: from inclusive, to exclusive. */
  fromId?: string;
  toId?: string;
}

export const paymentColumns =
  Prisma.raw(`p.id, p.organization_id AS "organizationId", p.mode::text, p.status::text,
  p.amount_in_cents AS "amountInCents", p.provider, p.description, p.external_id AS "externalId",
  p.payer_name AS "payerName", p.payer_document AS "payerDocument", p.payer_email AS "payerEmail", p.payer_phone AS "payerPhone", p.metadata,
  p.pix_copy_paste AS "pixCopyPaste", p.pix_qr_code_base64 AS "pixQrCodeBase64", p.created_at AS "createdAt",
  p.expires_at AS "expiresAt", p.confirmed_at AS "confirmedAt"`);

/** The payment of each key, in order; undefined where the tenant has none. One statement for all keys. */
export async function findPayments(
  db: Queryable,
  keys: readonly PaymentKey[],
): Promise<(Payment | undefined)[]> {
  const ids = keys.map(({ id }) => id);
  // Found by id alone first: of the indexes that begin with the tenant, the planner may take one that does
  // not lead to the id, and read all payments of the tenant.
  const rows = await db.$queryRaw<Payment[]>`
    WITH p AS MATERIALIZED (SELECT * FROM payment WHERE id = ANY(${ids}::uuid[]) AND status <> 'creating')
    SELECT ${paymentColumns}
    FROM p JOIN unnest(${ids}::uuid[], ${keys.map((key) => key.organizationId)}::uuid[],
      ${keys.map(({ mode }) => mode)}::"Mode"[]) AS k(id, organization_id, mode)
      ON p.id = k.id AND p.organization_id = k.organization_id AND p.mode = k.mode`;
  const keyOf = ({ id, organizationId, mode }: PaymentKey) => `${id} ${organizationId} ${mode}`;
  const byKey = new Map(rows.map((payment) => [keyOf(payment), payment]));
  return keys.map((key) => byKey.get(keyOf(key)));
}

/** For the service itself, which works on payments whoever they belong to. */
export async function findPaymentById(db: Queryable, id: string): Promise<Payment | undefined> {
  const [payment] = await db.$queryRaw<Payment[]>`
    SELECT ${paymentColumns} FROM payment p WHERE p.id = ${id}::uuid`;
  return payment;
}

/** In the words of the partial indexes that serve them. */
const concernConditions: Record<PaymentConcern, Prisma.Sql> = {
  duplicated: Prisma.sql`p.duplicate_payment AND p.refunded_in_cents = 0`,
  paid_late: Prisma.sql`p.paid_late AND p.refunded_in_cents = 0`,
};

/** Newest first. Each filter is served by an index that ends in the id, whatever the table's size. */
export function listPayments(
  db: Queryable,
  tenant: Tenant,
  filter: PaymentFilter,
  limit: number,
): Promise<Payment[]> {
  const conditions = [
    Prisma.sql`p.organization_id = ${tenant.organizationId}::uuid AND p.mode = ${tenant.mode}::"Mode"`,
    filter.status
      ? Prisma.sql`p.status = ${filter.status}::"PaymentStatus"`
      : Prisma.sql`p.status <> 'creating'`,
  ];
  if (filter.externalId !== undefined) conditions.push(Prisma.sql`p.external_id = ${filter.externalId}`);
  if (filter.concern) conditions.push(concernConditions[filter.concern]);
  if (filter.beforeId) conditions.push(Prisma.sql`p.id < ${filter.beforeId}::uuid`);
  if (filter.fromId) conditions.push(Prisma.sql`p.id >= ${filter.fromId}::uuid`);
  if (filter.toId) conditions.push(Prisma.sql`p.id < ${filter.toId}::uuid`);
  return db.$queryRaw<Payment[]>`
    SELECT ${paymentColumns} FROM payment p WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY p.id DESC LIMIT ${limit}`;
}
