import type { Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';

/** Tables with sealed columns. */
const columnsOf = {
  credential: ['sealed_settings'],
  webhook_endpoint: ['sealed_secret', 'previous_sealed_secret'],
  two_factor: ['secret', 'backup_codes'],
  approval_request: ['sealed_change'],
  unreadable_response: ['sealed_body'],
  forgotten_person: ['sealed_person'],
  link_email: ['sealed_message'],
  dispute: ['sealed_statement'],
  dispute_document: ['sealed_content', 'name'],
  checkout_key: ['sealed_key'],
} as const;

export type SealedTable = keyof typeof columnsOf;

export interface SealedRow {
  id: string;
  /** Keeps the order of the columns; null where the column is null. */
  sealed: (string | null)[];
}

const nameOf = (table: SealedTable): Prisma.Sql => Prisma.raw(table);

const sealedOf = (table: SealedTable): Prisma.Sql => Prisma.raw(`ARRAY[${columnsOf[table].join(', ')}]`);

/** Number of rows per mark that the pattern finds at the start of sealed texts. */
export const countSealed = (
  db: Queryable,
  table: SealedTable,
  pattern: string,
): Promise<{ mark: string | null; count: number }[]> =>
  db.$queryRaw`
    SELECT substring(sealed FROM ${pattern}) AS mark, count(DISTINCT id)::int AS count
    FROM ${nameOf(table)}, unnest(${sealedOf(table)}) sealed WHERE sealed IS NOT NULL GROUP BY 1`;

/** The next rows after an id with a sealed text that does not start with the prefix. */
export const pageOfSealed = (
  db: Queryable,
  table: SealedTable,
  { currentPrefix, afterId, limit }: { currentPrefix: string; afterId: string; limit: number },
): Promise<SealedRow[]> =>
  db.$queryRaw`
    SELECT id, ${sealedOf(table)} AS sealed FROM ${nameOf(table)}
    WHERE id > ${afterId}::uuid
      AND EXISTS (SELECT FROM unnest(${sealedOf(table)}) sealed WHERE NOT starts_with(sealed, ${currentPrefix}))
    ORDER BY id LIMIT ${limit}`;

export const latestSealed = (db: Queryable, table: SealedTable, limit: number): Promise<SealedRow[]> =>
  db.$queryRaw`
    SELECT id, ${sealedOf(table)} AS sealed FROM ${nameOf(table)}
    WHERE ${Prisma.raw(columnsOf[table][0])} IS NOT NULL ORDER BY id DESC LIMIT ${limit}`;

/** False, changing nothing, when the row was sealed again meanwhile. */
export async function replaceSealed(
  db: Queryable,
  table: SealedTable,
  { id, sealed }: SealedRow,
  to: readonly (string | null)[],
): Promise<boolean> {
  const changes = columnsOf[table].map((column, place) => Prisma.sql`${Prisma.raw(column)} = ${to[place]}`);
  const count = await db.$executeRaw`
    UPDATE ${nameOf(table)} SET ${Prisma.join(changes)}
    WHERE id = ${id}::uuid AND ${sealedOf(table)} = ${sealed}::text[]`;
  return count === 1;
}

export const findCanary = async (db: Queryable): Promise<string | undefined> =>
  (await db.encryptionCanary.findFirst({ select: { sealed: true } }))?.sealed;

/** Keeps an existing one. */
export async function insertCanary(db: Queryable, sealed: string, createdAt: Date): Promise<void> {
  await db.encryptionCanary.createMany({ data: { sealed, createdAt }, skipDuplicates: true });
}

/** Changes nothing when it was sealed again meanwhile. */
export async function replaceCanary(db: Queryable, from: string, to: string): Promise<void> {
  await db.encryptionCanary.updateMany({ where: { sealed: from }, data: { sealed: to } });
}
