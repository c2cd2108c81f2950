import { type AuditAction, actionsOfKinds, type AuditKind } from '../rules/audit-actions.ts';
import { isUuid } from '../../base/ids.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';
import { newestRange } from '../../../database/index-range.ts';

interface AuditEntryRow {
  id: string;
  actor: string;
  userId: string | null;
  apiKeyId: string | null;
  action: string;
  subject: string | null;
  details: unknown;
  createdAt: Date;
}

export interface AuditFilter {
  /** The id of a person or key, `operator` or `unknown`. */
  actor?: string | undefined;
  actions?: readonly AuditAction[] | undefined;
  /** Ignored if there are `actions`. */
  kind?: AuditKind | undefined;
  subject?: string | undefined;
}

interface AuditPage {
  /** Inclusive. */
  fromId?: string | undefined;
  /** Exclusive. */
  beforeId?: string | undefined;
  limit: number;
}

const quoted = (actions: readonly AuditAction[]): Prisma.Sql =>
  Prisma.raw(actions.map((action) => `'${action}'`).join(', '));

/** Has literals instead of parameters, so that the planner sees that the partial indexes apply. */
const conditionOfKind: Record<AuditKind, Prisma.Sql> = {
  sign_ins: Prisma.sql`action IN (${quoted(actionsOfKinds.sign_ins)})`,
  views: Prisma.sql`action IN (${quoted(actionsOfKinds.views)})`,
  changes: Prisma.sql`action NOT IN (${quoted(Object.values(actionsOfKinds).flat())})`,
};

/** A range of one index, in the order of the log. */
interface Walk {
  /** Set instead of a range: the entries about several payments, or recurrences, that name this one, of which there are few. */
  naming?: string;
  /** What the index has between organization and id. */
  column?: { name: string; value: Prisma.Sql };
  /** The condition of a partial index. */
  only?: Prisma.Sql;
}

const isNobody = Prisma.sql`user_id IS NULL AND api_key_id IS NULL`;

/** An id belongs either to a person or to a key, so one of the two ranges is empty. */
const walksOfActor = (actor: string): Walk[] =>
  isUuid(actor)
    ? ['user_id', 'api_key_id'].map((name) => ({ column: { name, value: Prisma.sql`${actor}::uuid` } }))
    : [{ column: { name: 'actor', value: Prisma.sql`${actor}` }, only: isNobody }];

const isActor = (actor: string): Prisma.Sql =>
  isUuid(actor)
    ? Prisma.sql`(user_id = ${actor}::uuid OR api_key_id = ${actor}::uuid)`
    : Prisma.sql`actor = ${actor} AND ${isNobody}`;

/**
 * Chooses the ranges to read, and the conditions with which their entries are then compared. Few entries have the same
 * subject, and most people have fewer entries than a group.
 */
function planOf({ subject, actor, actions, kind }: AuditFilter): { walks: Walk[]; compared: Prisma.Sql[] } {
  const actionConditions = [
    ...(actions ? [Prisma.sql`action = ANY(${[...actions]}::text[])`] : []),
    ...(kind && !actions ? [conditionOfKind[kind]] : []),
  ];
  if (subject !== undefined) {
    const compared = [...(actor === undefined ? [] : [isActor(actor)]), ...actionConditions];
    return {
      walks: [{ column: { name: 'subject', value: Prisma.sql`${subject}` } }, { naming: subject }],
      compared,
    };
  }
  if (actor !== undefined) return { walks: walksOfActor(actor), compared: actionConditions };
  if (actions) {
    const walks = actions.map((action) => ({ column: { name: 'action', value: Prisma.sql`${action}` } }));
    return { walks, compared: [] };
  }
  return { walks: [kind ? { only: conditionOfKind[kind] } : {}], compared: [] };
}

const columns = Prisma.raw('id, actor, user_id, api_key_id, action, subject, details, created_at');

/** Is materialized, because the planner might otherwise walk the whole log for the newest ones. */
function namingEntries(
  organizationId: string,
  id: string,
  { fromId, beforeId, limit }: AuditPage,
): Prisma.Sql {
  return Prisma.sql`(WITH named AS MATERIALIZED (SELECT organization_id, ${columns} FROM audit_entry
    WHERE (details @> ${JSON.stringify({ payments: [id] })}::jsonb OR details @> ${JSON.stringify({ recurrences: [id] })}::jsonb)
      AND action = 'payer.view' AND subject IS NULL)
    SELECT ${columns} FROM named WHERE organization_id = ${organizationId}::uuid
      AND (${fromId ?? null}::uuid IS NULL OR id >= ${fromId ?? null}::uuid)
      AND (${beforeId ?? null}::uuid IS NULL OR id < ${beforeId ?? null}::uuid)
    ORDER BY id DESC LIMIT ${limit}::int)`;
}

/**
 * Reads up to `limit` entries of each walk. The order begins with the column, so that only the column's own index fits: in
 * the one by organization and id, the planner might walk the whole log for a value that is common elsewhere and rare here.
 */
function entriesOf(
  organizationId: string,
  walks: readonly Walk[],
  { fromId, beforeId, limit }: AuditPage,
): Prisma.Sql {
  const parts = walks.map(({ column, only, naming }) => {
    if (naming !== undefined) return namingEntries(organizationId, naming, { fromId, beforeId, limit });
    const names = [...(column ? [column.name] : []), 'organization_id', 'id'];
    const values = [...(column ? [column.value] : []), Prisma.sql`${organizationId}::uuid`];
    const range = newestRange(names, values, { fromId, beforeId });
    return Prisma.sql`(SELECT ${columns} FROM audit_entry
      WHERE ${range.condition} ${only ? Prisma.sql`AND ${only}` : Prisma.empty}
      ORDER BY ${range.inOrder} LIMIT ${limit}::int)`;
  });
  return Prisma.join(parts, ' UNION ALL ');
}

/** How many entries one page compares before it ends with fewer than it may have. */
const maximumCompared = 5_000;

export interface ListedEntries {
  /** Newest first. */
  entries: AuditEntryRow[];
  /** Set if more entries have to be compared than one page may: the next page goes on after this id. */
  comparedTo?: string;
}

/** Reads only ranges of indexes that are in the order of the log, or compares a bounded number of their entries. */
export async function listAuditEntries(
  db: Queryable,
  organizationId: string,
  filter: AuditFilter,
  page: AuditPage,
): Promise<ListedEntries> {
  const { walks, compared } = planOf(filter);
  if (walks.length === 0) return { entries: [] };
  const isCompared = compared.length > 0;
  const walked = entriesOf(organizationId, walks, {
    ...page,
    limit: isCompared ? maximumCompared : page.limit,
  });
  const entries = await db.$queryRaw<AuditEntryRow[]>`
    SELECT id, actor, user_id AS "userId", api_key_id AS "apiKeyId", action, subject, details,
      created_at AS "createdAt" FROM (${walked}) AS entry
    ${isCompared ? Prisma.sql`WHERE ${Prisma.join(compared, ' AND ')}` : Prisma.empty}
    ORDER BY id DESC LIMIT ${page.limit}::int`;
  if (!isCompared || entries.length === page.limit) return { entries };
  const [last] = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM (${walked}) AS entry ORDER BY id DESC OFFSET ${maximumCompared - 1}::int LIMIT 1`;
  return { entries, ...(last && { comparedTo: last.id }) };
}
