const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

export const within = (value: number, minimum: number, maximum: number): number =>
  Math.min(Math.max(value, minimum), maximum);

/** What is known of an account when its payments are scheduled. */
export interface PollingConditions {
  /** The last time that a notification told of money. */
  notifiedAt: Date | null;
  /** The last time that polling found money whose notification had not come. */
  missedAt: Date | null;
  /** Sweeps have read the PSP's list of received money until then. */
  sweptAt: Date | null;
  /** When the next sweep is due; null while nobody sweeps. */
  nextSweepAt: Date | null;
  /** The last time that polling found money that a sweep should have. */
  sweepMissedAt: Date | null;
  /** How much of what looks may use of the PSP's quota is used: from 0, and more than 1 when others have used more. */
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
 * `arriving`: a notification came within minutes, so others would too; `expected`: they have come today, but none just
 * now; `missing`: there are none to wait for.
 */
type Notifications = 'arriving' | 'expected' | 'missing';

/**
 * Together with the pause after a check this late, less than ten minutes: so soon a payment is found once notifications
 * stop.
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
    ? within(ageMs / 2, 5 * secondMs, 45 * secondMs)
    : within(ageMs / 80, 45 * secondMs, 15 * minuteMs);

/**
 * The pause before the next sweep for a payment of this age: finds a Pix within a minute during the first hour, whether
 * notifications of others arrive or not. Never more requests than looks at it would take.
 */
export const sweepPauseMs = (ageMs: number): number => Math.max(50 * secondMs, denseMs(ageMs));

/** How long a payment counts as watched after somebody was seen to wait for it. */
const watchedForMs = 90 * secondMs;
const watchedPauseMs = 15 * secondMs;

/** Somebody must have been seen since then to wait for a payment that is watched. */
export const watchedSince = (now: Date): Date => new Date(now.getTime() - watchedForMs);

/** When a payment is checked at the latest of which it has just become known that somebody waits for it. */
export const watchedCheckBy = (now: Date): Date => new Date(now.getTime() + watchedPauseMs);

/**
 * When to sweep at the latest for a payment of this age. For one that is watched, soon after the last sweep, unless so much
 * of the quota is used that creates and confirmations may need the rest.
 */
export function sweepBy(
  { ageMs, isWatched }: { ageMs: number; isWatched: boolean },
  { sweptAt, scarcity }: PollingConditions,
  now: Date,
): Date {
  const pause = isWatched && scarcity < scarceForSweeps ? watchedPauseMs : sweepPauseMs(ageMs);
  return new Date(Math.max(now.getTime(), (sweptAt?.getTime() ?? 0) + pause));
}

/**
 * Once 12 % of a quota are used, payments that are watched are looked at like others, and those few where
 * notifications arrive.
 */
const scarceForLooks = 0.15;
/** 94 % of a quota. */
const scarceForSweeps = 1.175;

/** Together with a pause while swept, less than ten minutes: so soon a payment is found once sweeps stop. */
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
 * Whether sweeps find what is paid. Not if one has missed money today: then the PSP's list is not what we think. Who waits
 * for a payment does not wait for a sweep that is late.
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
 * Whether a payment whose charge was cancelled ends without the look for a Pix that was in flight: where requests are
 * limited and a sweep will find it.
 */
export const isLastLookSpared = (ageMs: number, conditions: PollingConditions, now: Date): boolean =>
  conditions.scarcity > 0 && areSweepsFinding(ageMs, conditions, now);

/** How long after its charge was cancelled a Pix that was in flight may still be listed. */
const inFlightMs = 2 * minuteMs;

/** Whether sweeps have read far enough to find a Pix that was in flight when its charge was cancelled. */
export const haveSweepsPassed = (cancelledAt: Date, conditions: PollingConditions, now: Date): boolean =>
  conditions.sweptAt !== null &&
  conditions.sweptAt.getTime() - cancelledAt.getTime() >= inFlightMs &&
  !haveSweepsMissed(conditions, now);

/** Finds a Pix within ten minutes during the first hours, with a tenth of the requests. */
const calmMs = (ageMs: number): number =>
  within(Math.max(Math.min(ageMs, 9 * minuteMs), ageMs / 20), 3 * minuteMs, hourMs);

/** Only to see whether notifications still arrive or sweeps go on, which asks nobody. */
const sparedPauseMs = (ageMs: number): number =>
  Math.min(calmMs(ageMs), within(ageMs / 20, 4.5 * minuteMs, 15 * minuteMs));

const areLooksLeftToNotifications = (conditions: PollingConditions, now: Date): boolean =>
  conditions.scarcity > scarceForLooks && notificationsOf(conditions, now) === 'arriving';

/** The pause before the next check of a payment of this age. The scarcer the requests, the calmer. */
export function pauseMs(ageMs: number, conditions: PollingConditions, now: Date): number {
  if (areLooksLeftToNotifications(conditions, now) || areSweepsFinding(ageMs, conditions, now))
    return sparedPauseMs(ageMs);
  if (notificationsOf(conditions, now) !== 'missing') return calmMs(ageMs);
  return denseMs(ageMs) + (calmMs(ageMs) - denseMs(ageMs)) * Math.min(conditions.scarcity, 1);
}

/** The same of a payment that is watched. */
export function watchedCheckPauseMs(ageMs: number, conditions: PollingConditions, now: Date): number {
  const usual = pauseMs(ageMs, conditions, now);
  const isFree = conditions.scarcity <= scarceForLooks || areSweepsFinding(ageMs, conditions, now, true);
  return isFree ? Math.min(usual, watchedPauseMs) : usual;
}

/** One check in so many is a look all the same: in case a single notification was lost, or sweeps miss something. */
const sampleSizes = { notified: 32, swept: 256 };

/**
 * Whether this check may be left to the notification that would come, or to the sweep. The id is any that ends in random
 * digits. The checks of a payment that is watched are too many to be samples.
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
