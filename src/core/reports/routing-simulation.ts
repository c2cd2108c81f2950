import { setImmediate } from 'node:timers/promises';
import { assertMay, type Caller } from '../base/caller.ts';
import { firstIdAt } from '../base/ids.ts';
import { cents, reaisFromCents } from '../base/money.ts';
import { feeOf } from '../providers/rules/fees/fees.ts';
import { lotOf } from '../routing/routing.ts';
import type { RuleSetService } from '../routing/rule-sets.ts';
import type { RoutedPayment } from './rules/routed-payment.ts';
import type { Reports } from '../../database/reports.ts';
import { type FeeFor, outcomeBefore, reckonAfter, type RoutingOutcome } from './rules/simulate-routing.ts';
import type { StatisticsService } from './statistics.ts';
import { findFees, findPastPayments, type PastPayment } from './store/routed-payments.ts';

interface ShareView {
  credentialId: string | null;
  payments: number;
  /** From 0 to 1, of all payments that were created. */
  share: number;
  failures: number | null;
  /** The sum in BRL of what it takes; null where its fees are not known. */
  fees: number | null;
}

interface OutcomeView {
  shares: ShareView[];
  notCreated: number;
}

interface SimulationView {
  /** Payments of the period on which rules decide. */
  payments: number;
  /** Others, which name their credential, are due on a day, or are debits. */
  leftOut: number;
  /** How many of the period were looked at, of either kind. */
  sampled: number;
  /** Whether these stand for more. */
  isEstimate: boolean;
  /** So few that shares and failures are chance. */
  isTooLittle: boolean;
  before: OutcomeView;
  after: OutcomeView;
}

export interface RoutingSimulation {
  /**
   * What rules would have done with the payments created from `from` to before `to`, at most 92 days: with all of them, or where
   * there are many with a sample that is the same each time.
   */
  simulate(caller: Caller, rules: unknown, from: Date, to: Date): Promise<SimulationView>;
}

interface Dependencies {
  reports: Reports;
  ruleSets: Pick<RuleSetService, 'routingBy'>;
  statistics: Pick<StatisticsService, 'requestedByHour'>;
}

/** With so many, the share of a credential errs by about a percentage point at most. */
const sampleSize = 5_000;
/** A rule set with a hundred entries takes some 20 ms for so many. */
const reckonedAtOnce = 50;
const fewPayments = 100;
const hourMs = 3_600_000;
/** An hour is looked at in so many places, as its payments may begin with a burst. */
const placesPerHour = 4;

interface Span {
  fromId: string;
  toId: string;
  hour: number;
  limit: number;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** Cuts the hours that have payments into places to look at, and says at how many payments of each. */
function spansOf(hours: readonly number[], from: Date, to: Date): Span[] {
  const total = sumOf(hours);
  const start = Math.floor(from.getTime() / hourMs) * hourMs;
  const step = hourMs / placesPerHour;
  const idAt = (ms: number) => firstIdAt(new Date(Math.min(Math.max(ms, from.getTime()), to.getTime())));
  return hours.flatMap((count, hour) =>
    count === 0
      ? []
      : Array.from({ length: placesPerHour }, (_, place) => {
          const begin = start + hour * hourMs + place * step;
          const limit =
            total > sampleSize ? Math.ceil((sampleSize * count) / total / placesPerHour) : sampleSize;
          return { hour, fromId: idAt(begin), toId: idAt(begin + step), limit };
        }).filter(({ fromId, toId }) => fromId < toId),
  );
}

/** How many payments of its hour one that was found stands for. */
function weighing(found: readonly PastPayment[], spans: readonly Span[], hours: readonly number[]) {
  const hourOf = ({ span }: PastPayment) => spans[span]?.hour ?? 0;
  const foundIn = new Map<number, number>();
  for (const payment of found) foundIn.set(hourOf(payment), (foundIn.get(hourOf(payment)) ?? 0) + 1);
  return (payment: PastPayment): number => {
    const hour = hourOf(payment);
    return (hours[hour] ?? 0) / (foundIn.get(hour) ?? 1);
  };
}

const routedOf = (payment: PastPayment, weight: number): RoutedPayment => ({
  amountInCents: cents(payment.amountInCents),
  createdAt: payment.createdAt,
  wasPaid: payment.wasPaid,
  madeBy: payment.hasFailed ? undefined : payment.credentialId,
  lot: lotOf(payment.id),
  payerFields: payment.payerFields,
  attempts: payment.attempts.map(({ credentialId, outcome, error }) => ({
    credentialId,
    outcome,
    skipped: outcome === 'skipped' ? error : null,
  })),
  weight,
});

const rounded = (count: number | null) => (count === null ? null : Math.round(count));

function viewOf({ shares, notCreated }: RoutingOutcome): OutcomeView {
  const all = shares.reduce((sum, { payments }) => sum + payments, 0);
  return {
    notCreated: Math.round(notCreated),
    shares: shares.map(({ credentialId, payments, failures, feesInCents }) => ({
      credentialId,
      payments: Math.round(payments),
      share: all === 0 ? 0 : payments / all,
      failures: rounded(failures),
      fees: feesInCents === null ? null : reaisFromCents(cents(BigInt(Math.round(feesInCents)))),
    })),
  };
}

export function createRoutingSimulation({ reports, ruleSets, statistics }: Dependencies): RoutingSimulation {
  return {
    async simulate(caller, rules, from, to) {
      assertMay(caller, 'rule-sets:read');
      const { organizationId, mode } = caller;
      const routing = await ruleSets.routingBy(caller, rules);
      const hours = await statistics.requestedByHour(caller, from, to);
      const isEstimate = sumOf(hours) > sampleSize;
      const spans = spansOf(hours, from, to);
      // Reckoning takes one of the organization's slots as well, because it takes longer than reading.
      return reports.read(organizationId, async (db) => {
        const found = await findPastPayments(db, { organizationId, mode }, spans);
        const fees = await findFees(db, organizationId);
        const weightOf = isEstimate ? weighing(found, spans, hours) : () => 1;
        const countOf = (payments: readonly PastPayment[]) => Math.round(sumOf(payments.map(weightOf)));
        const isRouted = ({ isRouted: is }: PastPayment) => is;
        const routed = found.filter(isRouted);
        const payments = routed.map((payment) => routedOf(payment, weightOf(payment)));
        const feeFor: FeeFor = (credentialId, { amountInCents }) => {
          const terms = fees.get(credentialId);
          return terms ? feeOf(terms, amountInCents) : null;
        };
        const after = reckonAfter(payments, routing, feeFor);
        for (const [place, payment] of payments.entries()) {
          if (place % reckonedAtOnce === 0) await setImmediate();
          after.add(payment);
        }
        return {
          payments: countOf(routed),
          leftOut: countOf(found.filter((payment) => !isRouted(payment))),
          sampled: found.length,
          isEstimate,
          isTooLittle: routed.length < fewPayments,
          before: viewOf(outcomeBefore(payments, feeFor)),
          after: viewOf(after.outcome()),
        };
      });
    },
  };
}
