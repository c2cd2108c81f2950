import type { AlertKind, Condition, Severity } from '../rules/conditions.ts';
import type { Mode } from '../../base/mode.ts';
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

/** False if another node has closed it. */
export async function closeAlert(tx: Queryable, id: string, closedAt: Date): Promise<boolean> {
  return (await tx.alert.updateMany({ where: { id, closedAt: null }, data: { closedAt } })).count === 1;
}

interface Watched {
  /** The last of the page before; null for the first. */
  after: Tenant | null;
  limit: number;
  now: Date;
  /** Outages and refusals since then. */
  outagesFrom: Date;
  /** Certificates that expire before. */
  certificatesBefore: Date;
  /** Ids of debits that failed by our fault from this one on. */
  ourFaultsFromId: string;
  /** Deadlines of defences up to then. */
  defencesUntil: Date;
  /** Days of books from this one on. */
  booksFrom: string;
}

/**
 * Organizations and modes in which an alert may have to be opened or closed, in order. There are indexes of troubled rows, so
 * that healthy ones are not read; credentials are, but they are few.
 */
export const listTroubledTenants = (
  db: Queryable,
  { after, limit, now, outagesFrom, certificatesBefore, ourFaultsFromId, defencesUntil, booksFrom }: Watched,
): Promise<{ organizationId: string; mode: Mode }[]> =>
  db.$queryRaw`
    SELECT * FROM (
    SELECT organization_id AS "organizationId", mode FROM alert WHERE closed_at IS NULL
    UNION
    SELECT c.organization_id, 'live' FROM credential c
    LEFT JOIN credential_health h ON h.credential_id = c.id
    LEFT JOIN credential_traffic t ON t.credential_id = c.id
    WHERE c.enabled AND (h.last_outage_at >= ${outagesFrom} OR h.failed_at >= ${outagesFrom}
      OR h.refused_at > coalesce(h.succeeded_at, '-infinity') OR t.missed_at > t.notified_at
      OR c.certificate_expires_at < ${certificatesBefore})
    UNION
    SELECT organization_id, mode FROM webhook_endpoint
    WHERE deleted_at IS NULL AND CASE WHEN enabled THEN failing_since IS NOT NULL ELSE disabled_reason IS NOT NULL END
    UNION
    SELECT c.organization_id, 'live' FROM refund r JOIN credential c ON c.id = r.credential_id
    WHERE r.status = 'pending' AND r.pending_reason IS NOT NULL
    UNION
    SELECT o.id, m.mode FROM organization o, unnest(enum_range(NULL::"Mode")) AS m(mode)
    WHERE EXISTS (SELECT FROM payment WHERE organization_id = o.id AND payment.mode = m.mode
      AND payment.id >= ${ourFaultsFromId}::uuid AND ${failedByOurFault})
    UNION
    SELECT organization_id, mode FROM dispute WHERE state = 'open' AND answer IS NULL
      AND defence_until > ${now} AND defence_until <= ${defencesUntil}
    UNION
    SELECT organization_id, mode FROM statement_day WHERE difference_count > 0
    UNION
    SELECT organization_id, mode FROM statement_day WHERE next_check_at IS NOT NULL AND problem IS NOT NULL
      AND day >= ${booksFrom}::date
    UNION
    SELECT organization_id, mode FROM webhook_endpoint WHERE enabled AND EXISTS (
      SELECT FROM webhook_delivery WHERE endpoint_id = webhook_endpoint.id AND next_attempt_at IS NOT NULL
        AND next_attempt_at <= ${now}::timestamptz - interval '1 minute')) AS troubled
    WHERE ("organizationId", mode) > (${after?.organizationId ?? noSubject}::uuid, ${after?.mode ?? 'test'}::"Mode")
    ORDER BY 1, 2 LIMIT ${limit}::int`;

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
