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
 * A range of an index that ends in an id, after columns with these values. Compares and orders by whole rows:
 * by id alone, the planner may use the primary key and scan everyone's rows until it has enough.
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

/**
 * The same for a value that few rows have. PostgreSQL ends a scan by the first column of compared rows alone: where fewer
 * match than are asked for, it would read the tenant to its end. Equality ends it, and with such a value no other index
 * looks as good.
 */
export function equalRange(
  columns: readonly string[],
  values: readonly Prisma.Sql[],
  { fromId = smallestId, beforeId = greatestId }: IdBounds,
): { condition: Prisma.Sql; newestFirst: Prisma.Sql } {
  const id = Prisma.raw(columns.at(-1) ?? 'id');
  const equal = values.map((value, at) => Prisma.sql`${Prisma.raw(columns[at] ?? '')} = ${value}`);
  return {
    condition: Prisma.sql`${Prisma.join(equal, ' AND ')} AND ${id} >= ${fromId}::uuid AND ${id} < ${beforeId}::uuid`,
    newestFirst: Prisma.raw(columns.map((column) => `${column} DESC`).join(', ')),
  };
}
