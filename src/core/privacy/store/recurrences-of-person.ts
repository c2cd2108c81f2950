import type { Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';

export interface PersonalRecurrence {
  id: string;
  contract: string;
  description: string | null;
  externalId: string | null;
}

interface RecurrencesOfPerson {
  organizationId: string;
  documents: readonly string[];
}

export interface RecurrenceSurvey {
  recurrences: number;
  /** Those that a payer may still permit, or that debit. */
  open: number;
  documents: string[];
  names: string[];
}

export async function surveyRecurrences(
  db: Queryable,
  { organizationId, documents }: RecurrencesOfPerson,
): Promise<RecurrenceSurvey> {
  const [survey] = await db.$queryRaw<RecurrenceSurvey[]>`
    SELECT count(*)::int AS recurrences,
      count(*) FILTER (WHERE status IN ('creating', 'pending', 'active'))::int AS open,
      coalesce(array_agg(DISTINCT payer_document), '{}') AS documents, coalesce(array_agg(DISTINCT payer_name), '{}') AS names
    FROM recurrence WHERE organization_id = ${organizationId}::uuid AND payer_document = ANY(${documents}::text[])`;
  if (!survey) throw new Error('a count has one row');
  return survey;
}

/** Locks those that still have the person's data. */
export const lockRecurrencesOfPerson = (
  tx: Queryable,
  { organizationId, documents }: RecurrencesOfPerson,
  limit: number,
): Promise<PersonalRecurrence[]> =>
  tx.$queryRaw`
    SELECT id, contract, description, external_id AS "externalId" FROM recurrence
    WHERE organization_id = ${organizationId}::uuid AND payer_document = ANY(${documents}::text[])
    ORDER BY id LIMIT ${limit}::int FOR NO KEY UPDATE`;

export async function replaceInRecurrence(
  tx: Queryable,
  { id, ...texts }: PersonalRecurrence,
  pseudonym: string,
): Promise<void> {
  const data = {
    ...texts,
    payerName: pseudonym,
    payerDocument: pseudonym,
    payerAccount: Prisma.DbNull,
    pixCopyPaste: null,
  };
  await tx.recurrence.update({ where: { id }, data, select: { id: true } });
}
