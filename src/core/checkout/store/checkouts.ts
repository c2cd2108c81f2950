import type { Mode } from '../../base/mode.ts';
import type { Cents } from '../../base/money.ts';
import type { Due } from '../../payments/rules/due/due.ts';
import type { PaidParts } from '../../payments/rules/due/paid.ts';
import type { PaymentStatus } from '../../payments/rules/payment.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { pixIdOf } from '../../payments/store/payments.ts';
import type { Queryable } from '../../../database/database.ts';

/** What a checkout page needs, the organization's name and branding included, and nothing of the payer. */
export interface StoredCheckout {
  id: string;
  organizationId: string;
  name: string;
  brandColor: string | null;
  logoId: string | null;
  mode: Mode;
  status: PaymentStatus;
  amountInCents: Cents;
  due: Due | null;
  paidInCents: Cents | null;
  paidParts: PaidParts | null;
  refundedInCents: Cents;
  paidLate: boolean;
  description: string | null;
  pixCopyPaste: string | null;
  expiresAt: Date;
  confirmedAt: Date | null;
  returnUrl: string | null;
  /** When the page was asked for first. */
  openedAt: Date | null;
  pixId: string | null;
}

/** The payment of each id, in order; undefined where there is none. One statement for all ids. */
export async function findCheckouts(
  db: Queryable,
  ids: readonly string[],
): Promise<(StoredCheckout | undefined)[]> {
  const rows = await db.$queryRaw<StoredCheckout[]>`
    SELECT p.id, p.organization_id AS "organizationId", o.name, b.brand_color AS "brandColor",
      b.logo_id AS "logoId", p.mode::text, p.status::text,
      p.amount_in_cents AS "amountInCents", p.due, p.paid_in_cents AS "paidInCents", p.paid_parts AS "paidParts",
      p.refunded_in_cents AS "refundedInCents", p.paid_late AS "paidLate",
      p.description, p.pix_copy_paste AS "pixCopyPaste",
      p.expires_at AS "expiresAt", p.confirmed_at AS "confirmedAt", p.return_url AS "returnUrl",
      p.checkout_opened_at AS "openedAt",
      ${Prisma.raw(pixIdOf)} AS "pixId"
    FROM payment p JOIN organization o ON o.id = p.organization_id
      LEFT JOIN organization_profile b ON b.organization_id = p.organization_id
    WHERE p.id = ANY(${[...ids]}::uuid[])`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

/** The first time stays. */
export const recordOpening = (db: Queryable, id: string, openedAt: Date): Promise<unknown> =>
  db.payment.updateMany({ where: { id, checkoutOpenedAt: null }, data: { checkoutOpenedAt: openedAt } });
