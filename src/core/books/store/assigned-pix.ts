import type { Cents } from '../../base/money.ts';
import type { Queryable } from '../../../database/database.ts';

/** Money without a charge of ours that a person assigned to a payment. */
export interface AssignedPix {
  /** Null for the sandbox. */
  credentialId: string | null;
  /** The day of the book that has it: `YYYY-MM-DD`, in Brasília. */
  day: string;
  endToEndId: string | null;
  amountInCents: Cents;
  /** How much has left again by now; null when the statement does not tell. */
  returnedInCents: Cents | null;
  receivedAt: Date;
  reason: string;
  /** Null for the operator. */
  settledBy: string | null;
  settledAt: Date;
}

/** Oldest first. Leaves out money that the bank has since listed with another amount. */
export const listAssignedPix = (
  db: Queryable,
  paymentId: string,
  { limit }: { limit: number },
): Promise<AssignedPix[]> =>
  db.$queryRaw<AssignedPix[]>`
    SELECT nullif(settled.credential_id, payment.organization_id) AS "credentialId", listed.day::text, listed.end_to_end_id AS "endToEndId",
      listed.amount_in_cents AS "amountInCents", listed.returned_in_cents AS "returnedInCents",
      listed.received_at AS "receivedAt", settled.reason, settled.settled_at AS "settledAt",
      (SELECT email FROM "user" WHERE id = settled.user_id) AS "settledBy"
    FROM book_settlement settled
    JOIN payment ON payment.id = settled.payment_id
    JOIN statement_entry listed ON listed.credential_id = settled.credential_id
      AND listed.reference = settled.reference AND listed.amount_in_cents = settled.amount_in_cents
    WHERE settled.payment_id = ${paymentId}::uuid AND settled.resolution = 'assigned'
    ORDER BY settled.settled_at LIMIT ${limit}`;
