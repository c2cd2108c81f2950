import type { Mode } from '../core/base/mode.ts';
import { Prisma } from './generated/client.ts';

interface IdBounds {
  /** Inclusive. */
  fromId?: string | undefined;
  /** Exclusive. */
  beforeId?: string | undefined;
}

/** Values for the first two columns of most indexes. */
export const tenantValues = ({
  organizationId,
  mode,
}: {
  organizationId: string;
  mode: Mode;
}): Prisma.Sql[] => [Prisma.sql`${organizationId}::uuid`, Prisma.sql`${mode}::"Mode"`];

/**
 * A range of an index that ends in an id, after columns with these values. Each column before the id has one value, so the scan
 * ends at the bounds of the id. The first column is compared with a list: the planner then expects several values, so that only
 * this index has the right order. With the order of the id alone, it may take the primary key and pass everyone's rows until it
 * has enough. Compared rows, `(mode, id) >= (…)`, prevent that too, but PostgreSQL before 18 does not end their scan by the id,
 * nor does 18 when the first column is bounded twice.
 */
function rangeOf(
  columns: readonly string[],
  values: readonly Prisma.Sql[],
  { fromId, beforeId }: IdBounds,
): Prisma.Sql {
  const id = Prisma.raw(columns.at(-1) ?? '');
  if (values.length === 0 || values.length !== columns.length - 1)
    throw new Error('each column but the id needs a value');
  const equal = values.map((value, at) => {
    const column = Prisma.raw(columns[at] ?? '');
    return at === 0 ? Prisma.sql`${column} = ANY(ARRAY[${value}])` : Prisma.sql`${column} = ${value}`;
  });
  const bounds = [
    ...(fromId === undefined ? [] : [Prisma.sql`${id} >= ${fromId}::uuid`]),
    ...(beforeId === undefined ? [] : [Prisma.sql`${id} < ${beforeId}::uuid`]),
  ];
  return Prisma.join([...equal, ...bounds], ' AND ');
}

const orderOf = (columns: readonly string[], direction: 'ASC' | 'DESC'): Prisma.Sql =>
  Prisma.raw([columns[0], columns.at(-1)].map((column) => `${column} ${direction}`).join(', '));

/** For reading from the newest id on. */
export const newestRange = (
  columns: readonly string[],
  values: readonly Prisma.Sql[],
  bounds: IdBounds,
): { condition: Prisma.Sql; inOrder: Prisma.Sql } => ({
  condition: rangeOf(columns, values, bounds),
  inOrder: orderOf(columns, 'DESC'),
});

/** For reading from the oldest id on. */
export const oldestRange = (
  columns: readonly string[],
  values: readonly Prisma.Sql[],
  bounds: IdBounds,
): { condition: Prisma.Sql; inOrder: Prisma.Sql } => ({
  condition: rangeOf(columns, values, bounds),
  inOrder: orderOf(columns, 'ASC'),
});
