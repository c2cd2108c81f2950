import { certificateDaysLeft, certificateWarningDays } from '../../providers/rules/client-certificate.ts';

/** What somebody should look at, and is told about outside the dashboard. */
export const alertKinds = [
  'provider_outage',
  'credential_refused',
  'creations_failing',
  'notifications_missing',
  'webhook_failing',
  'deliveries_waiting',
  'books_open',
  'books_unavailable',
  'certificate_expiring',
  'refunds_stuck',
  'debits_our_fault',
  'disputes_due',
] as const;

export type AlertKind = (typeof alertKinds)[number];

/** The dashboard shows all of these, but only the alert kinds are announced elsewhere. */
export const conditionKinds = [
  ...alertKinds,
  'no_default_credential',
  'credential_diverted',
  'payments_disputed',
  'payments_duplicated',
  'payments_other_payer',
] as const;

export type ConditionKind = (typeof conditionKinds)[number];

export const isAlertKind = (kind: string): kind is AlertKind => alertKinds.some((each) => each === kind);

/** `critical` if payments or confirmations fail now. */
const severities = ['critical', 'warning'] as const;

export type Severity = (typeof severities)[number];

/** Concerns `subject`, a credential or a webhook endpoint, or the organization. Never contains payer data. */
export interface Condition {
  kind: ConditionKind;
  severity: Severity;
  subject: { id: string; name: string } | null;
  since: Date | null;
  /** The credential that takes the turn of the subject. */
  divertedTo?: { id: string; name: string };
  /** A `CheckReason`, or why an endpoint was disabled. */
  reason?: string;
  count?: number;
  /** There may be more. */
  isAtLeast?: boolean;
  /** From 0 to 1. */
  share?: number;
  /** Both are set for a day of the books: the day as `YYYY-MM-DD`, and its credential or null for the sandbox. */
  day?: string;
  credentialId?: string | null;
  /** An ISO instant: when it last became more urgent, so that people are told again. */
  urgentSince?: string;
  /** Names the payment of the oldest refund. */
  paymentId?: string;
  /** Negative once it has passed. */
  daysLeft?: number;
}

const minuteMs = 60_000;

/** How far back calls are counted. */
export const callsWithinMs = 5 * minuteMs;
/** How far back creations of payments are counted. */
export const creationsWithinMs = 15 * minuteMs;
/** If nobody has tried for this long, earlier failures say nothing about the present. */
const forgottenAfterMs = 30 * minuteMs;

interface RecentFailures {
  failed: number;
  total: number;
  lastFailedAt: Date | null;
  lastSucceededAt: Date | null;
}

interface Thresholds {
  /** A condition begins once there are this many failures, and they make up this share of all attempts, by any of these. */
  begins: readonly { minimum: number; share: number }[];
  /** It ends at a lower share than it begins at, so that one that comes and goes is one alert. */
  endShare: number;
}

/** True for null as well. */
const isOlderThan = (at: Date | null, now: Date, ms: number): boolean =>
  !at || now.getTime() - at.getTime() > ms;

/** The last attempt succeeded, and the last failure is more than a minute ago. */
const hasRecovered = ({ lastFailedAt, lastSucceededAt }: RecentFailures, now: Date): boolean =>
  isOlderThan(lastFailedAt, now, minuteMs) &&
  (!lastFailedAt || (lastSucceededAt !== null && lastSucceededAt > lastFailedAt));

function isFailing(
  recent: RecentFailures,
  { begins, endShare }: Thresholds,
  wasFailing: boolean,
  now: Date,
): boolean {
  const { failed, total } = recent;
  if (hasRecovered(recent, now)) return false;
  const failedShare = total === 0 ? 0 : failed / total;
  if (!wasFailing) return begins.some(({ minimum, share }) => failed >= minimum && failedShare >= share);
  const isIdle = total === 0;
  return isIdle ? !isOlderThan(recent.lastFailedAt, now, forgottenAfterMs) : failedShare >= endShare;
}

export interface CallHistory extends RecentFailures {
  /** Outages since the PSP last responded, and when they began. */
  inARow: number;
  inARowSince: Date | null;
}

/** The more calls there are, the lower is the share of failures that says something. */
const outageThresholds: Thresholds = {
  begins: [
    { minimum: 5, share: 0.5 },
    { minimum: 10, share: 0.2 },
  ],
  endShare: 0.1,
};

/** Either the failures of five minutes say so; or, if calls are few, three in a row over a minute. */
export function isOutageNow(history: CallHistory, wasOut: boolean, now: Date): boolean {
  const { inARow, inARowSince, lastFailedAt } = history;
  const isQuiet = isOlderThan(lastFailedAt, now, forgottenAfterMs);
  const isLasting =
    inARow >= 3 && inARowSince !== null && isOlderThan(inARowSince, now, minuteMs) && !isQuiet;
  return isLasting || isFailing(history, outageThresholds, wasOut, now);
}

export const areCreationsFailing = (recent: RecentFailures, wereFailing: boolean, now: Date): boolean =>
  isFailing(recent, { begins: [{ minimum: 3, share: 0.5 }], endShare: 0.2 }, wereFailing, now);

/** Holds until it is accepted again. */
export const isRefusedNow = (refusedAt: Date | null, succeededAt: Date | null): boolean =>
  refusedAt !== null && (succeededAt === null || succeededAt < refusedAt);

/** A notification that did not come is told of for this long. */
export const missedForMs = 24 * 60 * minuteMs;

/** Where they used to arrive, money was found without one within a day, and none has come since. */
export const areNotificationsMissing = (notifiedAt: Date | null, missedAt: Date | null, now: Date): boolean =>
  notifiedAt !== null &&
  missedAt !== null &&
  missedAt > notifiedAt &&
  !isOlderThan(missedAt, now, missedForMs);

/** True once an endpoint has failed for longer than the first retries take. */
export const isEndpointFailing = (failingSince: Date | null, now: Date): boolean =>
  failingSince !== null && isOlderThan(failingSince, now, 5 * minuteMs);

/** Deliveries count as waiting once they have been due for this long. */
export const waitingForMs = 5 * minuteMs;

/** Due and not sent: no worker is running, or not enough of them. */
export const areDeliveriesWaiting = (dueSince: Date | null, wereWaiting: boolean, now: Date): boolean =>
  dueSince !== null && isOlderThan(dueSince, now, wereWaiting ? minuteMs : waitingForMs);

/** Null while there is time. */
export function certificateWarning(
  expiresAt: Date | null,
  now: Date,
): { severity: Severity; daysLeft: number } | null {
  if (!expiresAt) return null;
  const daysLeft = certificateDaysLeft(expiresAt, now);
  if (daysLeft >= certificateWarningDays) return null;
  return { severity: daysLeft < 7 ? 'critical' : 'warning', daysLeft };
}
