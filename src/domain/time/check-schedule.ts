const secondMs = 1_000;
const hourMs = 3_600_000;

const within = (value: number, minimum: number, maximum: number): number =>
  Math.min(Math.max(value, minimum), maximum);

/** So long after its expiry a Pix may still be on its way. */
const lastLookMs = 60 * secondMs;

/**
 * When a pending payment is asked about next: after seconds at first, then so often that a Pix whose
 * notification never comes is found within a minute during the first hour, once more at the expiry, and once
 * more when no Pix can be on its way any more.
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

/** Whether no Pix that was sent in time can still be on its way. */
export const isLastLook = (expiresAt: Date, now: Date): boolean =>
  now.getTime() >= expiresAt.getTime() + lastLookMs;

/** For what a PSP has to be asked about until it gives a definite answer: less and less often. */
export function nextUnknownCheck(since: Date, now: Date): Date {
  const ageMs = now.getTime() - since.getTime();
  return new Date(now.getTime() + within(ageMs / 2, 5 * secondMs, hourMs));
}

/** So long a request that was lost may still be at work at its PSP, whatever a look-up says. */
export const lostRequestMs = 2 * 60 * secondMs;

export const mayStillArrive = (since: Date, now: Date): boolean =>
  now.getTime() - since.getTime() < lostRequestMs;
