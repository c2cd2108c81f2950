import type { Queryable } from '../database.ts';
import { chargedAttempt, countsHere, recordedPix } from './pairing.ts';
import type { StatementDay } from './statement-days.ts';

/** A Pix of a statement, with the payment that it is for. */
export interface BookEntry {
  reference: string;
  endToEndId: string | null;
  receivedAt: Date;
  amountInCents: bigint;
  returnedInCents: bigint | null;
  reversedInCents: bigint | null;
  feeInCents: bigint | null;
  paymentId: string | null;
  externalId: string | null;
  /** False for a Pix that counts at another credential of the account. */
  countsHere: boolean;
}

/** Those of the last import and of the one at work, in the order of their references, from after one of them on. */
export const listBookEntries = (
  db: Queryable,
  statementDay: StatementDay,
  { after, limit }: { after: string; limit: number },
): Promise<BookEntry[]> => {
  const { organizationId, credentialId, day, round } = statementDay;
  return db.$queryRaw<BookEntry[]>`
    SELECT listed.reference, listed.end_to_end_id AS "endToEndId", listed.received_at AS "receivedAt",
      listed.amount_in_cents AS "amountInCents", listed.returned_in_cents AS "returnedInCents",
      listed.reversed_in_cents AS "reversedInCents", listed.fee_in_cents AS "feeInCents",
      payment.id AS "paymentId", payment.external_id AS "externalId",
      ${countsHere(statementDay)} AS "countsHere"
    FROM (
      SELECT * FROM statement_entry
      WHERE credential_id = ${credentialId}::uuid AND day = ${day}::date AND reference > ${after}
        AND round >= ${round}::int
      ORDER BY credential_id, day, reference LIMIT ${limit}::int) listed
    LEFT JOIN ${chargedAttempt(credentialId)} charged ON true
    LEFT JOIN ${recordedPix(organizationId)} recorded ON true
    LEFT JOIN LATERAL (
      SELECT id, external_id FROM payment
      WHERE id = coalesce(recorded.payment_id, charged.payment_id) LIMIT 1) payment ON true
    ORDER BY listed.reference`;
};
