import type { Mode } from '../core/base/mode.ts';
import { Prisma } from './generated/client.ts';

interface IdBounds {
  /** Inclusive. */
  fromId?: string | undefined;
  /** Exclusive. */
  beforeId?: string | undefined;
}

/** Values of the first two columns of most indexes. */
export const tenantValues = ({
  organizationId,
  mode,
}: {
  organizationId: string;
  mode: Mode;
}): Prisma.Sql[] => [Prisma.sql`${organizationId}::uuid`, Prisma.sql`${mode}::"Mode"`];

/**
 * A range of an index that ends in an id, after columns with these values. The scan ends at the bounds of the id, as each
 * column before it has one value. The first is compared with a list: to the planner it may then have several, so that only
 * this index has its order. Ordered by id alone, the planner may take the primary key and pass everyone's rows until it has
 * enough. Compared rows, `(mode, id) >= (…)`, keep it from that too, but PostgreSQL before 18 does not end their scan by the
 * id, nor does 18 when the first of the columns is bounded twice.
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

/** To be read from the newest id on. */
export const newestRange = (
  columns: readonly string[],
  values: readonly Prisma.Sql[],
  bounds: IdBounds,
): { condition: Prisma.Sql; inOrder: Prisma.Sql } => ({
  condition: rangeOf(columns, values, bounds),
  inOrder: orderOf(columns, 'DESC'),
});

/** To be read from the oldest id on. */
export const oldestRange = (
  columns: readonly string[],
  values: readonly Prisma.Sql[],
  bounds: IdBounds,
): { condition: Prisma.Sql; inOrder: Prisma.Sql } => ({
  condition: rangeOf(columns, values, bounds),
  inOrder: orderOf(columns, 'ASC'),
});
