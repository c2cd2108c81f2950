import { freeTexts, type FreeTexts, payerJsonMembers, payerMembers } from '../../payments/rules/payment.ts';
import { columnOf } from '../../payments/store/payments.ts';
import { pseudonymPrefix } from '../rules/pseudonym.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { type Queryable, recordset } from '../../../database/database.ts';
import type { TermSource } from '../../payments/store/search-terms.ts';

/** Selects payments with one of the documents, in either mode, and those with one of the ids. */
export interface PaymentsOfPerson {
  organizationId: string;
  /** Every spelling, since documents are stored as sent. */
  documents: readonly string[];
  paymentIds: readonly string[];
  /** Leaves out payments with this id or a later one. */
  beforeId: string;
}

/** Selects all of them if `limit` is null. */
const idsOf = (
  { organizationId, documents, paymentIds, beforeId }: PaymentsOfPerson,
  limit: number | null,
): Prisma.Sql => Prisma.sql`
  (SELECT id FROM payment WHERE organization_id = ${organizationId}::uuid AND mode = ANY('{test,live}'::"Mode"[])
    AND payer_document IS NOT NULL AND payer_document = ANY(${documents}::text[]) AND id < ${beforeId}::uuid LIMIT ${limit}::int)
  UNION (SELECT id FROM payment WHERE id = ANY(${paymentIds}::uuid[]) AND organization_id = ${organizationId}::uuid
    AND id < ${beforeId}::uuid
    AND (payer_document IS NULL OR NOT starts_with(payer_document, ${pseudonymPrefix})) LIMIT ${limit}::int)`;

export interface PersonSurvey {
  payments: number;
  /** Payments that may still be paid, or that have a pending refund. */
  open: number;
  documents: string[];
  names: string[];
  emails: string[];
  phones: string[];
}

export async function surveyPayments(db: Queryable, of: PaymentsOfPerson): Promise<PersonSurvey> {
  const distinct = (column: string) =>
    Prisma.raw(`coalesce(array_agg(DISTINCT ${column}) FILTER (WHERE ${column} IS NOT NULL), '{}')`);
  const [survey] = await db.$queryRaw<PersonSurvey[]>`
    SELECT count(*)::int AS payments,
      count(*) FILTER (WHERE status IN ('creating', 'pending')
        OR EXISTS (SELECT FROM refund r WHERE r.payment_id = p.id AND r.status = 'pending'))::int AS open,
      ${distinct('payer_document')} AS documents, ${distinct('payer_name')} AS names,
      ${distinct('payer_email')} AS emails, ${distinct('payer_phone')} AS phones
    FROM payment p WHERE id = ANY(ARRAY(${idsOf(of, null)}))`;
  if (!survey) throw new Error('a count has one row');
  return survey;
}

export interface PayerFields extends FreeTexts {
  id: string;
  metadata: string | null;
  pixCopyPaste: string | null;
}

const personalColumns = Prisma.raw(
  [...payerMembers, ...freeTexts].map((name) => `${columnOf(name)} AS "${name}"`).join(', '),
);

/** What is replaced in a payment, and what it has been found by so far. */
export interface PersonPayment extends PayerFields, TermSource {}

/** Locks the next few payments that still have the person's data. */
export const lockPaymentsOfPerson = (
  tx: Queryable,
  of: PaymentsOfPerson,
  limit: number,
): Promise<PersonPayment[]> =>
  tx.$queryRaw`
    SELECT id, organization_id AS "organizationId", mode::text, ${personalColumns}, metadata::text, pix_copy_paste AS "pixCopyPaste", txid
    FROM payment WHERE id = ANY(ARRAY(${idsOf(of, limit)}))
    ORDER BY id FOR NO KEY UPDATE`;

const payersTo = (pseudonym: string): Prisma.Sql =>
  Prisma.join([
    ...payerMembers
      .filter((name) => name !== 'payerDocument')
      .map(columnOf)
      .map(Prisma.raw)
      .map((column) => Prisma.sql`${column} = CASE WHEN ${column} IS NOT NULL THEN ${pseudonym} END`),
    ...payerJsonMembers.map((name) => Prisma.raw(`${columnOf(name)} = NULL`)),
  ]);

const textsReplaced = Prisma.raw(freeTexts.map((name) => `${columnOf(name)} = r."${name}"`).join(', '));
const textTypes = Prisma.raw(freeTexts.map((name) => `"${name}" text`).join(', '));

/**
 * Also removes the QR code of payments whose code is gone, and the address that the checkout page leads back to, which may carry
 * a customer's id in any spelling.
 */
export async function replacePayers(
  tx: Queryable,
  payments: readonly PayerFields[],
  pseudonym: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE payment p SET payer_document = ${pseudonym}, ${payersTo(pseudonym)}, ${textsReplaced}, metadata = r.metadata::json,
      return_url = NULL, pix_copy_paste = r."pixCopyPaste",
      pix_qr_code_base64 = CASE WHEN r."pixCopyPaste" IS NOT NULL THEN pix_qr_code_base64 END
    FROM json_to_recordset(${recordset(payments)}::json) AS r(id uuid, ${textTypes}, metadata text, "pixCopyPaste" text)
    WHERE p.id = r.id`;
}

interface TextRow {
  id: string;
  text: string;
}

/** Bodies of the events of payments, locked. */
export const lockEventBodies = (tx: Queryable, paymentIds: readonly string[]): Promise<TextRow[]> =>
  tx.$queryRaw`SELECT id, body AS text FROM event WHERE payment_id = ANY(${paymentIds}::uuid[]) ORDER BY id FOR UPDATE`;

/** Errors of the attempts of payments. */
export const listAttemptErrors = (tx: Queryable, paymentIds: readonly string[]): Promise<TextRow[]> =>
  tx.$queryRaw`
    SELECT id, error AS text FROM payment_attempt WHERE payment_id = ANY(${paymentIds}::uuid[]) AND error IS NOT NULL`;

/** Reasons given for the refunds of payments. */
export const listRefundReasons = (tx: Queryable, paymentIds: readonly string[]): Promise<TextRow[]> =>
  tx.$queryRaw`
    SELECT id, reason AS text FROM refund WHERE payment_id = ANY(${paymentIds}::uuid[]) AND reason IS NOT NULL`;

const textColumns = {
  refund: Prisma.raw('reason'),
  event: Prisma.raw('body'),
  payment_attempt: Prisma.raw('error'),
};

export async function replaceTexts(
  tx: Queryable,
  table: keyof typeof textColumns,
  rows: readonly TextRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.$executeRaw`
    UPDATE ${Prisma.raw(table)} t SET ${textColumns[table]} = r.text
    FROM json_to_recordset(${recordset(rows)}::json) AS r(id uuid, text text) WHERE t.id = r.id`;
}

/** Replaces what endpoints responded to the events of payments; returns how many responses. */
export const replaceWebhookResponses = (
  tx: Queryable,
  paymentIds: readonly string[],
  pseudonym: string,
): Promise<number> =>
  tx.$executeRaw`
    UPDATE webhook_attempt SET answer = ${pseudonym}, response_headers = NULL
    WHERE answer <> ${pseudonym} AND (answer <> '' OR response_headers IS NOT NULL) AND delivery_id = ANY(ARRAY(
      SELECT d.id FROM event e JOIN webhook_delivery d ON d.event_id = e.id
      WHERE e.payment_id = ANY(${paymentIds}::uuid[])))`;
