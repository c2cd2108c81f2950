import type { Cents } from '../../base/money.ts';
import type { AttemptOutcome } from '../../payments/rules/payment.ts';
import type { RoutingBy } from '../../routing/rules/routing.ts';
import { askedBy, type RoutedPayment } from './routed-payment.ts';

interface RoutedShare {
  credentialId: string | null;
  payments: number;
  /** Attempts that made no charge; null where too little is known of the credential. */
  failures: number | null;
  /** Null unless the fees are known of all payments that were paid. */
  feesInCents: number | null;
}

export interface RoutingOutcome {
  shares: RoutedShare[];
  /** Payments for which nobody made a charge. */
  notCreated: number;
}

/** What a credential takes of a payment; null where that is not known. */
export type FeeFor = (credentialId: string, payment: RoutedPayment) => Cents | null;

const failures: readonly AttemptOutcome[] = ['rejected', 'not_sent', 'unknown', 'not_created'];

const hasFailed = ({ outcome }: { outcome: AttemptOutcome }) => failures.includes(outcome);

/**
 * The attempt that ended a payment although candidates were left: its provider refused the payer, whom the others would refuse
 * too.
 */
const refusalOf = ({ madeBy, attempts }: RoutedPayment) =>
  madeBy === undefined && attempts.some(({ outcome }) => outcome === 'planned')
    ? attempts.findLast(hasFailed)
    : undefined;

/**
 * What a credential did with a payment, or surely would have done: a payer whom one provider refused is refused by those that
 * were not asked. Undefined where only its average tells.
 */
function resultAt(
  payment: RoutedPayment,
  credentialId: string | null,
): 'created' | 'failed' | 'refused' | undefined {
  const tried = payment.attempts.find(
    (attempt) =>
      attempt.credentialId === credentialId && (attempt.outcome === 'created' || hasFailed(attempt)),
  );
  const refusal = refusalOf(payment);
  if (refusal !== undefined && (tried === undefined || tried === refusal)) return 'refused';
  if (tried === undefined) return undefined;
  return hasFailed(tried) ? 'failed' : 'created';
}

/** With fewer attempts, a credential's failures are chance. */
const leastAttempts = 20;

function tallyOutcome(feeFor: FeeFor) {
  const shares = new Map<string | null, RoutedShare>();
  let notCreated = 0;
  const shareOf = (credentialId: string | null): RoutedShare => {
    const known = shares.get(credentialId) ?? { credentialId, payments: 0, failures: 0, feesInCents: 0 };
    shares.set(credentialId, known);
    return known;
  };
  return {
    took(credentialId: string | null, payment: RoutedPayment, count: number): void {
      const share = shareOf(credentialId);
      share.payments += count;
      const fee = credentialId === null ? null : feeFor(credentialId, payment);
      const charged = payment.wasPaid ? Number(fee) * count : 0;
      share.feesInCents = fee === null || share.feesInCents === null ? null : share.feesInCents + charged;
    },
    failed(credentialId: string | null, count: number | null): void {
      const share = shareOf(credentialId);
      share.failures = count === null || share.failures === null ? null : share.failures + count;
    },
    lost(count: number): void {
      notCreated += count;
    },
    outcome: (): RoutingOutcome => ({
      shares: [...shares.values()].sort((one, other) => other.payments - one.payments),
      notCreated,
    }),
  };
}

/** The share of its attempts that each credential failed, of those with enough attempts. */
function failureRates(payments: readonly RoutedPayment[]): Map<string | null, number> {
  const counts = new Map<string | null, { attempts: number; tried: number; failed: number }>();
  for (const { attempts, weight } of payments) {
    for (const attempt of attempts) {
      const { credentialId, outcome } = attempt;
      if (!hasFailed(attempt) && outcome !== 'created') continue;
      const count = counts.get(credentialId) ?? { attempts: 0, tried: 0, failed: 0 };
      count.attempts += 1;
      count.tried += weight;
      if (hasFailed(attempt)) count.failed += weight;
      counts.set(credentialId, count);
    }
  }
  return new Map(
    [...counts]
      .filter(([, { attempts }]) => attempts >= leastAttempts)
      .map(([id, { tried, failed }]) => [id, failed / tried]),
  );
}

/** What really happened to the payments. */
export function outcomeBefore(payments: readonly RoutedPayment[], feeFor: FeeFor): RoutingOutcome {
  const tally = tallyOutcome(feeFor);
  for (const payment of payments) {
    for (const attempt of payment.attempts.filter(hasFailed))
      tally.failed(attempt.credentialId, payment.weight);
    if (payment.madeBy === undefined) tally.lost(payment.weight);
    else tally.took(payment.madeBy, payment, payment.weight);
  }
  return tally.outcome();
}

interface Reckoning {
  /** Takes a while, where there are many rules. */
  add(payment: RoutedPayment): void;
  outcome(): RoutingOutcome;
}

/**
 * What would have happened to payments by these rules. A credential that a payment tried does as it did then, and another one as
 * it did for all `payments` on average.
 */
export function reckonAfter(
  payments: readonly RoutedPayment[],
  routing: RoutingBy,
  feeFor: FeeFor,
): Reckoning {
  const tally = tallyOutcome(feeFor);
  const rates = failureRates(payments);

  return {
    add(payment) {
      let left = payment.weight;
      for (const { credentialId } of askedBy(routing, payment)) {
        if (left === 0) break;
        const result = resultAt(payment, credentialId);
        const rate = result === undefined ? rates.get(credentialId) : Number(result !== 'created');
        const failed = left * (rate ?? 0);
        tally.failed(credentialId, rate === undefined ? null : failed);
        tally.took(credentialId, payment, left - failed);
        left = failed;
        if (result === 'refused') break;
      }
      tally.lost(left);
    },

    outcome: tally.outcome,
  };
}
