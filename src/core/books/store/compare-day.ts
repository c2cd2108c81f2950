import type { Database, Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { chargedAttempt, countsHere, isOfAccount, recordedPix } from './pairing.ts';
import { lockStatementDay, type StatementDay } from './statement-days.ts';

interface Comparison {
  since: Date;
  until: Date;
  at: Date;
  /** When to import the day next: without differences, and with some. */
  nextIfClosed: Date | null;
  nextIfOpen: Date | null;
}

/** Does what `feeOf` does for the amount of a row `listed`, with its `terms`; null without any. */
const expectedFee = Prisma.raw(`CASE WHEN terms.fixed IS NOT NULL THEN
          greatest(least(round(listed.amount_in_cents * parts_per_million / 1000000)::bigint + fixed, maximum), minimum) END`);

/** Providers round in ways of their own. */
const roundingInCents = 1;

/** Long enough for the comparing statement. */
const transactionTimeoutMs = 35_000;

/** Whatever a person settles meanwhile comes entirely before or after the comparison, which `then` is a part of. */
export const compareDay = (
  db: Database,
  day: StatementDay,
  comparison: Comparison,
  then: (tx: Queryable) => Promise<void>,
): Promise<void> =>
  db.$transaction(
    async (tx) => {
      const isOurs = await lockStatementDay(tx, day);
      if (!isOurs) return;
      await compareLocked(tx, day, comparison);
      await then(tx);
    },
    { timeout: transactionTimeoutMs },
  );

/**
 * Compares the entries of the current import with our records, Pix by Pix, in one pass whose cost grows with the day, and ends
 * the import. Known differences keep the time they were found, and their settlement as long as the amounts stay the same. Each
 * `LATERAL … LIMIT 1` is a lookup by index.
 */
async function compareLocked(tx: Queryable, day: StatementDay, comparison: Comparison): Promise<void> {
  const { id, organizationId, credentialId, nextRound } = day;
  const { since, until, at, nextIfClosed, nextIfOpen } = comparison;
  await tx.$executeRaw`
    WITH terms AS MATERIALIZED (
      SELECT fees, (fees->>'partsPerMillion')::numeric AS parts_per_million, (fees->>'fixedInCents')::bigint AS fixed,
        (fees->>'minimumInCents')::bigint AS minimum, (fees->>'maximumInCents')::bigint AS maximum
      FROM credential WHERE id = ${credentialId}::uuid AND (fees->>'since')::date <= ${day.day}::date),
    paired AS MATERIALIZED (
      SELECT listed.reference, listed.end_to_end_id, listed.amount_in_cents AS amount,
        listed.returned_in_cents AS returned, listed.reversed_in_cents AS reversed, listed.fee_in_cents AS fee,
        ${expectedFee} AS expected_fee,
        recorded.end_to_end_id AS recorded_id, recorded.amount_in_cents AS own_amount,
        recorded.returned_in_cents AS own_returned, recorded.created_at AS recorded_at,
        coalesce(recorded.payment_id, charged.payment_id) AS payment_id
      FROM statement_entry listed
      LEFT JOIN terms ON true
      LEFT JOIN ${chargedAttempt(day)} charged ON true
      LEFT JOIN ${recordedPix(organizationId)} recorded ON true
      WHERE listed.credential_id = ${credentialId}::uuid AND listed.day = ${day.day}::date
        AND listed.round = ${nextRound}::int AND listed.problem IS NULL AND ${countsHere(day)}),
    together AS (
      SELECT paired.*, true AS is_listed, NULL AS told_id, NULL AS charge_reference FROM paired
      UNION ALL
      SELECT pix.end_to_end_id, coalesce(pix.told_end_to_end_id, pix.end_to_end_id), NULL, NULL, NULL, NULL, NULL,
        pix.end_to_end_id, pix.amount_in_cents, pix.returned_in_cents, pix.created_at, pix.payment_id, false,
        pix.told_end_to_end_id, attempt.psp_reference
      FROM received_pix pix
      CROSS JOIN LATERAL (
        SELECT psp_reference FROM payment_attempt attempt
        WHERE id = pix.attempt_id AND ${isOfAccount(day)} LIMIT 1) attempt
      WHERE pix.organization_id = ${organizationId}::uuid AND pix.paid_at >= ${since} AND pix.paid_at < ${until}),
    -- Sorted, not joined: PostgreSQL expects one of the entries just stored, and would compare all with all.
    sorted AS MATERIALIZED (
      SELECT together.*, bool_or(is_listed) OVER (PARTITION BY recorded_id) AS has_listed FROM together),
    compared AS (
      SELECT * FROM sorted
      -- One that is listed on another day is not missing, because clocks differ around midnight; nor is an unreadable one.
      WHERE is_listed OR (NOT has_listed AND (
        SELECT other.day FROM statement_entry other WHERE other.credential_id = ${credentialId}::uuid
          AND other.reference IN (recorded_id, told_id, sorted.charge_reference)
          AND (other.day <> ${day.day}::date OR (other.problem IS NOT NULL AND other.round = ${nextRound}::int))
        LIMIT 1) IS NULL)),
    judged AS MATERIALIZED (
      SELECT reference, end_to_end_id, amount, returned, reversed, fee, expected_fee, recorded_id, own_amount, payment_id,
        own_returned + refunded.completed AS own_returned, refunded.pending,
        payment.amount_in_cents AS asked, payment.paid_late,
        recorded_id IS NOT NULL AND EXISTS (
          SELECT 1 FROM received_pix first WHERE first.payment_id = compared.payment_id
            AND (first.created_at, first.end_to_end_id) < (recorded_at, recorded_id)) AS is_second
      FROM compared
      LEFT JOIN LATERAL (
        SELECT CASE WHEN due IS NULL THEN amount_in_cents END AS amount_in_cents, paid_late
        FROM payment WHERE id = compared.payment_id LIMIT 1) payment ON true
      LEFT JOIN LATERAL (
        SELECT coalesce(sum(amount_in_cents) FILTER (WHERE status = 'completed'), 0) AS completed,
          coalesce(sum(amount_in_cents) FILTER (WHERE status = 'pending'), 0) AS pending
        FROM refund WHERE payment_id = compared.payment_id AND end_to_end_id = recorded_id) refunded ON true),
    found AS MATERIALIZED (
      SELECT named.kind::"DifferenceKind" AS kind, reference, end_to_end_id, payment_id, named.theirs, named.ours,
        named.gone, settled.settled_at, NULL AS detail
      FROM judged
      CROSS JOIN LATERAL (VALUES
        ('unmatched_pix', recorded_id IS NULL AND amount = coalesce(asked, amount)
          AND coalesce(returned, 0) < amount, amount, NULL, returned),
        ('missing_pix', amount IS NULL AND own_returned < own_amount, NULL, own_amount, NULL),
        ('amount_differs', CASE WHEN recorded_id IS NULL THEN amount <> asked AND coalesce(returned, 0) < amount
          ELSE amount <> own_amount END, amount, coalesce(own_amount, asked), returned),
        ('unknown_reversal', recorded_id IS NOT NULL
          AND returned NOT BETWEEN own_returned AND own_returned + pending, returned, own_returned, NULL),
        ('late', amount IS NOT NULL AND paid_late AND NOT is_second AND own_returned < own_amount, amount, own_amount, NULL),
        ('duplicate', amount IS NOT NULL AND is_second AND own_returned < own_amount, amount, own_amount, NULL),
        ('fee_differs', recorded_id IS NOT NULL AND abs(fee - expected_fee) > ${roundingInCents}::int, fee, expected_fee, NULL)
      ) AS named(kind, holds, theirs, ours, gone)
      LEFT JOIN LATERAL (
        SELECT settled_at FROM book_settlement known
        WHERE known.credential_id = ${credentialId}::uuid AND known.kind = named.kind::"DifferenceKind"
          AND known.reference = judged.reference AND known.amount_in_cents IS NOT DISTINCT FROM named.theirs
          AND known.own_amount_in_cents IS NOT DISTINCT FROM named.ours
          AND known.returned_in_cents IS NOT DISTINCT FROM named.gone LIMIT 1) settled ON true
      WHERE named.holds
      UNION ALL
      SELECT 'unreadable', listed.reference, listed.end_to_end_id, NULL, NULL, NULL, NULL, settled.settled_at,
        listed.problem
      FROM statement_entry listed
      LEFT JOIN ${chargedAttempt(day)} charged ON true
      LEFT JOIN ${recordedPix(organizationId)} recorded ON true
      LEFT JOIN LATERAL (
        SELECT settled_at FROM book_settlement known
        WHERE known.credential_id = ${credentialId}::uuid AND known.kind = 'unreadable'
          AND known.reference = listed.reference LIMIT 1) settled ON true
      WHERE listed.credential_id = ${credentialId}::uuid AND listed.day = ${day.day}::date
        AND listed.round = ${nextRound}::int AND listed.problem IS NOT NULL AND ${countsHere(day)}),
    gone AS (
      DELETE FROM book_difference known WHERE known.day_id = ${id}::uuid
        AND (known.kind, known.reference) NOT IN (SELECT kind, reference FROM found)),
    kept AS (
      INSERT INTO book_difference (day_id, mode, kind, reference, end_to_end_id, payment_id, amount_in_cents,
        own_amount_in_cents, returned_in_cents, found_at, settled_at, detail)
      SELECT ${id}::uuid, ${day.mode}::"Mode", kind, reference, end_to_end_id, payment_id, theirs, ours, gone, ${at},
        settled_at, detail FROM found
      ON CONFLICT (day_id, kind, reference) DO UPDATE SET payment_id = excluded.payment_id,
        amount_in_cents = excluded.amount_in_cents, own_amount_in_cents = excluded.own_amount_in_cents,
        returned_in_cents = excluded.returned_in_cents, settled_at = excluded.settled_at, detail = excluded.detail),
    differing AS (SELECT count(*) FILTER (WHERE settled_at IS NULL)::int AS number, count(settled_at)::int AS settled FROM found)
    UPDATE statement_day SET
      imported_at = ${at}, round = next_round, next_round = next_round + 1, cursor = NULL, is_listed = false,
      waiting_since = NULL, problem = NULL, problem_reason = NULL, pix_count = sums.listed, received_in_cents = sums.received,
      returned_in_cents = sums.returned, reversed_in_cents = sums.reversed, fee_in_cents = sums.fee, expected_fee_in_cents = sums.expected_fee,
      fees = (SELECT terms.fees FROM terms),
      own_pix_count = sums.recorded, own_received_in_cents = sums.own_received,
      own_returned_in_cents = sums.own_returned, difference_count = differing.number,
      settled_count = differing.settled,
      next_check_at = CASE WHEN differing.number = 0 THEN ${nextIfClosed}::timestamptz ELSE ${nextIfOpen}::timestamptz END
    FROM differing, (
      SELECT count(amount)::int AS listed, coalesce(sum(amount), 0) AS received,
        CASE WHEN count(returned) = count(amount) THEN coalesce(sum(returned), 0) END AS returned,
        CASE WHEN count(reversed) = count(amount) THEN coalesce(sum(reversed), 0) END AS reversed, sum(fee) AS fee,
        sum(expected_fee) AS expected_fee,
        count(recorded_id)::int AS recorded, coalesce(sum(own_amount), 0) AS own_received,
        coalesce(sum(own_returned), 0) AS own_returned
      FROM judged) sums
    WHERE id = ${id}::uuid AND next_round = ${nextRound}::int AND is_listed`;
}
