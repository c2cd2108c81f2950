const secondMs = 1_000;
const hourMs = 3_600_000;

const within = (value: number, minimum: number, maximum: number): number =>
  Math.min(Math.max(value, minimum), maximum);

/**
 * When a pending payment is asked about next: after seconds at first, then so often that a Pix whose
 * notification never comes is found within a minute during the first hour, and once more at the expiry.
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
  const next = now.getTime() + delayMs;
  const isBeforeExpiry = now < expiresAt;
  return new Date(isBeforeExpiry ? Math.min(next, expiresAt.getTime()) : next);
}

/** For what a PSP has to be asked about until it gives a definite answer: less and less often. */
export function nextUnknownCheck(since: Date, now: Date): Date {
  const ageMs = now.getTime() - since.getTime();
  return new Date(now.getTime() + within(ageMs / 2, 5 * secondMs, hourMs));
}

/** So long a request that was lost may still be at work at its PSP, whatever a look-up says. */
export const lostRequestMs = 2 * 60 * secondMs;

export const mayStillArrive = (since: Date, now: Date): boolean =>
  now.getTime() - since.getTime() < lostRequestMs;
