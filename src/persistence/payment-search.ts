import type { Payment } from '../domain/payment.ts';
import { Prisma } from './generated/client.ts';
import type { Queryable } from './database.ts';
import { paymentColumns, type Tenant } from './payments.ts';

export interface PaymentSearch {
  externalId: string;
  /** Each in all its spellings, as documents are kept as they were sent. */
  documents: readonly string[];
  amountInCents: bigint | undefined;
}

/**
 * Newest first. One select for each thing that the text may be, so that each walks its own index from the
 * newest on and stops at the limit.
 */
export function searchPayments(
  db: Queryable,
  { organizationId, mode }: Tenant,
  { externalId, documents, amountInCents }: PaymentSearch,
  limit: number,
): Promise<Payment[]> {
  const conditions = [
    Prisma.sql`external_id = ${externalId}`,
    ...documents.map((document) => Prisma.sql`payer_document = ${document}`),
    ...(amountInCents === undefined ? [] : [Prisma.sql`amount_in_cents = ${amountInCents}`]),
  ];
  const selects = conditions.map(
    (condition) => Prisma.sql`(
      SELECT id FROM payment WHERE organization_id = ${organizationId}::uuid AND mode = ${mode}::"Mode"
        AND status <> 'creating' AND ${condition} ORDER BY id DESC LIMIT ${limit})`,
  );
  return db.$queryRaw<Payment[]>`
    SELECT ${paymentColumns} FROM payment p
    WHERE p.id = ANY(ARRAY(SELECT id FROM (${Prisma.join(selects, ' UNION ')}) AS found))
    ORDER BY p.id DESC LIMIT ${limit}`;
}
