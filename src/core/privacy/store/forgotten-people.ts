import type { Database, Queryable } from '../../../database/database.ts';
import type { Prisma } from '../../../database/generated/client.ts';

export interface ProviderCustomer {
  credentialId: string;
  provider: string;
  /** The PSP's id. */
  reference: string;
}

/** Rows in which something was replaced, by kind. */
export interface ForgottenCounts {
  payments: number;
  events: number;
  webhookResponses: number;
  idempotencyKeys: number;
  notifications: number;
  unreadableResponses: number;
  settlements: number;
}

const nothingForgotten: ForgottenCounts = {
  payments: 0,
  events: 0,
  webhookResponses: 0,
  idempotencyKeys: 0,
  notifications: 0,
  unreadableResponses: 0,
  settlements: 0,
};

export interface ForgottenPersonRow {
  id: string;
  organizationId: string;
  pseudonym: string;
  requestedAt: Date;
  userId: string | null;
  sealedPerson: string | null;
  cursor: string | null;
  nextCheckAt: Date | null;
  completedAt: Date | null;
  counts: ForgottenCounts;
  customers: ProviderCustomer[];
}

const rowOf = (row: Prisma.ForgottenPersonGetPayload<object>): ForgottenPersonRow => ({
  ...row,
  counts: { ...nothingForgotten, ...(row.counts as Partial<ForgottenCounts>) },
  customers: row.customers as unknown as ProviderCustomer[],
});

export type NewForgottenPerson = Pick<
  ForgottenPersonRow,
  'id' | 'organizationId' | 'pseudonym' | 'requestedAt' | 'userId' | 'nextCheckAt'
> & { sealedPerson: string };

/** Begins again if the person is known, as after a restore. */
export async function beginForgetting(
  tx: Queryable,
  person: NewForgottenPerson,
): Promise<ForgottenPersonRow> {
  const { sealedPerson, nextCheckAt } = person;
  return rowOf(
    await tx.forgottenPerson.upsert({
      where: { id: person.id },
      create: person,
      update: { sealedPerson, nextCheckAt, cursor: null, completedAt: null },
    }),
  );
}

export async function findForgottenPerson(
  db: Queryable,
  id: string,
): Promise<ForgottenPersonRow | undefined> {
  const row = await db.forgottenPerson.findUnique({ where: { id } });
  return row ? rowOf(row) : undefined;
}

/** Held until the transaction ends, so that two who work on the same person take turns. */
export async function lockForgottenPerson(tx: Queryable, id: string): Promise<ForgottenPersonRow> {
  await tx.$queryRaw`SELECT 1 FROM forgotten_person WHERE id = ${id}::uuid FOR UPDATE`;
  return rowOf(await tx.forgottenPerson.findUniqueOrThrow({ where: { id } }));
}

export async function changeForgottenPerson(
  tx: Queryable,
  id: string,
  { counts, customers, ...change }: Partial<Omit<ForgottenPersonRow, 'id'>>,
): Promise<void> {
  const data = {
    ...change,
    ...(counts && { counts: { ...counts } }),
    ...(customers && { customers: customers.map((each) => ({ ...each })) }),
  };
  await tx.forgottenPerson.update({ where: { id }, data, select: { id: true } });
}

/** Lists the people of the organization who are being forgotten. */
export const listUnfinished = async (db: Queryable, organizationId: string): Promise<ForgottenPersonRow[]> =>
  (
    await db.forgottenPerson.findMany({
      where: { organizationId, nextCheckAt: { not: null } },
      orderBy: { id: 'asc' },
    })
  ).map(rowOf);

/** The next page by id. */
export const listForgotten = async (
  db: Queryable,
  { organizationId, afterId, limit }: { organizationId: string; afterId: string; limit: number },
): Promise<ForgottenPersonRow[]> =>
  (
    await db.forgottenPerson.findMany({
      where: { organizationId, id: { gt: afterId } },
      orderBy: { id: 'asc' },
      take: limit,
    })
  ).map(rowOf);

/** Claims the one that has been due for longest. */
export async function claimForgotten(
  db: Database,
  { now, leasedUntil }: { now: Date; leasedUntil: Date },
): Promise<string | undefined> {
  const [claimed] = await db.$queryRaw<{ id: string }[]>`
    UPDATE forgotten_person SET next_check_at = ${leasedUntil}
    WHERE id = (SELECT id FROM forgotten_person WHERE next_check_at <= ${now}
      ORDER BY next_check_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id`;
  return claimed?.id;
}
