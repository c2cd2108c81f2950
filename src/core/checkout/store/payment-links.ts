import type { Mode } from '../../base/mode.ts';
import { type Cents, cents } from '../../base/money.ts';
import type { PayerField } from '../../providers/rules/charge.ts';
import type { PaymentStatus } from '../../payments/rules/payment.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';
import { newestRange, tenantValues } from '../../../database/index-range.ts';
import type { LinkDue } from '../rules/link-due.ts';
import type { Tenant } from '../../payments/store/payments.ts';

export interface PaymentLink {
  id: string;
  organizationId: string;
  mode: Mode;
  /** Null if the payer chooses. */
  amountInCents: Cents | null;
  minimumInCents: Cents | null;
  maximumInCents: Cents | null;
  description: string | null;
  singleUse: boolean;
  expiresAt: Date | null;
  returnUrl: string | null;
  credentialId: string | null;
  ruleSetId: string | null;
  due: LinkDue | null;
  createdAt: Date;
  deactivatedAt: Date | null;
}

export interface StoredLink extends PaymentLink {
  /** Whether the link is for a single use and has been paid. */
  isUsed: boolean;
  name: string;
  brandColor: string | null;
  logoId: string | null;
}

export async function insertPaymentLink(tx: Queryable, link: PaymentLink): Promise<void> {
  await tx.paymentLink.create({ data: { ...link, due: link.due ?? Prisma.DbNull } });
}

const select = (db: Queryable, condition: Prisma.Sql): Promise<StoredLink[]> =>
  db.$queryRaw<StoredLink[]>`
    SELECT l.id, l.organization_id AS "organizationId", l.mode::text, l.amount_in_cents AS "amountInCents",
      l.minimum_in_cents AS "minimumInCents", l.maximum_in_cents AS "maximumInCents", l.description,
      l.single_use AS "singleUse", l.expires_at AS "expiresAt", l.return_url AS "returnUrl",
      l.credential_id AS "credentialId", l.rule_set_id AS "ruleSetId", l.due, l.created_at AS "createdAt",
      l.deactivated_at AS "deactivatedAt", o.name, b.brand_color AS "brandColor", b.logo_id AS "logoId",
      l.single_use AND EXISTS (
        SELECT FROM payment_link_payment lp JOIN payment p ON p.id = lp.payment_id
        WHERE lp.link_id = l.id AND p.status IN ('completed', 'refunded')) AS "isUsed"
    FROM (SELECT * FROM payment_link ${condition}) l
      JOIN organization o ON o.id = l.organization_id
      LEFT JOIN organization_profile b ON b.organization_id = l.organization_id
    ORDER BY l.id DESC`;

export async function findPaymentLink(db: Queryable, id: string): Promise<StoredLink | undefined> {
  const [link] = await select(db, Prisma.sql`WHERE id = ${id}::uuid`);
  return link;
}

/** Newest first. */
export function listPaymentLinks(
  db: Queryable,
  tenant: Tenant,
  { beforeId, limit }: { beforeId: string | undefined; limit: number },
): Promise<StoredLink[]> {
  const range = newestRange(['organization_id', 'mode', 'id'], tenantValues(tenant), {
    fromId: undefined,
    beforeId,
  });
  return select(db, Prisma.sql`WHERE ${range.condition} ORDER BY ${range.inOrder} LIMIT ${limit}::int`);
}

/** False if it was deactivated before. */
export async function deactivatePaymentLink(tx: Queryable, id: string, at: Date): Promise<boolean> {
  const { count } = await tx.paymentLink.updateMany({
    where: { id, deactivatedAt: null },
    data: { deactivatedAt: at },
  });
  return count > 0;
}

export interface LinkPayment {
  id: string;
  status: PaymentStatus;
  expiresAt: Date;
}

/** Newest first, from `fromId` (inclusive) up to `beforeId` (exclusive). Leaves out payments that are being created. */
export const listLinkPayments = (
  db: Queryable,
  linkId: string,
  { fromId, beforeId, limit }: { fromId?: string; beforeId?: string | undefined; limit: number },
): Promise<LinkPayment[]> =>
  db.$queryRaw<LinkPayment[]>`
    SELECT p.id, p.status::text, p.expires_at AS "expiresAt"
    FROM payment_link_payment lp JOIN payment p ON p.id = lp.payment_id
    WHERE lp.link_id = ${linkId}::uuid AND p.status <> 'creating'
      AND lp.payment_id >= ${fromId ?? '00000000-0000-0000-0000-000000000000'}::uuid
      AND lp.payment_id < ${beforeId ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff'}::uuid
    ORDER BY lp.payment_id DESC LIMIT ${limit}::int`;

/** What a payment of the link was made for, and for whom; undefined if it is none of the link's. */
export async function findLinkForm(
  db: Queryable,
  linkId: string,
  paymentId: string,
): Promise<(LinkPayment & { amountInCents: Cents } & Record<PayerField, string | undefined>) | undefined> {
  if (!(await isLinkPayment(db, linkId, paymentId))) return undefined;
  const select = {
    id: true,
    status: true,
    expiresAt: true,
    amountInCents: true,
    payerName: true,
    payerDocument: true,
    payerEmail: true,
    payerPhone: true,
  } as const;
  const found = await db.payment.findUnique({ where: { id: paymentId }, select });
  if (!found) return undefined;
  const { amountInCents, payerName, payerDocument, payerEmail, payerPhone, ...payment } = found;
  return {
    ...payment,
    amountInCents: cents(amountInCents),
    name: payerName ?? undefined,
    document: payerDocument ?? undefined,
    email: payerEmail ?? undefined,
    phone: payerPhone ?? undefined,
  };
}

/** The link that a payment was made with. */
export async function findLinkOf(db: Queryable, paymentId: string): Promise<StoredLink | undefined> {
  const made = await db.paymentLinkPayment.findFirst({ where: { paymentId }, select: { linkId: true } });
  return made ? findPaymentLink(db, made.linkId) : undefined;
}

export const isLinkPayment = async (db: Queryable, linkId: string, paymentId: string): Promise<boolean> =>
  (await db.paymentLinkPayment.count({ where: { linkId, paymentId } })) > 0;

export interface LinkTotals {
  payments: number;
  paid: number;
  /** Includes what was refunded later. */
  paidInCents: Cents;
}

/** Counts the newest payments of each link, as listed, at most `limit`; keeps the order of the ids. */
export async function totalLinkPayments(
  db: Queryable,
  linkIds: readonly string[],
  limit: number,
): Promise<LinkTotals[]> {
  const rows = await db.$queryRaw<(Omit<LinkTotals, 'paidInCents'> & { paidInCents: bigint })[]>`
    SELECT t.* FROM unnest(${linkIds}::uuid[]) WITH ORDINALITY l(id, place) CROSS JOIN LATERAL (
      SELECT count(*)::int AS payments, count(*) FILTER (WHERE status IN ('completed', 'refunded'))::int AS paid,
        coalesce(sum(coalesce(paid_in_cents, amount_in_cents)) FILTER (WHERE status IN ('completed', 'refunded')), 0)::bigint AS "paidInCents"
      FROM (
        SELECT p.status, p.amount_in_cents, p.paid_in_cents
        FROM payment_link_payment lp JOIN payment p ON p.id = lp.payment_id
        WHERE lp.link_id = l.id AND p.status <> 'creating'
        ORDER BY lp.payment_id DESC LIMIT ${limit}::int) newest) t
    ORDER BY l.place`;
  return rows.map((row) => ({ ...row, paidInCents: cents(row.paidInCents) }));
}
