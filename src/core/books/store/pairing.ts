import { Prisma } from '../../../database/generated/client.ts';
import type { StatementDay } from './statement-days.ts';

type Account = Pick<StatementDay, 'mode' | 'organizationId' | 'credentialId'>;

/** Whether an `attempt` was made at the account. A test payment names a credential, but its charge is the sandbox's. */
export const isOfAccount = ({ mode, organizationId, credentialId }: Account): Prisma.Sql => Prisma.sql`
  ${mode === 'test' ? Prisma.empty : Prisma.sql`attempt.credential_id = ${credentialId}::uuid AND`}
  (SELECT organization_id FROM payment WHERE id = attempt.payment_id AND mode = ${mode}::"Mode")
    = ${organizationId}::uuid`;

/**
 * The attempt that a row `listed` names by our id or the PSP's. The limit makes PostgreSQL look up row by row in the index,
 * whatever it expects.
 */
export const chargedAttempt = (account: Account): Prisma.Sql => Prisma.sql`
  LATERAL (
    SELECT id, payment_id FROM payment_attempt attempt
    WHERE id = listed.attempt_id AND ${isOfAccount(account)}
    UNION ALL
    SELECT id, payment_id FROM payment_attempt attempt
    WHERE listed.attempt_id IS NULL AND psp_reference = listed.charge_reference AND ${isOfAccount(account)}
    LIMIT 1)`;

const pix =
  Prisma.raw(`organization_id, end_to_end_id, payment_id, attempt_id, amount_in_cents, returned_in_cents,
      created_at FROM received_pix`);

/**
 * The received Pix that a row `listed` is about, whose attempt is `charged`: found by its end-to-end id, or, if the list or our
 * record lacks one, as the only Pix of a charge that takes just one.
 */
export const recordedPix = (organizationId: string): Prisma.Sql => Prisma.sql`
  LATERAL (
    SELECT ${pix}
    WHERE organization_id = ${organizationId}::uuid AND end_to_end_id = listed.end_to_end_id
    UNION ALL
    SELECT ${pix}
    WHERE organization_id = ${organizationId}::uuid AND told_end_to_end_id IS NOT NULL
      AND told_end_to_end_id = listed.end_to_end_id
    UNION ALL
    SELECT ${pix}
    WHERE payment_id = charged.payment_id AND attempt_id = charged.id
      AND (listed.end_to_end_id IS NULL OR (end_to_end_id !~ '^E' AND told_end_to_end_id IS NULL))
    LIMIT 1)`;

/**
 * Whether a row `listed`, with its `charged` and `recorded`, counts for this credential. If an organization has several
 * credentials for one account, each lists all of its Pix. A Pix counts where its charge was made, if that credential has books
 * of the day; one without a charge counts where it was told of, else at the oldest credential. The limits are explained above.
 */
export const countsHere = (day: StatementDay): Prisma.Sql =>
  day.mode === 'test' ? Prisma.sql`true` : countsAtCredential(day);

const countsAtCredential = ({ organizationId, credentialId, day }: StatementDay) => Prisma.sql`
  coalesce((
    SELECT made.credential_id = ${credentialId}::uuid OR NOT EXISTS (
      SELECT 1 FROM statement_day book
      WHERE book.credential_id = made.credential_id AND book.day = ${day}::date
        AND book.organization_id = ${organizationId}::uuid)
    FROM payment_attempt made WHERE made.id = coalesce(recorded.attempt_id, listed.attempt_id) LIMIT 1), true)
  AND (recorded.end_to_end_id IS NOT NULL OR charged.id IS NOT NULL OR (
    SELECT there.reference FROM credential own
    JOIN credential other ON other.organization_id = own.organization_id AND other.provider = own.provider
      AND other.id <> own.id
    JOIN statement_entry there ON there.credential_id = other.id AND there.reference = listed.reference
      AND (there.told_at IS NOT NULL OR (other.created_at, other.id) < (own.created_at, own.id))
    WHERE own.id = ${credentialId}::uuid AND listed.told_at IS NULL LIMIT 1) IS NULL)`;
