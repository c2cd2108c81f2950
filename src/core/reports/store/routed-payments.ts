import type { Cents } from '../../base/money.ts';
import type { PayerField } from '../../providers/rules/charge.ts';
import type { FeeTerms } from '../../providers/rules/fees/fees.ts';
import type { AttemptOutcome } from '../../payments/rules/payment.ts';
import { tenantValues } from '../../../database/index-range.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';
import type { Tenant } from '../../payments/store/payments.ts';

export interface PastPayment {
  /** Which of the spans it was found in. */
  span: number;
  id: string;
  amountInCents: Cents;
  createdAt: Date;
  wasPaid: boolean;
  hasFailed: boolean;
  /** Null for the sandbox without one. */
  credentialId: string | null;
  /** Whether rules decide on such a payment: it names no credential, and is neither due on a day nor a debit. */
  isRouted: boolean;
  /** What is known of its payer. */
  payerFields: PayerField[];
  attempts: { credentialId: string | null; outcome: AttemptOutcome; error: string | null }[];
}

/** How many ids are read for each payment that is chosen. */
const idsPerPayment = 20;

/**
 * At most as many payments of each span of ids as its limit says, with their attempts: always the same, but drawn from the first
 * twenty times as many, so that a burst counts for what it is.
 */
export function findPastPayments(
  db: Queryable,
  tenant: Tenant,
  spans: readonly { fromId: string; toId: string; limit: number }[],
): Promise<PastPayment[]> {
  const values = Prisma.join(tenantValues(tenant));
  return db.$queryRaw<PastPayment[]>`
    SELECT (s.place - 1)::int AS span, p.id, p.amount_in_cents AS "amountInCents", p.created_at AS "createdAt",
      p.confirmed_at IS NOT NULL AS "wasPaid", p.status = 'failed' AS "hasFailed", p.credential_id AS "credentialId",
      p.recurrence_id IS NULL AND p.due_date IS NULL AND coalesce(a.reason <> 'requested', false) AS "isRouted",
      array_remove(ARRAY[CASE WHEN p.payer_name <> '' THEN 'name' END, CASE WHEN p.payer_document <> '' THEN 'document' END,
        CASE WHEN p.payer_email <> '' THEN 'email' END, CASE WHEN p.payer_phone <> '' THEN 'phone' END], NULL) AS "payerFields",
      coalesce(a.attempts, '[]') AS attempts
    FROM unnest(${spans.map(({ fromId }) => fromId)}::uuid[], ${spans.map(({ toId }) => toId)}::uuid[],
      ${spans.map(({ limit }) => limit)}::int[]) WITH ORDINALITY AS s(from_id, to_id, most, place)
    CROSS JOIN LATERAL (
      SELECT id FROM (
        SELECT id FROM payment
        WHERE (organization_id, mode, id) >= (${values}, s.from_id) AND (organization_id, mode, id) < (${values}, s.to_id)
          AND status <> 'creating'
        ORDER BY organization_id, mode, id LIMIT s.most * ${idsPerPayment}::int) AS first
      ORDER BY md5(id::text) LIMIT s.most) AS chosen
    JOIN payment p ON p.id = chosen.id
    LEFT JOIN LATERAL (
      SELECT min(reason) AS reason, json_agg(json_build_object('credentialId', credential_id, 'outcome', outcome, 'error', error)
        ORDER BY position) AS attempts
      FROM payment_attempt WHERE payment_id = p.id) AS a ON true`;
}

/** What each credential takes of a Pix, of those of which somebody has said it. */
export async function findFees(db: Queryable, organizationId: string): Promise<Map<string, FeeTerms>> {
  const rows = await db.$queryRaw<{ id: string; fees: FeeTerms }[]>`
    SELECT id, fees FROM credential WHERE organization_id = ${organizationId}::uuid AND fees IS NOT NULL`;
  return new Map(rows.map(({ id, fees }) => [id, fees]));
}
