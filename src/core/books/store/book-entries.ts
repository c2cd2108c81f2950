import type { Resolution } from '../rules/resolutions.ts';
import type { ReversalReason } from '../../payments/rules/reversal.ts';
import type { Queryable } from '../../../database/database.ts';
import { chargedAttempt, countsHere, recordedPix } from './pairing.ts';
import type { StatementDay } from './statement-days.ts';

/** Money of a Pix that left again, as we recorded it. */
interface EntryReturn {
  /** Null for a refund made here. */
  reason: ReversalReason | null;
  reference: string;
  /** Text, because JSON has no exact numbers. */
  amountInCents: string;
  /** ISO 8601. */
  at: string;
}

/** A Pix of a statement, with the payment that it is for. */
export interface BookEntry {
  reference: string;
  endToEndId: string | null;
  receivedAt: Date;
  amountInCents: bigint;
  returnedInCents: bigint | null;
  reversedInCents: bigint | null;
  feeInCents: bigint | null;
  /** May be the payment that a person assigned the money to. */
  paymentId: string | null;
  externalId: string | null;
  /** False for a Pix that counts at another credential of the same account. */
  countsHere: boolean;
  resolution: Resolution | null;
  resolutionReason: string | null;
  /** Oldest first. */
  returns: EntryReturn[];
}

/** Entries of the last import and of the current one, in the order of their references, after a given one. */
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
      payment.id AS "paymentId", payment.external_id AS "externalId", settled.resolution::text,
      settled.reason AS "resolutionReason", coalesce(returns.list, '[]') AS returns,
      ${countsHere(statementDay)} AS "countsHere"
    FROM (
      SELECT * FROM statement_entry
      WHERE credential_id = ${credentialId}::uuid AND day = ${day}::date AND reference > ${after}
        AND round >= ${round}::int AND problem IS NULL
      ORDER BY credential_id, day, reference LIMIT ${limit}::int) listed
    LEFT JOIN ${chargedAttempt(statementDay)} charged ON true
    LEFT JOIN ${recordedPix(organizationId)} recorded ON true
    LEFT JOIN LATERAL (
      SELECT resolution, reason, payment_id FROM book_settlement
      WHERE credential_id = ${credentialId}::uuid AND kind = 'unmatched_pix' AND reference = listed.reference
        AND recorded.end_to_end_id IS NULL AND amount_in_cents = listed.amount_in_cents LIMIT 1) settled ON true
    LEFT JOIN LATERAL (
      SELECT id, external_id FROM payment
      WHERE id = coalesce(recorded.payment_id, charged.payment_id, settled.payment_id) LIMIT 1) payment ON true
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object('reason', reason, 'reference', reference, 'amountInCents', amount::text,
        'at', at) ORDER BY at, reference) AS list
      FROM (
        SELECT NULL AS reason, coalesce(psp_reference, id::text) AS reference, amount_in_cents AS amount, sent_at AS at
        FROM refund WHERE payment_id = recorded.payment_id AND end_to_end_id = recorded.end_to_end_id
          AND status = 'completed'
        UNION ALL
        SELECT reason::text, psp_reference, amount_in_cents, coalesce(reversed_at, created_at)
        FROM reversal WHERE payment_id = recorded.payment_id AND end_to_end_id = recorded.end_to_end_id
          AND status = 'completed') AS known) returns ON true
    ORDER BY listed.reference`;
};
