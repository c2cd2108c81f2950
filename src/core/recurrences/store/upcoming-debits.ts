import type { Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { tenantValues } from '../../../database/index-range.ts';
import type { Cents } from '../../base/money.ts';
import { addDays, type CalendarDay } from '../../base/time/calendar-day.ts';
import type { Tenant } from '../../payments/store/payments.ts';
import { lastRetryDay } from '../rules/debit.ts';

/** Most debits that are read for a day, of those that the service has sent and of those that it will send. */
export const maximumOfDay = 10_000;

/** A debit of a recurrence that is to come. */
export interface UpcomingDebit {
  on: CalendarDay;
  recurrenceId: string;
  /** Null until the service has sent it. */
  paymentId: string | null;
  amountInCents: Cents;
}

interface Days {
  from: CalendarDay;
  to: CalendarDay;
}

/** The day on which the payer's bank is to be asked next; null while nobody has it asked. */
const nextDay = Prisma.sql`CASE
  WHEN debit ->> 'retryOn' IS NOT NULL THEN debit ->> 'retryOn'
  WHEN json_array_length(debit -> 'attempts') = 0 THEN debit ->> 'dueOn'
  WHEN debit -> 'attempts' -> -1 ->> 'state' IN ('requested', 'scheduled') THEN debit -> 'attempts' -> -1 ->> 'on'
END`;

const daysOf = ({ from, to }: Days): Prisma.Sql =>
  Prisma.sql`generate_series(${from}::text::timestamp, ${to}::text::timestamp, interval '1 day') AS day`;

/** Debits at their provider. A retry comes after the due date. The order is that of the index, so that no other one fits. */
function sentDebits(tenant: Tenant, { from, to }: Days): Prisma.Sql {
  const [organizationId, mode] = tenantValues(tenant);
  return Prisma.sql`
    SELECT ${nextDay} AS "on", recurrence_id, id AS payment_id, amount_in_cents
    FROM ${daysOf({ from: addDays(from, -lastRetryDay), to })}, LATERAL (
      SELECT id, recurrence_id, amount_in_cents, debit FROM payment
      WHERE organization_id = ${organizationId} AND mode = ${mode} AND due_date = day::date
        AND recurrence_id IS NOT NULL AND status = 'pending'
      ORDER BY organization_id, mode, due_date, id LIMIT ${maximumOfDay}::int) AS p
    WHERE ${nextDay} BETWEEN ${from} AND ${to}`;
}

/** Debits that the service will make on the day that `cycleOn` stands for. */
function plannedDebits(tenant: Tenant, days: Prisma.Sql, cycleOn: Prisma.Sql, only: Prisma.Sql): Prisma.Sql {
  const [organizationId, mode] = tenantValues(tenant);
  return Prisma.sql`
    SELECT to_char(day, 'YYYY-MM-DD') AS "on", r.id, NULL::uuid, amount_in_cents
    FROM ${days}, LATERAL (
      SELECT id, amount_in_cents FROM recurrence
      WHERE organization_id = ${organizationId} AND mode = ${mode} AND status = 'active'
        AND next_debit_on = to_char(${cycleOn}, 'YYYY-MM-DD') ${only}
        AND (end_date IS NULL OR end_date >= to_char(day, 'YYYY-MM-DD'))
      ORDER BY organization_id, mode, next_debit_on, frequency, id LIMIT ${maximumOfDay}::int) AS r`;
}

/** Within four weeks, only what is weekly comes more than once. */
const upcomingDebits = (tenant: Tenant, days: Days): Prisma.Sql => Prisma.sql`
  SELECT DISTINCT ON ("on", recurrence_id) "on", recurrence_id, payment_id, amount_in_cents FROM (
    ${sentDebits(tenant, days)}
    UNION ALL
    ${plannedDebits(tenant, daysOf(days), Prisma.sql`day`, Prisma.empty)}
    UNION ALL
    ${plannedDebits(
      tenant,
      Prisma.sql`${daysOf(days)}, generate_series(1, 3) AS week`,
      Prisma.sql`day - week * interval '7 days'`,
      Prisma.sql`AND frequency = 'weekly'`,
    )}) AS u
  ORDER BY "on", recurrence_id, payment_id`;

/** The days of at most four weeks that have debits, in order. */
export const sumUpcomingDebits = (
  db: Queryable,
  tenant: Tenant,
  days: Days,
): Promise<{ on: CalendarDay; count: number; amountInCents: Cents }[]> =>
  db.$queryRaw`
    SELECT "on", count(*)::int AS count, sum(amount_in_cents)::bigint AS "amountInCents"
    FROM (${upcomingDebits(tenant, days)}) AS d GROUP BY "on" ORDER BY "on"`;

/** The debits of a day, those of the newest recurrences first. */
export const listUpcomingDebits = (
  db: Queryable,
  tenant: Tenant,
  { on, beforeId, limit }: { on: CalendarDay; beforeId: string | undefined; limit: number },
): Promise<UpcomingDebit[]> =>
  db.$queryRaw`
    SELECT "on", recurrence_id AS "recurrenceId", payment_id AS "paymentId", amount_in_cents AS "amountInCents"
    FROM (${upcomingDebits(tenant, { from: on, to: on })}) AS d
    WHERE ${beforeId ?? null}::uuid IS NULL OR recurrence_id < ${beforeId ?? null}::uuid
    ORDER BY recurrence_id DESC LIMIT ${limit}::int`;
