import type { Cents } from '../../base/money.ts';
import type { Payment } from '../rules/payment.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';
import { newestRange, tenantValues } from '../../../database/index-range.ts';
import { filterConditions, type PaymentFilter } from './payment-filter.ts';
import { findWalkEnd } from './payment-lists.ts';
import { isCreated, paymentColumns, selectPayments, type Tenant } from './payments.ts';
import { tenantDigest, type TermSource } from './search-terms.ts';

/** `fromId` is inclusive, `beforeId` exclusive. */
interface IdRange {
  fromId?: string | undefined;
  beforeId?: string | undefined;
}

export interface SearchScope extends Tenant {
  range: IdRange;
}

/** Values that a payment is found by without its terms. */
export interface ExactValues {
  paymentId?: string;
  attemptId?: string;
  endToEndId?: string;
  amountInCents?: Cents;
  fiscalDocument?: string;
  reference: string;
  documents: readonly string[];
  codeTerm?: string;
}

const inScope = (column: string, { range }: SearchScope): Prisma.Sql => {
  const id = Prisma.raw(column);
  return Prisma.sql`(${range.fromId ?? null}::uuid IS NULL OR ${id} >= ${range.fromId ?? null}::uuid)
    AND (${range.beforeId ?? null}::uuid IS NULL OR ${id} < ${range.beforeId ?? null}::uuid)`;
};

/** Walks the index from the newest row, and stops at the limit. */
function newestBy(column: string, value: Prisma.Sql, scope: SearchScope, limit: number): Prisma.Sql {
  const columns = ['organization_id', 'mode', column, 'id'];
  const { condition, inOrder } = newestRange(columns, [...tenantValues(scope), value], scope.range);
  return Prisma.sql`
    SELECT id FROM payment p WHERE ${condition} AND ${Prisma.raw(column)} IS NOT NULL AND ${isCreated}
    ORDER BY ${inOrder} LIMIT ${limit}::int`;
}

const tenantValue = (tenant: Tenant): Prisma.Sql => Prisma.sql`${tenantDigest(tenant)}::bigint`;

function newestWithTerm(term: string, scope: SearchScope, limit: number): Prisma.Sql {
  const values = [tenantValue(scope), Prisma.sql`${term}`];
  const { condition, inOrder } = newestRange(['tenant', 'term', 'payment_id'], values, scope.range);
  return Prisma.sql`
    SELECT payment_id AS id FROM payment_term WHERE ${condition} ORDER BY ${inOrder} LIMIT ${limit}::int`;
}

/** More attempts than ever share an id at their PSP, or a Pix. */
const fewAttempts = 20;

function exactSelects(values: ExactValues, scope: SearchScope, limit: number): Prisma.Sql[] {
  const { paymentId, attemptId, endToEndId, amountInCents, fiscalDocument, reference, documents, codeTerm } =
    values;
  const { organizationId } = scope;
  return [
    newestBy('external_id', Prisma.sql`${reference}`, scope, limit),
    ...documents.map((document) => newestBy('payer_document', Prisma.sql`${document}`, scope, limit)),
    ...(amountInCents === undefined
      ? []
      : [newestBy('amount_in_cents', Prisma.sql`${amountInCents}::bigint`, scope, limit)]),
    ...(fiscalDocument === undefined
      ? []
      : [newestBy('fiscal_document', Prisma.sql`${fiscalDocument}`, scope, limit)]),
    ...(codeTerm === undefined ? [] : [newestWithTerm(codeTerm, scope, limit)]),
    Prisma.sql`
      SELECT payment_id AS id FROM payment_attempt
      WHERE psp_reference = ${reference} AND ${inScope('payment_id', scope)} LIMIT ${fewAttempts}::int`,
    ...(paymentId === undefined
      ? []
      : [Prisma.sql`SELECT id FROM payment WHERE id = ${paymentId}::uuid AND ${inScope('id', scope)}`]),
    ...(attemptId === undefined
      ? []
      : [
          Prisma.sql`
            SELECT payment_id AS id FROM payment_attempt WHERE id = ${attemptId}::uuid AND ${inScope('payment_id', scope)}`,
        ]),
    ...(endToEndId === undefined
      ? []
      : ['end_to_end_id', 'told_end_to_end_id'].map(
          (column) => Prisma.sql`
            SELECT payment_id AS id FROM received_pix WHERE organization_id = ${organizationId}::uuid
              AND ${Prisma.raw(column)} = ${endToEndId} AND ${inScope('payment_id', scope)} LIMIT ${fewAttempts}::int`,
        )),
  ];
}

/** Up to `limit` newest ids per value; `source` tells the values apart. The ids may belong to other tenants' payments. */
export const findExact = (
  db: Queryable,
  values: ExactValues,
  scope: SearchScope,
  limit: number,
): Promise<{ source: number; id: string }[]> => {
  const selects = exactSelects(values, scope, limit).map(
    (select, source) => Prisma.sql`SELECT ${source}::int AS source, id FROM (${select}) AS s`,
  );
  return db.$queryRaw`${Prisma.join(selects, ' UNION ALL ')}`;
};

/** Appended to a text, sorts after everything that begins with the text. */
const lastCharacter = '\u{10FFFF}';

/** Ordered by the key, or the planner may scan the table until it has enough. */
const withBeginning = (beginning: string, tenant: Tenant, limit: number): Prisma.Sql => Prisma.sql`
  SELECT payment_id AS id FROM payment_term
  WHERE tenant = ${tenantValue(tenant)} AND term >= ${beginning} AND term < ${beginning + lastCharacter}
  ORDER BY tenant, term, payment_id LIMIT ${limit}::int`;

/** Those of a Pix have no punctuation. */
const isBare = (document: string): boolean => /^[\dA-Z]+$/.test(document);

const newestPaidBy = (document: string, scope: SearchScope, limit: number): Prisma.Sql => Prisma.sql`
  SELECT payment_id AS id FROM received_pix
  WHERE organization_id = ${scope.organizationId}::uuid AND payer_document = ${document} AND ${inScope('payment_id', scope)}
  ORDER BY payment_id DESC LIMIT ${limit}::int`;

/** The newest payments with one of these documents, as they were sent, and those that somebody with it has paid. */
export async function findDocuments(
  db: Queryable,
  documents: readonly string[],
  scope: SearchScope,
  limit: number,
): Promise<string[]> {
  const selects = documents.map(
    (document) => Prisma.sql`(${newestBy('payer_document', Prisma.sql`${document}`, scope, limit)})`,
  );
  const paid = documents
    .filter(isBare)
    .map((document) => Prisma.sql`(${newestPaidBy(document, scope, limit)})`);
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM (${Prisma.join([...selects, ...paid], ' UNION ALL ')}) AS d ORDER BY id DESC LIMIT ${limit}::int`;
  return found.map(({ id }) => id);
}

export interface TermCount {
  /** Terms that begin like this, counted up to a limit. */
  count: number;
  /** Whether a term is exactly this. */
  isTerm: boolean;
}

/** Counts the terms of each beginning, in the order given. */
export async function countTerms(
  db: Queryable,
  beginnings: readonly string[],
  tenant: Tenant,
  limit: number,
): Promise<TermCount[]> {
  const selects = beginnings.map(
    (beginning, at) => Prisma.sql`
      SELECT ${at}::int AS at,
        (SELECT count(*)::int FROM (${withBeginning(beginning, tenant, limit)}) AS c) AS count,
        -- EXISTS would drop the order, and with it the index.
        coalesce((SELECT true FROM (${newestWithTerm(beginning, { ...tenant, range: {} }, 1)}) AS t), false) AS "isTerm"`,
  );
  return db.$queryRaw`${Prisma.join(selects, ' UNION ALL ')} ORDER BY at`;
}

/** Counts the payments that have each term, up to a limit, in the order given. */
export async function countWholeTerms(
  db: Queryable,
  terms: readonly string[],
  tenant: Tenant,
  limit: number,
): Promise<number[]> {
  const selects = terms.map(
    (term, at) => Prisma.sql`
      SELECT ${at}::int AS at,
        (SELECT count(*)::int FROM (${newestWithTerm(term, { ...tenant, range: {} }, limit)}) AS c) AS count`,
  );
  const rows = await db.$queryRaw<{ count: number }[]>`${Prisma.join(selects, ' UNION ALL ')} ORDER BY at`;
  return rows.map(({ count }) => count);
}

/** The newest of all payments with a term that begins like this. The caller knows that there are at most `most`. */
export async function findBeginning(
  db: Queryable,
  beginnings: readonly string[],
  scope: SearchScope,
  { most, limit }: { most: number; limit: number },
): Promise<string[]> {
  const selects = beginnings.map((beginning) => Prisma.sql`(${withBeginning(beginning, scope, most)})`);
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT id FROM (${Prisma.join(selects, ' UNION ALL ')}) AS t
    WHERE ${inScope('id', scope)} ORDER BY id DESC LIMIT ${limit}::int`;
  return found.map(({ id }) => id);
}

/** The newest payments with one of these terms. */
export async function findTerms(
  db: Queryable,
  terms: readonly string[],
  scope: SearchScope,
  limit: number,
): Promise<string[]> {
  const selects = terms.map((term) => Prisma.sql`(${newestWithTerm(term, scope, limit)})`);
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT id FROM (${Prisma.join(selects, ' UNION ALL ')}) AS t ORDER BY id DESC LIMIT ${limit}::int`;
  return found.map(({ id }) => id);
}

/** The newest payments, to be compared one by one. */
export async function listNewest(db: Queryable, scope: SearchScope, limit: number): Promise<TermSource[]> {
  const rangeFrom = (fromId: string | undefined) => {
    const columns = ['organization_id', 'mode', 'id'];
    const { condition, inOrder } = newestRange(columns, tenantValues(scope), { ...scope.range, fromId });
    return { condition: Prisma.sql`${condition} AND ${isCreated}`, inOrder };
  };
  const all = rangeFrom(scope.range.fromId);
  const { condition, inOrder } = rangeFrom((await findWalkEnd(db, all, limit))?.id ?? scope.range.fromId);
  return db.$queryRaw`
    SELECT id, organization_id AS "organizationId", mode::text, external_id AS "externalId",
      payer_name AS "payerName", payer_document AS "payerDocument", payer_email AS "payerEmail",
      payer_phone AS "payerPhone", pix_copy_paste AS "pixCopyPaste", txid
    FROM payment p WHERE ${condition} ORDER BY ${inOrder} LIMIT ${limit}::int`;
}

/** The tenant's payments that pass the filter, newest first. Selects by id alone first, as `findPayments` does. */
export const selectByIds = (
  db: Queryable,
  { organizationId, mode }: Tenant,
  ids: readonly string[],
  filter: PaymentFilter,
): Promise<Payment[]> =>
  selectPayments(
    db,
    Prisma.sql`
    WITH p AS MATERIALIZED (SELECT * FROM payment WHERE id = ANY(${ids}::uuid[]))
    SELECT ${paymentColumns} FROM p
    WHERE p.organization_id = ${organizationId}::uuid AND p.mode = ${mode}::"Mode"
      AND ${Prisma.join(filterConditions(filter), ' AND ')}
    ORDER BY p.id DESC`,
  );
