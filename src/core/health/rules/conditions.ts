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
] as const;

export type AlertKind = (typeof alertKinds)[number];

/** The rest is shown in the dashboard only. */
export const conditionKinds = [
  ...alertKinds,
  'no_default_credential',
  'payments_disputed',
  'payments_duplicated',
] as const;

export type ConditionKind = (typeof conditionKinds)[number];

export const isAlertKind = (kind: string): kind is AlertKind => alertKinds.some((each) => each === kind);

/** `critical`: payments or confirmations fail now. */
const severities = ['critical', 'warning'] as const;

export type Severity = (typeof severities)[number];

/** Is about `subject`, a credential or a webhook endpoint, or about the organization. Never contains payer data. */
export interface Condition {
  kind: ConditionKind;
  severity: Severity;
  subject: { id: string; name: string } | null;
  since: Date | null;
  /** A `CheckReason`, or why an endpoint was disabled. */
  reason?: string;
  count?: number;
  /** There may be more. */
  isAtLeast?: boolean;
  /** Goes from 0 to 1. */
  share?: number;
  /** A day of the books has both: `YYYY-MM-DD`, and its credential, or null for the sandbox. */
  day?: string;
  credentialId?: string | null;
  /** Names the payment of the oldest refund. */
  paymentId?: string;
  /** Negative once it has passed. */
  daysLeft?: number;
}

const minuteMs = 60_000;

/** How far back calls are counted. */
export const callsWithinMs = 5 * minuteMs;
/** And creations. */
export const creationsWithinMs = 15 * minuteMs;
/** What nobody has tried since says nothing about now. */
const forgottenAfterMs = 30 * minuteMs;

interface RecentFailures {
  failed: number;
  total: number;
  lastFailedAt: Date | null;
  lastSucceededAt: Date | null;
}

interface Thresholds {
  /** It begins with so many failures and such a share of all. */
  minimum: number;
  share: number;
}

/** Lower ends than beginnings, so that what comes and goes is one alert. */
const endShare = 0.2;

const isBefore = (at: Date | null, now: Date, ms: number): boolean =>
  !at || now.getTime() - at.getTime() > ms;

/** A success since, and a minute without a failure. */
const hasRecovered = ({ lastFailedAt, lastSucceededAt }: RecentFailures, now: Date): boolean =>
  isBefore(lastFailedAt, now, minuteMs) &&
  (!lastFailedAt || (lastSucceededAt !== null && lastSucceededAt > lastFailedAt));

function isFailing(
  recent: RecentFailures,
  { minimum, share }: Thresholds,
  wasFailing: boolean,
  now: Date,
): boolean {
  const { failed, total } = recent;
  if (hasRecovered(recent, now)) return false;
  const failedShare = total === 0 ? 0 : failed / total;
  if (!wasFailing) return failed >= minimum && failedShare >= share;
  const isIdle = total === 0;
  return isIdle ? !isBefore(recent.lastFailedAt, now, forgottenAfterMs) : failedShare >= endShare;
}

export interface CallHistory extends RecentFailures {
  /** Outages since the PSP last responded, and when they began. */
  inARow: number;
  inARowSince: Date | null;
}

/** Five calls and half of them within five minutes, or, where calls are few, three in a row over a minute. */
export function isOutageNow(history: CallHistory, wasOut: boolean, now: Date): boolean {
  const { inARow, inARowSince, lastFailedAt } = history;
  const isQuiet = isBefore(lastFailedAt, now, forgottenAfterMs);
  const isLasting = inARow >= 3 && inARowSince !== null && isBefore(inARowSince, now, minuteMs) && !isQuiet;
  return isLasting || isFailing(history, { minimum: 5, share: 0.5 }, wasOut, now);
}

export const areCreationsFailing = (recent: RecentFailures, wereFailing: boolean, now: Date): boolean =>
  isFailing(recent, { minimum: 3, share: 0.5 }, wereFailing, now);

/** Holds until it is accepted again. */
export const isRefusedNow = (refusedAt: Date | null, succeededAt: Date | null): boolean =>
  refusedAt !== null && (succeededAt === null || succeededAt < refusedAt);

const dayMs = 24 * 60 * minuteMs;

/** Where they used to arrive, money was found without one within a day, and none has come since. */
export const areNotificationsMissing = (notifiedAt: Date | null, missedAt: Date | null, now: Date): boolean =>
  notifiedAt !== null && missedAt !== null && missedAt > notifiedAt && !isBefore(missedAt, now, dayMs);

/** Longer than the first retries take. */
export const isEndpointFailing = (failingSince: Date | null, now: Date): boolean =>
  failingSince !== null && isBefore(failingSince, now, 5 * minuteMs);

/** Due and not sent: no worker is running, or not enough of them. */
export const areDeliveriesWaiting = (dueSince: Date | null, wereWaiting: boolean, now: Date): boolean =>
  dueSince !== null && isBefore(dueSince, now, wereWaiting ? minuteMs : 5 * minuteMs);

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
