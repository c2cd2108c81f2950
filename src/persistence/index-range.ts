import { Prisma } from './generated/client.ts';

interface IdBounds {
  /** Inclusive. */
  fromId?: string | undefined;
  /** Exclusive. */
  beforeId?: string | undefined;
}

const smallestId = '00000000-0000-0000-0000-000000000000';
const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The rows of an index whose last column is an id, which the others precede with these values. Compared and ordered as
 * whole rows: by the id alone, the planner may take the primary key and walk through the rows of everybody else
 * until it has enough of these.
 */
export function indexRange(
  columns: readonly string[],
  values: readonly Prisma.Sql[],
  { fromId = smallestId, beforeId = greatestId }: IdBounds,
): { condition: Prisma.Sql; newestFirst: Prisma.Sql; oldestFirst: Prisma.Sql } {
  const row = Prisma.raw(`(${columns.join(', ')})`);
  const start = Prisma.join(values);
  return {
    condition: Prisma.sql`${row} >= (${start}, ${fromId}::uuid) AND ${row} < (${start}, ${beforeId}::uuid)`,
    newestFirst: Prisma.raw(columns.map((column) => `${column} DESC`).join(', ')),
    oldestFirst: Prisma.raw(columns.join(', ')),
  };
}
