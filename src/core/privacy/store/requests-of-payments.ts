import type { Mode } from '../../base/mode.ts';
import { type Queryable, recordset } from '../../../database/database.ts';

export interface KeyOfPayment {
  organizationId: string;
  mode: Mode;
  key: string;
  isOfPayment: boolean;
  /** Its request may have named the person. */
  isPersonal: boolean;
}

/** Idempotency keys of creates and cancellations, and of refunds. */
export const lockKeysOfPayments = (tx: Queryable, paymentIds: readonly string[]): Promise<KeyOfPayment[]> =>
  tx.$queryRaw`
    SELECT k.organization_id AS "organizationId", k.mode::text, k.key, subject.is_payment AS "isOfPayment",
      subject.is_personal AS "isPersonal"
    FROM (
      SELECT id, true AS is_payment, true AS is_personal FROM unnest(${paymentIds}::uuid[]) AS id
      UNION ALL SELECT id, false, reason IS NOT NULL FROM refund WHERE payment_id = ANY(${paymentIds}::uuid[])) AS subject
    JOIN idempotency_key k ON k.subject_id = subject.id`;

/**
 * Renames keys, and replaces the fingerprints of personal requests, from which the payer's document could be guessed. A late
 * repetition of such a request is therefore refused instead of executed.
 */
export async function replaceKeys(
  tx: Queryable,
  keys: readonly (KeyOfPayment & { newKey: string })[],
  pseudonym: string,
): Promise<void> {
  if (keys.length === 0) return;
  await tx.$executeRaw`
    UPDATE idempotency_key k SET key = r."newKey",
      fingerprint = CASE WHEN r."isPersonal" THEN ${pseudonym} ELSE k.fingerprint END,
      outcome = CASE WHEN r."isOfPayment" AND k.outcome IS NOT NULL THEN '{"result":{}}'::json ELSE k.outcome END
    FROM json_to_recordset(${recordset(keys)}::json) AS r("organizationId" uuid, mode "Mode", key text,
      "isOfPayment" boolean, "isPersonal" boolean, "newKey" text)
    WHERE k.organization_id = r."organizationId" AND k.mode = r.mode AND k.key = r.key`;
}

export interface BookSettlement {
  credentialId: string;
  kind: string;
  reference: string;
  reason: string;
}

/** Differences of the books that were settled with the payments, with the reason that a person gave. */
export const lockBookSettlements = (
  tx: Queryable,
  paymentIds: readonly string[],
): Promise<BookSettlement[]> =>
  tx.$queryRaw`
    SELECT credential_id AS "credentialId", kind::text, reference, reason FROM book_settlement
    WHERE payment_id = ANY(${paymentIds}::uuid[]) FOR UPDATE`;

export async function replaceReasons(tx: Queryable, settlements: readonly BookSettlement[]): Promise<void> {
  if (settlements.length === 0) return;
  await tx.$executeRaw`
    UPDATE book_settlement s SET reason = r.reason
    FROM json_to_recordset(${recordset(settlements)}::json) AS r("credentialId" uuid, kind "DifferenceKind",
      reference text, reason text)
    WHERE s.credential_id = r."credentialId" AND s.kind = r.kind AND s.reference = r.reference`;
}
