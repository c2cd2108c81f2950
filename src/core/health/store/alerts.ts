import type { AlertKind, Condition, Severity } from '../rules/conditions.ts';
import type { Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { failedByOurFault } from '../../payments/store/debits.ts';
import type { Tenant } from '../../payments/store/payments.ts';

/** Stands in for the organization as a whole, so that one unique index serves all alerts. */
const noSubject = '00000000-0000-0000-0000-000000000000';

export interface Alert extends Tenant {
  id: string;
  kind: AlertKind;
  severity: Severity;
  /** Null if the alert is about the organization as a whole. */
  subjectId: string | null;
  /** The condition as it was when the alert was last told. */
  condition: Condition;
  openedAt: Date;
  /** When the condition was first found gone; null while it lasts. */
  clearSince: Date | null;
  closedAt: Date | null;
}

type Row = Omit<Alert, 'condition' | 'subjectId'> & { condition: unknown; subjectId: string };

const columns = Prisma.sql`id, organization_id AS "organizationId", mode, kind, severity, subject_id AS "subjectId",
  condition, opened_at AS "openedAt", clear_since AS "clearSince", closed_at AS "closedAt"`;

/** JSON has no instants, so this one is text. */
type StoredCondition = Omit<Condition, 'since'> & { since: string | null };

const conditionOf = ({ since, ...condition }: StoredCondition): Condition => ({
  ...condition,
  since: since === null ? null : new Date(since),
});

const alertOf = ({ subjectId, condition, ...row }: Row): Alert => ({
  ...row,
  condition: conditionOf(condition as StoredCondition),
  subjectId: subjectId === noSubject ? null : subjectId,
});

const tenantIs = ({ organizationId, mode }: Tenant) =>
  Prisma.sql`organization_id = ${organizationId}::uuid AND mode = ${mode}::"Mode"`;

/** Oldest first. */
export async function listOpenAlerts(db: Queryable, tenant: Tenant): Promise<Alert[]> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT ${columns} FROM alert WHERE ${tenantIs(tenant)} AND closed_at IS NULL ORDER BY id`;
  return rows.map(alertOf);
}

/** Newest first, open or closed. */
export async function listAlerts(db: Queryable, tenant: Tenant, limit: number): Promise<Alert[]> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT ${columns} FROM alert WHERE ${tenantIs(tenant)} ORDER BY organization_id DESC, mode DESC, id DESC
    LIMIT ${limit}`;
  return rows.map(alertOf);
}

/** False if another node has opened it. */
export async function insertAlert(
  tx: Queryable,
  { id, organizationId, mode, kind, severity, subjectId, condition, openedAt }: Alert,
): Promise<boolean> {
  const inserted = await tx.$executeRaw`
    INSERT INTO alert (id, organization_id, mode, kind, severity, subject_id, condition, opened_at)
    VALUES (${id}::uuid, ${organizationId}::uuid, ${mode}::"Mode", ${kind}, ${severity},
      ${subjectId ?? noSubject}::uuid, ${JSON.stringify(condition)}::jsonb, ${openedAt})
    ON CONFLICT (organization_id, mode, kind, subject_id) WHERE closed_at IS NULL DO NOTHING`;
  return inserted === 1;
}

/** Notes when the condition was first found gone; null if it is back. */
export async function noteClear(db: Queryable, id: string, clearSince: Date | null): Promise<void> {
  await db.alert.updateMany({ where: { id, closedAt: null }, data: { clearSince } });
}

/** False if another node has noted it, or closed the alert. */
export async function noteUrgency(tx: Queryable, id: string, condition: Condition): Promise<boolean> {
  const noted = await tx.$executeRaw`
    UPDATE alert SET condition = ${JSON.stringify(condition)}::jsonb, severity = ${condition.severity}
    WHERE id = ${id}::uuid AND closed_at IS NULL AND coalesce(condition ->> 'urgentSince', '') < ${condition.urgentSince}`;
  return noted === 1;
}

/** False if another node has closed it, or found its condition again. */
export async function closeAlert(
  tx: Queryable,
  { id, clearSince }: Pick<Alert, 'id' | 'clearSince'>,
  closedAt: Date,
): Promise<boolean> {
  const closed = await tx.alert.updateMany({ where: { id, closedAt: null, clearSince }, data: { closedAt } });
  return closed.count === 1;
}

interface Watched {
  now: Date;
  /** Calls that failed since then. */
  failuresFrom: Date;
  /** Notifications that did not come since then. */
  missedFrom: Date;
  /** Certificates that expire before. */
  certificatesBefore: Date;
  /** Ids of debits that failed by our fault from this one on. */
  ourFaultsFromId: string;
  /** Deadlines of defences up to then. */
  defencesUntil: Date;
  /** Days of books from this one on. */
  booksFrom: string;
  /** Endpoints whose deliveries wait. */
  waitingEndpointIds: string[];
}

/**
 * Organizations and modes in which an alert may have to be opened or closed. Each part reads an index that has troubled rows
 * alone, so that the cost grows with trouble and not with organizations. Rows are looked up in arrays, because the planner
 * would rather read all credentials than join those that it thinks many.
 */
export const listTroubledTenants = (
  db: Queryable,
  {
    now,
    failuresFrom,
    missedFrom,
    certificatesBefore,
    ourFaultsFromId,
    defencesUntil,
    booksFrom,
    waitingEndpointIds,
  }: Watched,
): Promise<Tenant[]> =>
  db.$queryRaw`
    SELECT organization_id AS "organizationId", mode FROM alert WHERE closed_at IS NULL
    UNION
    SELECT organization_id, 'live' FROM credential WHERE enabled AND id = ANY(ARRAY(
      SELECT credential_id FROM credential_health WHERE last_outage_at >= ${failuresFrom}
      UNION ALL
      SELECT credential_id FROM credential_health WHERE failed_at >= ${failuresFrom}
      UNION ALL
      SELECT credential_id FROM credential_health
      WHERE refused_at IS NOT NULL AND refused_at > coalesce(succeeded_at, '-infinity')
      UNION ALL
      SELECT credential_id FROM credential_traffic WHERE missed_at > notified_at AND missed_at >= ${missedFrom}))
    UNION
    SELECT organization_id, 'live' FROM credential
    WHERE enabled AND certificate_expires_at IS NOT NULL AND certificate_expires_at < ${certificatesBefore}
    UNION
    SELECT organization_id, mode FROM webhook_endpoint
    WHERE (failing_since IS NOT NULL OR disabled_reason IS NOT NULL) AND deleted_at IS NULL
      AND CASE WHEN enabled THEN failing_since IS NOT NULL ELSE disabled_reason IS NOT NULL END
    UNION
    SELECT organization_id, mode FROM webhook_endpoint WHERE enabled AND id = ANY(${waitingEndpointIds}::uuid[])
    UNION
    SELECT organization_id, 'live' FROM credential WHERE id = ANY(ARRAY(
      SELECT credential_id FROM refund WHERE status = 'pending' AND pending_reason IS NOT NULL))
    UNION
    SELECT organization_id, mode FROM payment WHERE id >= ${ourFaultsFromId}::uuid AND ${failedByOurFault}
    UNION
    SELECT organization_id, mode FROM dispute WHERE state = 'open' AND answer IS NULL
      AND defence_until > ${now} AND defence_until <= ${defencesUntil}
    UNION
    SELECT organization_id, mode FROM statement_day WHERE difference_count > 0
    UNION
    SELECT organization_id, mode FROM statement_day WHERE next_check_at IS NOT NULL AND problem IS NOT NULL
      AND day >= ${booksFrom}::date`;

export async function findAlert(
  db: Queryable,
  id: string,
): Promise<(Alert & { organizationName: string }) | undefined> {
  const [row] = await db.$queryRaw<(Row & { organizationName: string })[]>`
    SELECT a.*, o.name AS "organizationName" FROM (SELECT ${columns} FROM alert WHERE id = ${id}::uuid) AS a
    JOIN organization o ON o.id = a."organizationId"`;
  return row && { ...alertOf(row), organizationName: row.organizationName };
}

/** Deletes some alerts with ids before this one that are closed, with their e-mails; returns how many. */
export async function deleteAlerts(db: Queryable, beforeId: string, limit: number): Promise<number> {
  const [deleted] = await db.$queryRaw<{ count: number }[]>`
    WITH old AS MATERIALIZED (
      SELECT id FROM alert WHERE id < ${beforeId}::uuid AND closed_at IS NOT NULL ORDER BY id LIMIT ${limit}::int),
    emails AS (DELETE FROM alert_email WHERE alert_id IN (SELECT id FROM old)),
    alerts AS (DELETE FROM alert WHERE id IN (SELECT id FROM old))
    SELECT count(*)::int AS count FROM old`;
  return deleted?.count ?? 0;
}
