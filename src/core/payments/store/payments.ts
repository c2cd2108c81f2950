import { JsonText } from '../../base/json/json-text.ts';
import type { Mode } from '../../base/mode.ts';
import { type Payment, paymentMembers } from '../rules/payment.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';

/** Bounds every query for a caller. */
export interface Tenant {
  organizationId: string;
  mode: Mode;
}

export interface PaymentKey extends Tenant {
  id: string;
}

/** The column that the schema maps a member to. */
export const columnOf = (member: string): string =>
  member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Selects from the Pix that paid a payment `p`, the first of its charge. */
const ofPixThatPaid = (what: string): string => `CASE WHEN p.confirmed_at IS NOT NULL THEN (
    SELECT ${what} FROM received_pix x
    WHERE x.payment_id = p.id AND x.attempt_id = p.attempt_id ORDER BY x.created_at, x.end_to_end_id LIMIT 1
  ) END`;

/** Its end-to-end id as told to people, which may be another kind of id: see `isEndToEndId`. */
export const pixIdOf = ofPixThatPaid('coalesce(x.told_end_to_end_id, x.end_to_end_id)');

/** Columns that are not read as they are stored. */
const expressions: Partial<Record<keyof Payment, string>> = {
  mode: 'p.mode::text',
  status: 'p.status::text',
  metadata: 'p.metadata::text',
  pixId: pixIdOf,
  paidBy: ofPixThatPaid(`CASE WHEN coalesce(x.payer_name, x.payer_document, x.payer_message) IS NOT NULL
    THEN json_build_object('name', x.payer_name, 'document', x.payer_document, 'message', x.payer_message) END`),
};

export const paymentColumns = Prisma.raw(
  paymentMembers.map((name) => `${expressions[name] ?? `p.${columnOf(name)}`} AS "${name}"`).join(', '),
);

/**
 * True for a payment `p` that callers may see. A constant, so that indexes may leave the other payments out: with the status as
 * a parameter, a statement cannot use such an index.
 */
export const isCreated = Prisma.sql`p.status <> 'creating'`;

/** The statement must select `paymentColumns`. */
export async function selectPayments(db: Queryable, statement: Prisma.Sql): Promise<Payment[]> {
  const rows = await db.$queryRaw<(Omit<Payment, 'metadata'> & { metadata: string | null })[]>(statement);
  return rows.map((row) =>
    Object.assign(row, { metadata: row.metadata === null ? null : new JsonText(row.metadata) }),
  );
}

/** The payment of each key, in order; undefined when the tenant has none. Takes one statement for all keys. */
export async function findPayments(
  db: Queryable,
  keys: readonly PaymentKey[],
): Promise<(Payment | undefined)[]> {
  const ids = keys.map(({ id }) => id);
  // The id alone comes first: given the tenant as well, the planner may use an index that starts with the tenant and
  // read all of its payments.
  const rows = await selectPayments(
    db,
    Prisma.sql`
    WITH p AS MATERIALIZED (SELECT * FROM payment p WHERE id = ANY(${ids}::uuid[]) AND ${isCreated})
    SELECT ${paymentColumns}
    FROM p JOIN unnest(${ids}::uuid[], ${keys.map((key) => key.organizationId)}::uuid[],
      ${keys.map(({ mode }) => mode)}::"Mode"[]) AS k(id, organization_id, mode)
      ON p.id = k.id AND p.organization_id = k.organization_id AND p.mode = k.mode`,
  );
  const keyOf = ({ id, organizationId, mode }: PaymentKey) => `${id} ${organizationId} ${mode}`;
  const byKey = new Map(rows.map((payment) => [keyOf(payment), payment]));
  return keys.map((key) => byKey.get(keyOf(key)));
}

/** For the service's own work, across tenants. */
export async function findPaymentById(db: Queryable, id: string): Promise<Payment | undefined> {
  const [payment] = await selectPayments(
    db,
    Prisma.sql`SELECT ${paymentColumns} FROM payment p WHERE p.id = ${id}::uuid`,
  );
  return payment;
}

/** The credential of each payment that has one, by the payment's id. */
export async function findCredentialsOfPayments(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.$queryRaw<{ id: string; credentialId: string }[]>`
    SELECT id, credential_id AS "credentialId" FROM payment WHERE id = ANY(${ids}::uuid[]) AND credential_id IS NOT NULL`;
  return new Map(rows.map(({ id, credentialId }) => [id, credentialId]));
}
