import { pollingShares } from '../../providers/rules/request-quota.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

export const clamp = (value: number, minimum: number, maximum: number): number =>
  Math.min(Math.max(value, minimum), maximum);

/** What is known of an account when its payments are scheduled. */
export interface PollingConditions {
  /** The last time a notification told of money. */
  notifiedAt: Date | null;
  /** The last time polling found money whose notification had not come. */
  missedAt: Date | null;
  /** How far sweeps have read the PSP's list of received money. */
  sweptAt: Date | null;
  /** When the next sweep is due; null while nobody sweeps. */
  nextSweepAt: Date | null;
  /** The last time polling found money that a sweep should have found. */
  sweepMissedAt: Date | null;
  /** How much of the polling share of the PSP's quota is used: from 0, and above 1 when others have used more. */
  scarcity: number;
}

export const nothingKnown: PollingConditions = {
  notifiedAt: null,
  missedAt: null,
  sweptAt: null,
  nextSweepAt: null,
  sweepMissedAt: null,
  scarcity: 0,
};

/**
 * `arriving`: a notification came within minutes, so others would too; `expected`: some came today, but none just now;
 * `missing`: there are none to wait for.
 */
type Notifications = 'arriving' | 'expected' | 'missing';

/**
 * Added to the pause after a check this late, it stays under ten minutes: the time to find a payment once notifications stop.
 */
const arrivingMs = 4.8 * minuteMs;
const expectedMs = 24 * hourMs;

function notificationsOf({ notifiedAt, missedAt }: PollingConditions, now: Date): Notifications {
  if (!notifiedAt || (missedAt && missedAt >= notifiedAt)) return 'missing';
  const agoMs = now.getTime() - notifiedAt.getTime();
  if (agoMs <= arrivingMs) return 'arriving';
  return agoMs <= expectedMs ? 'expected' : 'missing';
}

/** Finds a Pix within a minute during the first hour. */
const denseMs = (ageMs: number): number =>
  ageMs < hourMs
    ? clamp(ageMs / 2, 5 * secondMs, 45 * secondMs)
    : clamp(ageMs / 80, 45 * secondMs, 15 * minuteMs);

/**
 * The pause before the next sweep for a payment of this age: finds a Pix within a minute during the first hour, whether or not
 * other notifications arrive, and never takes more requests than looking at the payment would.
 */
export const sweepPauseMs = (ageMs: number): number => Math.max(50 * secondMs, denseMs(ageMs));

/** How long a payment counts as watched after somebody was seen to wait for it. */
const watchedForMs = 90 * secondMs;
const watchedPauseMs = 15 * secondMs;

/** A payment counts as watched if somebody was seen to wait for it after this. */
export const watchedSince = (now: Date): Date => new Date(now.getTime() - watchedForMs);

/** The latest time to check a payment once somebody is seen to wait for it. */
export const watchedCheckBy = (now: Date): Date => new Date(now.getTime() + watchedPauseMs);

/**
 * The latest time to sweep for a payment of this age. A watched one makes it soon after the last sweep, unless so much of the
 * quota is used that creates and confirmations may need the rest.
 */
export function sweepBy(
  { ageMs, isWatched }: { ageMs: number; isWatched: boolean },
  { sweptAt, scarcity }: PollingConditions,
  now: Date,
): Date {
  const pause = isWatched && scarcity < scarceForSweeps ? watchedPauseMs : sweepPauseMs(ageMs);
  return new Date(Math.max(now.getTime(), (sweptAt?.getTime() ?? 0) + pause));
}

/** Scarcity counts what is used against the share of looks, so that it is 1 when they stop. */
const scarcityAt = (usedShareOfQuota: number): number => usedShareOfQuota / pollingShares.look;

/** From here on, watched payments are looked at like any other, and those of accounts whose notifications arrive as samples. */
const scarceForLooks = scarcityAt(0.12);
const scarceForSweeps = scarcityAt(0.94);

/** Added to the pause while swept, it stays under ten minutes: the time to find a payment once sweeps stop. */
const sweepDelayMs = 4.5 * minuteMs;
const sweepSlackMs = 10 * secondMs;
const distrustMs = 24 * hourMs;

/** Whether the next sweep comes soon enough for a payment of this age. */
export const isSweepSoon = (ageMs: number, conditions: PollingConditions, now: Date): boolean =>
  conditions.nextSweepAt !== null &&
  conditions.nextSweepAt.getTime() - now.getTime() <= sweepPauseMs(ageMs) + sweepSlackMs;

const haveSweepsMissed = ({ sweepMissedAt }: PollingConditions, now: Date): boolean =>
  sweepMissedAt !== null && now.getTime() - sweepMissedAt.getTime() < distrustMs;

/**
 * Whether sweeps find paid charges. Not if one missed money today: then the PSP's list is not what we think it is. A watched
 * payment does not wait for a late sweep.
 */
function areSweepsFinding(
  ageMs: number,
  conditions: PollingConditions,
  now: Date,
  isWatched = false,
): boolean {
  const { sweptAt } = conditions;
  if (!sweptAt || !isSweepSoon(ageMs, conditions, now)) return false;
  if (haveSweepsMissed(conditions, now)) return false;
  const delayMs = isWatched ? sweepSlackMs : sweepDelayMs;
  return now.getTime() - sweptAt.getTime() <= sweepPauseMs(ageMs) + delayMs;
}

/**
 * Whether a payment may end without a last look for a Pix in flight after its charge was cancelled: only where requests are
 * limited and a sweep will find it.
 */
export const isLastLookSpared = (ageMs: number, conditions: PollingConditions, now: Date): boolean =>
  conditions.scarcity > 0 && areSweepsFinding(ageMs, conditions, now);

/** How long after the cancellation of its charge a Pix in flight may still be listed. */
const inFlightMs = 2 * minuteMs;

/** Whether sweeps have read far enough to find a Pix in flight when its charge was cancelled. */
export const haveSweepsPassed = (cancelledAt: Date, conditions: PollingConditions, now: Date): boolean =>
  conditions.sweptAt !== null &&
  conditions.sweptAt.getTime() - cancelledAt.getTime() >= inFlightMs &&
  !haveSweepsMissed(conditions, now);

/** Finds a Pix within ten minutes during the first hours, with a tenth of the requests. */
const calmMs = (ageMs: number): number =>
  clamp(Math.max(Math.min(ageMs, 9 * minuteMs), ageMs / 20), 3 * minuteMs, hourMs);

/** Such a check only sees whether notifications still arrive and sweeps go on; it sends no request. */
const sparedPauseMs = (ageMs: number): number =>
  Math.min(calmMs(ageMs), clamp(ageMs / 20, 4.5 * minuteMs, 15 * minuteMs));

const areLooksLeftToNotifications = (conditions: PollingConditions, now: Date): boolean =>
  conditions.scarcity > scarceForLooks && notificationsOf(conditions, now) === 'arriving';

/** The pause before the next check of a payment of this age; it grows as requests get scarcer. */
export function pauseMs(ageMs: number, conditions: PollingConditions, now: Date): number {
  if (areLooksLeftToNotifications(conditions, now) || areSweepsFinding(ageMs, conditions, now))
    return sparedPauseMs(ageMs);
  if (notificationsOf(conditions, now) !== 'missing') return calmMs(ageMs);
  return denseMs(ageMs) + (calmMs(ageMs) - denseMs(ageMs)) * Math.min(conditions.scarcity, 1);
}

/** `pauseMs` for a watched payment. */
export function watchedCheckPauseMs(ageMs: number, conditions: PollingConditions, now: Date): number {
  const usual = pauseMs(ageMs, conditions, now);
  const isFree = conditions.scarcity <= scarceForLooks || areSweepsFinding(ageMs, conditions, now, true);
  return isFree ? Math.min(usual, watchedPauseMs) : usual;
}

/** One check in this many asks the PSP all the same, in case a notification was lost or sweeps miss something. */
const sampleSizes = { notified: 32, swept: 256 };

/**
 * Whether this check may be left to the notification that would come, or to the sweep. The id may be any that ends in random
 * digits. A watched payment has too many checks for them to be samples.
 */
export function isLookSpared(
  { id, createdAt, isWatched = false }: { id: string; createdAt: Date; isWatched?: boolean },
  conditions: PollingConditions,
  now: Date,
): boolean {
  const isSwept = areSweepsFinding(now.getTime() - createdAt.getTime(), conditions, now, isWatched);
  if (!isSwept && !areLooksLeftToNotifications(conditions, now)) return false;
  if (isWatched) return true;
  const turn = Math.floor(now.getTime() / (4.5 * minuteMs)) + Number.parseInt(id.slice(-4), 16);
  return turn % sampleSizes[isSwept ? 'swept' : 'notified'] !== 0;
}
