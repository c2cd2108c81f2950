import type { Payment } from '../../domain/payments/payment.ts';
import { Prisma } from '../generated/client.ts';
import type { Queryable } from '../database.ts';
import { indexRange } from '../index-range.ts';
import { paymentColumns, selectPayments, type Tenant } from '../payments/payments.ts';

export interface PaymentSearch {
  externalId: string;
  /** Every spelling, since documents are stored as sent. */
  documents: readonly string[];
  amountInCents: bigint | undefined;
  /** Of any Pix received for it. */
  endToEndId: string | undefined;
}

/**
 * Newest first. One select per kind of search, so that each walks its own index from the newest row and stops
 * at the limit.
 */
export function searchPayments(
  db: Queryable,
  { organizationId, mode }: Tenant,
  { externalId, documents, amountInCents, endToEndId }: PaymentSearch,
  limit: number,
): Promise<Payment[]> {
  const tenant = Prisma.sql`${organizationId}::uuid, ${mode}::"Mode"`;
  const byIndex = (column: string, value: Prisma.Sql) => {
    const range = indexRange(['organization_id', 'mode', column, 'id'], [tenant, value], {});
    return Prisma.sql`(
      SELECT id FROM payment WHERE ${range.condition} AND status <> 'creating' AND ${Prisma.raw(column)} IS NOT NULL
      ORDER BY ${range.newestFirst} LIMIT ${limit})`;
  };
  const selects = [
    byIndex('external_id', Prisma.sql`${externalId}`),
    ...documents.map((document) => byIndex('payer_document', Prisma.sql`${document}`)),
    ...(amountInCents === undefined ? [] : [byIndex('amount_in_cents', Prisma.sql`${amountInCents}`)]),
    ...(endToEndId === undefined
      ? []
      : [
          Prisma.sql`(
          SELECT id FROM payment WHERE organization_id = ${organizationId}::uuid AND mode = ${mode}::"Mode"
            AND status <> 'creating' AND id = ANY(ARRAY(
            SELECT payment_id FROM received_pix WHERE organization_id = ${organizationId}::uuid AND end_to_end_id = ${endToEndId}
            UNION SELECT payment_id FROM received_pix
            WHERE organization_id = ${organizationId}::uuid AND told_end_to_end_id = ${endToEndId})))`,
        ]),
  ];
  return selectPayments(
    db,
    Prisma.sql`
    SELECT ${paymentColumns} FROM payment p
    WHERE p.id = ANY(ARRAY(SELECT id FROM (${Prisma.join(selects, ' UNION ')}) AS found))
    ORDER BY p.id DESC LIMIT ${limit}`,
  );
}
