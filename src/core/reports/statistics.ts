import { badRequest } from '../base/errors.ts';
import { firstIdAt } from '../base/ids.ts';
import { cents, reaisFromCents } from '../base/money.ts';
import { problem } from '../base/problems/rules.ts';
import { addPayTimes, medianSeconds, type PayTimes } from './rules/pay-time.ts';
import { type CountedPayments, countPayments, type StatisticsRange } from './store/payment-statistics.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { createSingleFlight } from '../base/pacing/single-flight.ts';
import type { Reports } from '../../database/reports.ts';

interface Counts {
  /** Payments that could be paid. */
  created: number;
  /** Payments for which no provider made a charge. */
  failed: number;
  completed: number;
  /** Amount paid in BRL, including what left again later. */
  volume: number;
  /** Given back, in BRL. */
  refunded: number;
  /** Taken back by the special refund mechanism or chargebacks, in BRL. */
  reversed: number;
  /** Errs by 4.5 % at most above one second. */
  medianSecondsToPay: number | null;
}

export interface StatisticsView extends Counts {
  /** Share of completed payments among all that were requested, failed ones included; from 0 to 1. */
  conversion: number;
  /** Consecutive, so that empty ones are included. */
  buckets: ({ start: Date } & Counts)[];
}

export interface StatisticsService {
  /** Payments created from `from` to before `to`, at most 92 days. */
  forPeriod(caller: Caller, from: Date, to: Date): Promise<StatisticsView>;
  /** Counts those of the same payments that have been paid, by hour: the first is the whole hour in which the period begins. */
  paidByHour(caller: Caller, from: Date, to: Date): Promise<number[]>;
  /** Counts all of them by the same hours, failed ones included; of the first hour no more than is in the period. */
  requestedByHour(caller: Caller, from: Date, to: Date): Promise<number[]>;
}

const hourSeconds = 3_600;
const daySeconds = 86_400;
const hourMs = hourSeconds * 1000;

/** Exact as long as none of the payments has been aggregated. */
function medianOf(
  { completed, exactCount, exactMedianSeconds }: CountedPayments,
  times: PayTimes,
): number | null {
  return exactCount === completed ? exactMedianSeconds : medianSeconds(times);
}

function timesOf(rows: readonly CountedPayments[]): PayTimes {
  const times: PayTimes = new Map();
  for (const { paySteps, payCounts } of rows) addPayTimes(times, paySteps ?? [], payCounts ?? []);
  return times;
}

const countsOf = (row: CountedPayments | undefined, rows: readonly CountedPayments[]): Counts => ({
  created: row?.created ?? 0,
  failed: row?.failed ?? 0,
  completed: row?.completed ?? 0,
  volume: reaisFromCents(cents(row?.volumeInCents ?? 0)),
  refunded: reaisFromCents(cents((row?.refundedInCents ?? 0n) - (row?.reversedInCents ?? 0n))),
  reversed: reaisFromCents(cents(row?.reversedInCents ?? 0)),
  medianSecondsToPay: row ? medianOf(row, timesOf(rows)) : null,
});

/** Hourly up to two days, otherwise daily. */
function bucketsOf(from: Date, to: Date): { bucketSeconds: number; count: number } {
  const seconds = (to.getTime() - from.getTime()) / 1000;
  if (seconds <= 0) throw badRequest('from must be before to', problem('from', 'not_after', { other: 'to' }));
  if (seconds > 92 * daySeconds)
    throw badRequest(
      'from and to must be at most 92 days apart',
      problem('from', 'max_days', { maximum: 92 }),
    );
  const bucketSeconds = seconds <= 2 * daySeconds ? hourSeconds : daySeconds;
  return { bucketSeconds, count: Math.ceil(seconds / bucketSeconds) };
}

/**
 * Hours in which the period or a bucket starts or ends part-way are counted payment by payment, for example
 * where local midnight falls on a half hour.
 */
export function rangeOf(from: Date, to: Date, bucketSeconds: number, count: number): StatisticsRange {
  const [start, end] = [from.getTime(), to.getTime()];
  const floor = (ms: number) => Math.floor(ms / hourMs) * hourMs;
  const edges = Array.from({ length: count }, (_, bucket) => start + bucket * bucketSeconds * 1000).concat(
    end,
  );
  const cutHours = [...new Set(edges.filter((edge) => edge % hourMs !== 0).map(floor))];
  const cuts: { from: number; to: number }[] = [];
  for (const hour of cutHours) {
    const cut = { from: Math.max(start, hour), to: Math.min(end, hour + hourMs) };
    const last = cuts.at(-1);
    if (last?.to === cut.from) last.to = cut.to;
    else cuts.push(cut);
  }
  const idAt = (ms: number) => firstIdAt(new Date(ms));
  return {
    from,
    fromId: idAt(start),
    toId: idAt(end),
    bucketSeconds,
    firstHour: new Date(Math.ceil(start / hourMs) * hourMs),
    lastHour: new Date(floor(end)),
    cutHours: cutHours.map((hour) => new Date(hour)),
    cuts: cuts.map((cut) => ({ fromId: idAt(cut.from), toId: idAt(cut.to) })),
  };
}

const requestedOf = (counted: Pick<Counts, 'created' | 'failed'> | undefined): number =>
  counted ? counted.created + counted.failed : 0;

export function createStatisticsService({ reports }: { reports: Reports }): StatisticsService {
  const once = createSingleFlight<StatisticsView>();
  const hoursOnce = createSingleFlight<(CountedPayments | undefined)[]>();

  async function read({ organizationId, mode }: Caller, from: Date, to: Date): Promise<StatisticsView> {
    const { bucketSeconds, count } = bucketsOf(from, to);
    const range = rangeOf(from, to, bucketSeconds, count);
    const rows = await reports.read(organizationId, (db) =>
      countPayments(db, { organizationId, mode }, range),
    );
    const byBucket = new Map(rows.map((row) => [row.bucket, row]));
    const all = countsOf(byBucket.get(null), rows);
    const requested = all.created + all.failed;
    return {
      ...all,
      conversion: requested === 0 ? 0 : all.completed / requested,
      buckets: Array.from({ length: count }, (_, bucket) => {
        const row = byBucket.get(bucket);
        return {
          start: new Date(from.getTime() + bucket * bucketSeconds * 1000),
          ...countsOf(row, row ? [row] : []),
        };
      }),
    };
  }

  async function readHours({ organizationId, mode }: Caller, from: Date, to: Date) {
    bucketsOf(from, to);
    // Other hours would have to be counted payment by payment.
    const start = new Date(Math.floor(from.getTime() / hourMs) * hourMs);
    const count = Math.ceil((to.getTime() - start.getTime()) / hourMs);
    const range = rangeOf(start, to, hourSeconds, count);
    const rows = await reports.read(organizationId, (db) =>
      countPayments(db, { organizationId, mode }, range),
    );
    const byHour = new Map(rows.map((row) => [row.bucket, row]));
    return Array.from({ length: count }, (_, hour) => byHour.get(hour));
  }

  const nameOf = ({ organizationId, mode }: Caller, from: Date, to: Date) =>
    [organizationId, mode, from.getTime(), to.getTime()].join(' ');

  return {
    async forPeriod(caller, from, to) {
      assertMay(caller, 'payments:investigate');
      return once(nameOf(caller, from, to), () => read(caller, from, to));
    },

    async paidByHour(caller, from, to) {
      assertMay(caller, 'payments:investigate');
      const hours = await hoursOnce(nameOf(caller, from, to), () => readHours(caller, from, to));
      return hours.map((hour) => hour?.completed ?? 0);
    },

    async requestedByHour(caller, from, to) {
      assertMay(caller, 'payments:investigate');
      const hours = await hoursOnce(nameOf(caller, from, to), () => readHours(caller, from, to));
      const requested = hours.map((hour) => requestedOf(hour));
      if (from.getTime() % hourMs === 0) return requested;
      const endOfFirst = Math.ceil(from.getTime() / hourMs) * hourMs;
      const first = await read(caller, from, new Date(Math.min(endOfFirst, to.getTime())));
      return [requestedOf(first), ...requested.slice(1)];
    },
  };
}
