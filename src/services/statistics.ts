import { badRequest } from '../domain/errors.ts';
import { firstIdAt } from '../domain/ids.ts';
import { cents, reaisFromCents } from '../domain/money.ts';
import type { Database } from '../persistence/database.ts';
import { type CountedPayments, countPayments } from '../persistence/payment-statistics.ts';
import { assertMay, type Caller } from './caller.ts';

interface Counts {
  /** Payments that somebody could pay. */
  created: number;
  completed: number;
  /** What was paid, in BRL, also what was given back later. */
  volume: number;
  /** What was given back of it, in BRL. */
  refunded: number;
  medianSecondsToPay: number | null;
}

export interface StatisticsView extends Counts {
  /** 0 to 1. */
  conversion: number;
  /** Without gaps. */
  buckets: ({ start: Date } & Counts)[];
}

export interface StatisticsService {
  /** Of the payments created from `from` until before `to`, at most 92 days. */
  of(caller: Caller, from: Date, to: Date): Promise<StatisticsView>;
}

const hourSeconds = 3_600;
const daySeconds = 86_400;

const countsOf = (row: CountedPayments | undefined): Counts => ({
  created: row?.created ?? 0,
  completed: row?.completed ?? 0,
  volume: reaisFromCents(cents(row?.volumeInCents ?? 0)),
  refunded: reaisFromCents(cents(row?.refundedInCents ?? 0)),
  medianSecondsToPay: row?.medianSecondsToPay ?? null,
});

/** In hours up to two days, else in days. */
function bucketsOf(from: Date, to: Date): { bucketSeconds: number; count: number } {
  const seconds = (to.getTime() - from.getTime()) / 1000;
  if (seconds <= 0) throw badRequest('from must be before to');
  if (seconds > 92 * daySeconds) throw badRequest('from and to must be at most 92 days apart');
  const bucketSeconds = seconds <= 2 * daySeconds ? hourSeconds : daySeconds;
  return { bucketSeconds, count: Math.ceil(seconds / bucketSeconds) };
}

export function createStatisticsService({ db }: { db: Database }): StatisticsService {
  return {
    async of(caller, from, to) {
      assertMay(caller, 'payments:investigate');
      const { bucketSeconds, count } = bucketsOf(from, to);
      const range = { from, fromId: firstIdAt(from), toId: firstIdAt(to), bucketSeconds };
      const rows = await countPayments(db, caller, range);
      const byBucket = new Map(rows.map((row) => [row.bucket, row]));
      const all = countsOf(byBucket.get(null));
      return {
        ...all,
        conversion: all.created === 0 ? 0 : all.completed / all.created,
        buckets: Array.from({ length: count }, (_, bucket) => ({
          start: new Date(from.getTime() + bucket * bucketSeconds * 1000),
          ...countsOf(byBucket.get(bucket)),
        })),
      };
    },
  };
}
