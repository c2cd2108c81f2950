import { callOutcomes, type CallObserver, type CallOutcome, isEssential, isOutage } from './calls.ts';
import { latencyStep, noLatencies } from './latencies.ts';

export type OutcomeCounts = Record<CallOutcome, number>;

/** The calls of a minute or an hour. */
export interface CallSum {
  credentialId: string;
  operation: string;
  seconds: number;
  startsAt: Date;
  outcomes: OutcomeCounts;
  /** Only calls that reached the PSP have one. */
  latencies: number[];
}

/** What the essential calls of a credential have shown last. */
export interface AccountNews {
  credentialId: string;
  /** The PSP did what was asked. */
  succeededAt: Date | null;
  /** The PSP responded, whatever its response was. */
  answeredAt: Date | null;
  /** Outages since it last responded, and when they began. */
  outages: number;
  outagesSince: Date | null;
  lastOutageAt: Date | null;
  failure: { at: Date; operation: string; outcome: CallOutcome; reason: string; message: string } | null;
  refusal: { at: Date; reason: string } | null;
  breakerOpenAt: Date | null;
  requests: { left: number; limit: number; at: Date } | null;
}

interface CallNews {
  sums: CallSum[];
  accounts: AccountNews[];
}

/** Sums up calls until the sums are taken. */
export interface CallLedger extends CallObserver {
  /** Returns what is new and forgets it. Each call counts in the sum of its minute and in that of its hour. */
  take(): CallNews;
}

const spans = [60, 3_600] as const;
/** A node that cannot reach its database drops the oldest. */
const maximumSums = 20_000;

const noCounts = (): OutcomeCounts =>
  Object.fromEntries(callOutcomes.map((outcome) => [outcome, 0])) as OutcomeCounts;

const noNews = (credentialId: string): AccountNews => ({
  credentialId,
  succeededAt: null,
  answeredAt: null,
  outages: 0,
  outagesSince: null,
  lastOutageAt: null,
  failure: null,
  refusal: null,
  breakerOpenAt: null,
  requests: null,
});

/** None of these is a fault of the PSP or the credential. */
const faultless: readonly CallOutcome[] = ['done', 'rejected_payer', 'not_yet'];

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

export function createCallLedger(now: () => Date): CallLedger {
  const sums = new Map<string, CallSum>();
  const accounts = new Map<string, AccountNews>();
  /** Breakers stay open even while nobody calls, so these are reported each time. */
  const openBreakers = new Map<string, number>();

  function newsOf(credentialId: string): AccountNews {
    const known = accounts.get(credentialId) ?? noNews(credentialId);
    accounts.set(credentialId, known);
    return known;
  }

  function sumOf(credentialId: string, operation: string, seconds: number, at: Date): CallSum {
    const startsAt = new Date(Math.floor(at.getTime() / (seconds * 1_000)) * seconds * 1_000);
    const key = `${credentialId} ${seconds} ${startsAt.getTime()} ${operation}`;
    const known = sums.get(key);
    if (known) return known;
    const [oldest] = sums.size >= maximumSums ? sums.keys() : [];
    if (oldest !== undefined) sums.delete(oldest);
    const made = {
      credentialId,
      operation,
      seconds,
      startsAt,
      outcomes: noCounts(),
      latencies: noLatencies(),
    };
    sums.set(key, made);
    return made;
  }

  return {
    callEnded(credentialId, { operation, outcome, milliseconds, failure }) {
      const at = now();
      for (const seconds of spans) {
        const sum = sumOf(credentialId, operation, seconds, at);
        sum.outcomes[outcome] += 1;
        const step = latencyStep(milliseconds);
        if (outcome !== 'not_sent') sum.latencies[step] = (sum.latencies[step] ?? 0) + 1;
      }
      const news = newsOf(credentialId);
      if (failure && !faultless.includes(outcome)) news.failure = { at, operation, outcome, ...failure };
      if (!isEssential(operation)) return;
      if (outcome === 'refused' && failure) news.refusal = { at, reason: failure.reason };
      if (faultless.includes(outcome)) news.succeededAt = at;
      if (isOutage(outcome)) {
        news.outages += 1;
        news.outagesSince ??= at;
        news.lastOutageAt = at;
      } else {
        news.answeredAt = at;
        news.outages = 0;
        news.outagesSince = null;
      }
    },

    requestsLeft(credentialId, left, limit) {
      newsOf(credentialId).requests = { left, limit, at: now() };
    },

    breakersOpen(credentialId, count) {
      if (count > 0) openBreakers.set(credentialId, count);
      else openBreakers.delete(credentialId);
    },

    take() {
      for (const credentialId of openBreakers.keys()) newsOf(credentialId).breakerOpenAt = now();
      // All nodes store them in the same order, so that their statements do not deadlock.
      const taken = {
        sums: [...sums].sort(([one], [other]) => compare(one, other)).map(([, sum]) => sum),
        accounts: [...accounts].sort(([one], [other]) => compare(one, other)).map(([, news]) => news),
      };
      sums.clear();
      accounts.clear();
      return taken;
    },
  };
}
