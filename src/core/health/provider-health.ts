import { notFound } from '../base/errors.ts';
import { type CallOutcome, callOutcomes, isCheckReason } from './rules/calls.ts';
import { addLatencies, latencyAt, noLatencies } from './rules/latencies.ts';
import { certificateDaysLeft } from '../providers/rules/client-certificate.ts';
import { type CheckReason, checkReasons } from '../providers/rules/check-reasons.ts';
import type { Database } from '../../database/database.ts';
import { type CallSpan, type CountedCalls, listCalls, sumCallDays, sumCalls } from './store/call-sums.ts';
import { type CredentialHealthRow, listCredentialHealth } from './store/credential-health.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import type { Reports } from '../../database/reports.ts';
import { createSingleFlight } from '../base/pacing/single-flight.ts';

export type HealthWindow = 'hour' | 'day' | 'week';

interface CallsView {
  /** Calls made, whatever came of them. */
  calls: number;
  /** Share of calls whose outcome is `done`, from 0 to 1; null without calls. */
  successRate: number | null;
  /** Leaves out outcomes that did not occur. */
  outcomes: { outcome: CallOutcome; count: number }[];
  /** Latencies of calls that reached the PSP, accurate to 9 %; null without such calls. */
  p50Ms: number | null;
  p95Ms: number | null;
}

interface WindowView extends CallsView {
  operations: ({ operation: string } & CallsView)[];
}

interface DayCalls {
  start: Date;
  calls: number;
  succeeded: number;
}

interface FailedCallView {
  at: Date;
  operation: string;
  /** `unknown` for an outcome that only a newer version knows. */
  outcome: CallOutcome;
  /** Null for a reason that only a newer version knows. */
  reason: CheckReason | null;
  /** The reason in English, for people. */
  problem: string;
  /** What happened, in technical English. */
  detail: string;
}

/** What the calls and notifications of a credential have shown. */
interface CredentialHealthView extends Record<HealthWindow, WindowView> {
  credentialId: string;
  name: string;
  provider: string;
  enabled: boolean;
  isDefault: boolean;
  /** Seven times 24 hours, the last of which end now. */
  days: DayCalls[];
  /** Whether a node has stopped calling the PSP for now, because calls kept failing. */
  breakerOpen: boolean;
  lastSuccessAt: Date | null;
  lastFailure: FailedCallView | null;
  /** When a notification last told of money, and when one was last found missing. */
  lastNotificationAt: Date | null;
  notificationMissedAt: Date | null;
  /** The PSP's documented quota and what was left of it when last counted; null where it has none. */
  requests: { limit: number; left: number; at: Date } | null;
  pausedUntil: Date | null;
  certificateExpiresAt: Date | null;
  /** Whole days; negative once it has expired. */
  certificateDaysLeft: number | null;
}

interface CallBucket extends CallsView {
  start: Date;
}

export interface ProviderHealth {
  /** Every credential of the organization, except the sandbox's. */
  list(caller: Caller): Promise<CredentialHealthView[]>;
  /** Buckets of a minute, an hour or three hours, without gaps. */
  buckets(caller: Caller, credentialId: string, window: HealthWindow): Promise<CallBucket[]>;
}

interface Dependencies {
  reports: Reports;
  now: () => Date;
}

interface WindowSpan {
  seconds: CallSpan['seconds'];
  bucketSeconds: number;
  count: number;
}

const windows: Record<HealthWindow, WindowSpan> = {
  hour: { seconds: 60, bucketSeconds: 60, count: 60 },
  day: { seconds: 3_600, bucketSeconds: 3_600, count: 24 },
  week: { seconds: 3_600, bucketSeconds: 3 * 3_600, count: 56 },
};

const dayMs = 86_400_000;

/** Nodes report every few seconds that a breaker is open. */
const breakerPrecisionMs = 20_000;

/** The first bucket's start; the last one is under way. */
function startOf({ bucketSeconds, count }: WindowSpan, now: Date): Date {
  const ms = bucketSeconds * 1_000;
  return new Date((Math.floor(now.getTime() / ms) - count + 1) * ms);
}

function callsView(rows: readonly CountedCalls[]): CallsView {
  const countOf = (outcome: CallOutcome) => rows.reduce((sum, row) => sum + row[outcome], 0);
  const outcomes = callOutcomes.map((outcome) => ({ outcome, count: countOf(outcome) }));
  const calls = outcomes.reduce((sum, { count }) => sum + count, 0);
  const latencies = rows.map((row) => row.latencies).reduce(addLatencies, noLatencies());
  return {
    calls,
    successRate: calls === 0 ? null : countOf('done') / calls,
    outcomes: outcomes.filter(({ count }) => count > 0),
    p50Ms: latencyAt(latencies, 0.5),
    p95Ms: latencyAt(latencies, 0.95),
  };
}

const lastFailureOf = (row: CredentialHealthRow): FailedCallView | null => {
  const { failedAt: at, failedOperation: operation, failedOutcome } = row;
  if (!at || operation === null || failedOutcome === null) return null;
  const outcome = callOutcomes.find((each) => each === failedOutcome) ?? 'unknown';
  const { failedReason, failedMessage: detail } = row;
  const reason = failedReason !== null && isCheckReason(failedReason) ? failedReason : null;
  const problem = reason ? checkReasons[reason].en : (detail ?? '');
  return { at, operation, outcome, reason, problem, detail: detail ?? '' };
};

function viewOf(
  row: CredentialHealthRow,
  windowViews: Record<HealthWindow, WindowView>,
  days: DayCalls[],
  now: Date,
): CredentialHealthView {
  const { certificateExpiresAt, breakerOpenAt, requestsLeft, requestsLimit, requestsAt } = row;
  const { pausedUntil } = row;
  const isKnown = requestsLeft !== null && requestsLimit !== null && requestsAt;
  return {
    credentialId: row.id,
    name: row.name,
    provider: row.provider,
    enabled: row.enabled,
    isDefault: row.isDefault,
    ...windowViews,
    days,
    breakerOpen: breakerOpenAt !== null && now.getTime() - breakerOpenAt.getTime() < breakerPrecisionMs,
    lastSuccessAt: row.succeededAt,
    lastFailure: lastFailureOf(row),
    lastNotificationAt: row.notifiedAt,
    notificationMissedAt: row.missedAt,
    requests: isKnown ? { left: requestsLeft, limit: requestsLimit, at: requestsAt } : null,
    pausedUntil: pausedUntil && pausedUntil > now ? pausedUntil : null,
    certificateExpiresAt,
    certificateDaysLeft: certificateExpiresAt && certificateDaysLeft(certificateExpiresAt, now),
  };
}

export function createProviderHealth({ reports, now }: Dependencies): ProviderHealth {
  const once = createSingleFlight<CredentialHealthView[]>();

  async function read(db: Database, organizationId: string): Promise<CredentialHealthView[]> {
    const at = now();
    const credentials = await listCredentialHealth(db, organizationId);
    const ids = credentials.map(({ id }) => id);
    const callsWithin = async (window: HealthWindow) => {
      const { seconds } = windows[window];
      const rows = await sumCalls(db, ids, { seconds, from: startOf(windows[window], at) });
      return (id: string): WindowView => {
        const calls = rows.filter(({ credentialId }) => credentialId === id);
        const operations = calls.map((each) => ({ operation: each.operation, ...callsView([each]) }));
        return { ...callsView(calls), operations };
      };
    };
    const [hour, day, week] = [
      await callsWithin('hour'),
      await callsWithin('day'),
      await callsWithin('week'),
    ];
    const from = startOf(windows.week, at);
    const sums = await sumCallDays(db, ids, from);
    const daysOf = (id: string): DayCalls[] =>
      Array.from({ length: 7 }, (_, place) => {
        const found = sums.find((row) => row.credentialId === id && row.day === place);
        const { calls = 0, succeeded = 0 } = found ?? {};
        return { start: new Date(from.getTime() + place * dayMs), calls, succeeded };
      });
    return credentials.map((credential) => {
      const { id } = credential;
      return viewOf(credential, { hour: hour(id), day: day(id), week: week(id) }, daysOf(id), at);
    });
  }

  return {
    list(caller) {
      assertMay(caller, 'health:read');
      const { organizationId } = caller;
      return once(organizationId, () => reports.read(organizationId, (db) => read(db, organizationId)));
    },

    async buckets(caller, credentialId, window) {
      assertMay(caller, 'health:read');
      const { organizationId } = caller;
      const { seconds, bucketSeconds, count } = windows[window];
      const from = startOf(windows[window], now());
      const rows = await reports.read(organizationId, async (db) => {
        const credentials = await listCredentialHealth(db, organizationId);
        const isOwn = credentials.some(({ id }) => id === credentialId);
        return isOwn ? listCalls(db, credentialId, { seconds, from }) : undefined;
      });
      if (!rows) throw notFound('Credential', credentialId);
      const bucketMs = bucketSeconds * 1_000;
      return Array.from({ length: count }, (_, at) => {
        const start = new Date(from.getTime() + at * bucketMs);
        const end = new Date(start.getTime() + bucketMs);
        return { start, ...callsView(rows.filter(({ startsAt }) => startsAt >= start && startsAt < end)) };
      });
    },
  };
}
