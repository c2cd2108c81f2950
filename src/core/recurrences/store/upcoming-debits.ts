import type { Queryable } from '../../../database/database.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { newestRange, tenantValues } from '../../../database/index-range.ts';
import type { Cents } from '../../base/money.ts';
import { addDays, type CalendarDay } from '../../base/time/calendar-day.ts';
import type { Tenant } from '../../payments/store/payments.ts';
import { lastRetryDay } from '../rules/debit.ts';
import { frequencies } from '../rules/recurrence.ts';

/** Most debits that are counted for a day, of those that the service has sent and of each frequency that it will send. */
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

/** From the newest recurrence on, in each range of an index. */
interface Part {
  beforeId: string | undefined;
  limit: number;
}

/** The day on which the payer's bank is to be asked next; null while nobody has it asked. */
const nextDay = Prisma.sql`CASE
  WHEN debit ->> 'retryOn' IS NOT NULL THEN debit ->> 'retryOn'
  WHEN json_array_length(debit -> 'attempts') = 0 THEN debit ->> 'dueOn'
  WHEN debit -> 'attempts' -> -1 ->> 'state' IN ('requested', 'scheduled') THEN debit -> 'attempts' -> -1 ->> 'on'
END`;

const daysOf = ({ from, to }: Days): Prisma.Sql =>
  Prisma.sql`generate_series(${from}::text::timestamp, ${to}::text::timestamp, interval '1 day') AS day`;

/** Debits at their provider. A retry comes after the due date. */
function sentDebits(tenant: Tenant, { from, to }: Days, { limit, ...bounds }: Part): Prisma.Sql {
  const columns = ['organization_id', 'mode', 'due_date', 'recurrence_id'];
  const values = [...tenantValues(tenant), Prisma.sql`day::date`];
  const { condition, inOrder } = newestRange(columns, values, bounds);
  return Prisma.sql`
    SELECT "on", recurrence_id, payment_id, amount_in_cents
    FROM ${daysOf({ from: addDays(from, -lastRetryDay), to })}, LATERAL (
      SELECT ${nextDay} AS "on", id AS payment_id, recurrence_id, amount_in_cents FROM payment
      WHERE ${condition} AND recurrence_id IS NOT NULL AND status = 'pending'
        AND ${nextDay} BETWEEN ${from} AND ${to}
      ORDER BY ${inOrder} LIMIT ${limit}::int) AS p`;
}

/** Debits that the service will make. Within four weeks, only what is weekly comes more than once. */
function plannedDebits(tenant: Tenant, days: Days, { limit, ...bounds }: Part): Prisma.Sql {
  const columns = ['organization_id', 'mode', 'next_debit_on', 'frequency', 'id'];
  const cycle = Prisma.sql`to_char(day - week * interval '7 days', 'YYYY-MM-DD')`;
  const values = [...tenantValues(tenant), cycle, Prisma.sql`every`];
  const { condition, inOrder } = newestRange(columns, values, bounds);
  return Prisma.sql`
    SELECT to_char(day, 'YYYY-MM-DD') AS "on", r.id, NULL::uuid, amount_in_cents
    FROM ${daysOf(days)}, unnest(${[...frequencies]}::text[]) AS every, generate_series(0, 3) AS week, LATERAL (
      SELECT id, amount_in_cents FROM recurrence
      WHERE ${condition} AND status = 'active' AND (end_date IS NULL OR end_date >= to_char(day, 'YYYY-MM-DD'))
      ORDER BY ${inOrder} LIMIT ${limit}::int) AS r
    WHERE week = 0 OR every = 'weekly'`;
}

const upcomingDebits = (tenant: Tenant, days: Days, part: Part): Prisma.Sql => Prisma.sql`
  SELECT DISTINCT ON ("on", recurrence_id) "on", recurrence_id, payment_id, amount_in_cents FROM (
    ${sentDebits(tenant, days, part)}
    UNION ALL
    ${plannedDebits(tenant, days, part)}) AS u
  ORDER BY "on", recurrence_id, payment_id`;

/** The days of at most four weeks that have debits, in order. */
export const sumUpcomingDebits = (
  db: Queryable,
  tenant: Tenant,
  days: Days,
): Promise<{ on: CalendarDay; count: number; amountInCents: Cents }[]> =>
  db.$queryRaw`
    SELECT "on", count(*)::int AS count, sum(amount_in_cents)::bigint AS "amountInCents"
    FROM (${upcomingDebits(tenant, days, { beforeId: undefined, limit: maximumOfDay })}) AS d
    GROUP BY "on" ORDER BY "on"`;

/** The debits of a day, those of the newest recurrences first. */
export const listUpcomingDebits = (
  db: Queryable,
  tenant: Tenant,
  { on, ...part }: { on: CalendarDay } & Part,
): Promise<UpcomingDebit[]> =>
  db.$queryRaw`
    SELECT "on", recurrence_id AS "recurrenceId", payment_id AS "paymentId", amount_in_cents AS "amountInCents"
    FROM (${upcomingDebits(tenant, { from: on, to: on }, part)}) AS d
    ORDER BY recurrence_id DESC LIMIT ${part.limit}::int`;
