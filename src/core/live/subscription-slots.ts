import { ServiceError } from '../base/errors.ts';
import { createTally } from '../base/pacing/tally.ts';
import { type Caller, holderOf } from '../base/caller.ts';

/** Limits how much each caller may follow at once. Returns a function that gives the slot back. */
export function createSubscriptionSlots(
  maximumOf: (caller: Caller) => number,
): (caller: Caller) => () => void {
  const taken = createTally();
  return (caller) => {
    const holder = holderOf(caller);
    const maximum = maximumOf(caller);
    if (taken.of(holder) < maximum) return taken.add(holder);
    throw new ServiceError('too_many_subscriptions', `At most ${maximum} subscriptions may be open at once`, {
      retryAfterSeconds: 1,
    });
  };
}
