import { Prisma } from '../generated/client.ts';

/**
 * The attempt that a row `listed` names, by our id or by the PSP's. The limit keeps PostgreSQL looking up row by row in
 * the index, whatever it expects.
 */
export const chargedAttempt = (credentialId: string): Prisma.Sql => Prisma.sql`
  LATERAL (
    SELECT id, payment_id FROM payment_attempt
    WHERE id = listed.attempt_id AND credential_id = ${credentialId}::uuid
    UNION ALL
    SELECT id, payment_id FROM payment_attempt
    WHERE listed.attempt_id IS NULL AND psp_reference = listed.charge_reference
      AND credential_id = ${credentialId}::uuid
    LIMIT 1)`;

const pix =
  Prisma.raw(`organization_id, end_to_end_id, payment_id, attempt_id, amount_in_cents, returned_in_cents,
      created_at FROM received_pix`);

/**
 * The received Pix that a row `listed` is about, whose attempt is `charged`: by its end-to-end id, or as that of a charge
 * that takes one Pix, where the list or our record does not tell the id.
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
