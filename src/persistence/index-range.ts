import type { Mode } from '../domain/mode.ts';
import { Prisma } from './generated/client.ts';

interface IdBounds {
  /** Inclusive. */
  fromId?: string | undefined;
  /** Exclusive. */
  beforeId?: string | undefined;
}

const smallestId = '00000000-0000-0000-0000-000000000000';
const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Values of the first two columns of most indexes. */
export const tenantValues = ({
  organizationId,
  mode,
}: {
  organizationId: string;
  mode: Mode;
}): Prisma.Sql[] => [Prisma.sql`${organizationId}::uuid`, Prisma.sql`${mode}::"Mode"`];

/**
 * A range of an index that ends in an id, after columns with these values. The last of them is compared and ordered by
 * together with the id: by id alone, the planner may use the primary key and scan everyone's rows until it has enough.
 * It is bounded alone too, on the side where the scan ends: PostgreSQL before 18 ends it by the first of compared columns
 * only, and where fewer match than are asked for, it would read on to the tenant's last row.
 */
function rangeOf(
  columns: readonly string[],
  values: readonly Prisma.Sql[],
  { fromId = smallestId, beforeId = greatestId }: IdBounds,
  ending: '>=' | '<=',
): Prisma.Sql {
  const [last, id] = columns.slice(-2).map((column) => Prisma.raw(column));
  const value = values.at(-1);
  if (!last || !id || !value || values.length !== columns.length - 1)
    throw new Error('each column but the id needs a value');
  const equal = values.slice(0, -1).map((each, at) => Prisma.sql`${Prisma.raw(columns[at] ?? '')} = ${each}`);
  const ends = Prisma.sql`${last} ${Prisma.raw(ending)} ${value}`;
  return Prisma.sql`${Prisma.join([...equal, ends], ' AND ')}
    AND (${last}, ${id}) >= (${value}, ${fromId}::uuid) AND (${last}, ${id}) < (${value}, ${beforeId}::uuid)`;
}

/** To be read from the newest id on. */
export const newestRange = (
  columns: readonly string[],
  values: readonly Prisma.Sql[],
  bounds: IdBounds,
): { condition: Prisma.Sql; inOrder: Prisma.Sql } => ({
  condition: rangeOf(columns, values, bounds, '>='),
  inOrder: Prisma.raw(columns.map((column) => `${column} DESC`).join(', ')),
});

/** To be read from the oldest id on. */
export const oldestRange = (
  columns: readonly string[],
  values: readonly Prisma.Sql[],
  bounds: IdBounds,
): { condition: Prisma.Sql; inOrder: Prisma.Sql } => ({
  condition: rangeOf(columns, values, bounds, '<='),
  inOrder: Prisma.raw(columns.join(', ')),
});
