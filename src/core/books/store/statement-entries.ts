import { unreadableText } from '../rules/problems.ts';
import { attemptIdOf } from '../../base/ids.ts';
import type { StatementPix, UnreadableItem } from '../../providers/rules/psp-lists.ts';
import type { Queryable } from '../../../database/database.ts';
import { chargedAttempt, recordedPix } from './pairing.ts';
import type { StatementDay } from './statement-days.ts';

type OfDay = Pick<StatementDay, 'credentialId' | 'day' | 'nextRound'>;

export const attemptIdIn = ({ charge: { transactionId } }: Pick<StatementPix, 'charge'>): string | null =>
  (transactionId && attemptIdOf(transactionId)) || null;

/** Replaces entries that the PSP has changed, but stores each Pix only once per import. Returns how many it stored. */
export const storeStatementEntries = (
  tx: Queryable,
  { credentialId, day, nextRound }: OfDay,
  pix: readonly StatementPix[],
): Promise<number> =>
  tx.$executeRaw`
    INSERT INTO statement_entry AS known (credential_id, day, round, reference, end_to_end_id, attempt_id,
      charge_reference, amount_in_cents, returned_in_cents, reversed_in_cents, fee_in_cents, received_at)
    SELECT ${credentialId}::uuid, ${day}::date, ${nextRound}::int, listed.*
    FROM unnest(
      ${pix.map(({ reference }) => reference)}::text[],
      ${pix.map(({ endToEndId }) => endToEndId)}::text[],
      ${pix.map(attemptIdIn)}::uuid[],
      ${pix.map(({ charge }) => charge.reference)}::text[],
      ${pix.map(({ amountInCents }) => amountInCents)}::bigint[],
      ${pix.map(({ returnedInCents }) => returnedInCents)}::bigint[],
      ${pix.map(({ reversedInCents }) => reversedInCents)}::bigint[],
      ${pix.map(({ feeInCents }) => feeInCents)}::bigint[],
      ${pix.map(({ receivedAt }) => receivedAt)}::timestamptz[]) AS listed
    ON CONFLICT (credential_id, reference) DO UPDATE SET
      day = excluded.day, round = excluded.round, end_to_end_id = excluded.end_to_end_id,
      attempt_id = excluded.attempt_id, charge_reference = excluded.charge_reference,
      amount_in_cents = excluded.amount_in_cents, returned_in_cents = excluded.returned_in_cents,
      reversed_in_cents = excluded.reversed_in_cents, fee_in_cents = excluded.fee_in_cents,
      received_at = excluded.received_at, problem = NULL
    WHERE (known.day, known.round) <> (excluded.day, excluded.round)`;

/** `storeStatementEntries` for items that could not be read, which have no amounts and times. */
export const storeUnreadableEntries = (
  tx: Queryable,
  { credentialId, day, nextRound }: OfDay,
  items: readonly UnreadableItem[],
): Promise<number> =>
  tx.$executeRaw`
    INSERT INTO statement_entry AS known (credential_id, day, round, reference, end_to_end_id, problem)
    SELECT ${credentialId}::uuid, ${day}::date, ${nextRound}::int, listed.*
    FROM unnest(
      ${items.map(({ reference }) => reference)}::text[],
      ${items.map(({ endToEndId }) => endToEndId)}::text[],
      ${items.map(({ members }) => unreadableText(members))}::text[]) AS listed
    ON CONFLICT (credential_id, reference) DO UPDATE SET
      day = excluded.day, round = excluded.round, end_to_end_id = excluded.end_to_end_id, attempt_id = NULL,
      charge_reference = NULL, amount_in_cents = NULL, returned_in_cents = NULL, reversed_in_cents = NULL,
      fee_in_cents = NULL, received_at = NULL, problem = excluded.problem
    WHERE (known.day, known.round) <> (excluded.day, excluded.round)`;

/** Attempts whose charge was paid, or whose Pix has left again, without us knowing. */
export async function findAttemptsBehind(
  db: Queryable,
  day: Pick<StatementDay, 'mode' | 'organizationId' | 'credentialId'>,
  pix: readonly StatementPix[],
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT coalesce(recorded.attempt_id, charged.id) AS id
    FROM unnest(
      ${pix.map(({ endToEndId }) => endToEndId)}::text[],
      ${pix.map(attemptIdIn)}::uuid[],
      ${pix.map(({ charge }) => charge.reference)}::text[],
      ${pix.map(({ returnedInCents }) => returnedInCents)}::bigint[]
    ) AS listed(end_to_end_id, attempt_id, charge_reference, returned_in_cents)
    LEFT JOIN ${chargedAttempt(day)} charged ON true
    LEFT JOIN ${recordedPix(day.organizationId)} recorded ON true
    LEFT JOIN LATERAL (
      SELECT coalesce(sum(amount_in_cents), 0) AS in_cents FROM refund
      WHERE payment_id = recorded.payment_id AND end_to_end_id = recorded.end_to_end_id
        AND status = 'completed') refunded ON true
    WHERE (recorded.end_to_end_id IS NULL AND charged.id IS NOT NULL)
      OR listed.returned_in_cents <> recorded.returned_in_cents + refunded.in_cents`;
  return rows.map(({ id }) => id);
}
