import type { Mode } from '../../base/mode.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';
import type { PaymentsOfPerson } from './payments-of-person.ts';

/** A received Pix whose provider told who paid it. */
export interface PersonalPix {
  endToEndId: string;
  organizationId: string;
  paymentId: string;
  mode: Mode;
  name: string | null;
  document: string | null;
}

const lockPix = (tx: Queryable, condition: Prisma.Sql, limit: number | null): Promise<PersonalPix[]> =>
  tx.$queryRaw`
    SELECT x.end_to_end_id AS "endToEndId", x.organization_id AS "organizationId", x.payment_id AS "paymentId",
      (SELECT mode::text FROM payment WHERE id = x.payment_id) AS mode, x.payer_name AS name, x.payer_document AS document
    FROM received_pix x WHERE ${condition}
    ORDER BY x.end_to_end_id LIMIT ${limit}::int FOR NO KEY UPDATE`;

/** Locks those of the payments, whoever paid them. */
export const lockPixOfPayments = (tx: Queryable, paymentIds: readonly string[]): Promise<PersonalPix[]> =>
  lockPix(
    tx,
    Prisma.sql`x.payment_id = ANY(${paymentIds}::uuid[])
      AND coalesce(x.payer_name, x.payer_document, x.payer_message) IS NOT NULL`,
    null,
  );

const paidByPerson = ({ organizationId, documents, beforeId }: PaymentsOfPerson): Prisma.Sql => Prisma.sql`
  x.organization_id = ${organizationId}::uuid AND x.payer_document IS NOT NULL
    AND x.payer_document = ANY(${documents}::text[]) AND x.payment_id < ${beforeId}::uuid`;

/** Locks the next few that the person paid, whosever payments they are. A document that is hidden in part names nobody. */
export const lockPixOfPerson = (tx: Queryable, of: PaymentsOfPerson, limit: number): Promise<PersonalPix[]> =>
  lockPix(tx, paidByPerson(of), limit);

interface PixSurvey {
  paidForOthers: number;
  documents: string[];
  names: string[];
}

/** How many payments of others the person paid, and what their banks call them. */
export async function surveyPix(db: Queryable, of: PaymentsOfPerson): Promise<PixSurvey> {
  const [survey] = await db.$queryRaw<PixSurvey[]>`
    SELECT count(DISTINCT p.id) FILTER (WHERE p.payer_document IS NULL OR p.payer_document <> ALL(${of.documents}::text[]))::int
        AS "paidForOthers",
      coalesce(array_agg(DISTINCT x.payer_document), '{}') AS documents,
      coalesce(array_agg(DISTINCT x.payer_name) FILTER (WHERE x.payer_name IS NOT NULL), '{}') AS names
    FROM received_pix x JOIN payment p ON p.id = x.payment_id WHERE ${paidByPerson(of)}`;
  if (!survey) throw new Error('a count has one row');
  return survey;
}

/** Also at the sandbox, which is a provider of our own. */
export async function removePixPayers(tx: Queryable, pix: readonly PersonalPix[]): Promise<void> {
  const ids = pix.map(({ endToEndId }) => endToEndId);
  await tx.$executeRaw`
    UPDATE received_pix x SET payer_name = NULL, payer_document = NULL, payer_message = NULL
    FROM unnest(${pix.map((each) => each.organizationId)}::uuid[], ${ids}::text[]) AS r(organization_id, id)
    WHERE x.organization_id = r.organization_id AND x.end_to_end_id = r.id`;
  await tx.$executeRaw`UPDATE sandbox_pix SET payer = NULL WHERE end_to_end_id = ANY(${ids}::text[])`;
}
