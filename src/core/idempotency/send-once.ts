import { mayStillArrive } from '../settlement/rules/check-schedule.ts';
import { PspError, retryAfterMsOf } from '../providers/rules/psp-error.ts';

/** An operation that a PSP must carry out once, even if its responses are lost: idempotency towards the provider. */
export interface OneTimeOperation<Done> {
  send(): Promise<Done>;
  /** The outcome; undefined when the PSP is certain that nothing happened. */
  find(): Promise<Done | undefined>;
  /** Null when it was never sent. */
  lastSentAt: Date | null;
}

/**
 * Sends the operation. If a response was lost, now or earlier, a failure is believed only after looking up the outcome,
 * and it is not definite while an earlier request may still take effect.
 */
export async function sendOnce<Done>(
  { send, find, lastSentAt }: OneTimeOperation<Done>,
  now: () => Date,
): Promise<Done> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof PspError)) throw error;
    if (error.failure !== 'unknown' && !lastSentAt) throw error;
    const done = await find().catch((problem: unknown) => {
      throw new PspError('unknown', error.message, {
        retryAfterMs: error.retryAfterMs ?? retryAfterMsOf(problem),
      });
    });
    if (done) return done;
    throw lastSentAt && mayStillArrive(lastSentAt, now()) ? error.as('unknown') : error;
  }
}
