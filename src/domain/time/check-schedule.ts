const secondMs = 1_000;
const hourMs = 3_600_000;

const within = (value: number, minimum: number, maximum: number): number =>
  Math.min(Math.max(value, minimum), maximum);

/** How long after its expiry a Pix may still arrive. */
const lastLookMs = 60 * secondMs;

/**
 * When to check a pending payment next. Starts at a few seconds and backs off so that, during the first hour,
 * a Pix whose notification is lost is found within a minute. Checks again at the expiry and once more when no
 * Pix can still arrive.
 */
export function nextPaymentCheck(
  { createdAt, expiresAt }: { createdAt: Date; expiresAt: Date },
  now: Date,
): Date {
  const ageMs = now.getTime() - createdAt.getTime();
  const delayMs =
    ageMs < hourMs
      ? within(ageMs / 2, 5 * secondMs, 45 * secondMs)
      : within(ageMs / 80, 45 * secondMs, 15 * 60 * secondMs);
  const milestones = [expiresAt.getTime(), expiresAt.getTime() + lastLookMs];
  const ahead = milestones.filter((at) => at > now.getTime());
  return new Date(Math.min(now.getTime() + delayMs, ...ahead));
}

/** Whether a Pix sent in time can no longer arrive. */
export const isLastLook = (expiresAt: Date, now: Date): boolean =>
  now.getTime() >= expiresAt.getTime() + lastLookMs;

/** Backoff for polling a PSP until it gives a definite result. */
export function nextUnknownCheck(since: Date, now: Date): Date {
  const ageMs = now.getTime() - since.getTime();
  return new Date(now.getTime() + within(ageMs / 2, 5 * secondMs, hourMs));
}

/** How long a request without a response may still take effect at the PSP, whatever a lookup says. */
export const lostRequestMs = 2 * 60 * secondMs;

export const mayStillArrive = (since: Date, now: Date): boolean =>
  now.getTime() - since.getTime() < lostRequestMs;
