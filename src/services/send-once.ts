import { mayStillArrive } from '../domain/time/check-schedule.ts';
import { PspError } from '../domain/providers/psp.ts';

/** An operation that a PSP must carry out once, even if responses are lost. */
export interface OneTimeOperation<Done> {
  send(): Promise<Done>;
  /** The outcome; undefined when the PSP is certain that nothing happened. */
  find(): Promise<Done | undefined>;
  /** Null when it was never sent. */
  lastSentAt: Date | null;
}

/**
 * Sends it. Once a response was lost, now or earlier, a failure counts only after looking up the outcome, and
 * none is definite while an earlier request may still take effect.
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
    const unknown = new PspError('unknown', error.message);
    const done = await find().catch(() => Promise.reject(unknown));
    if (done) return done;
    throw lastSentAt && mayStillArrive(lastSentAt, now()) ? unknown : error;
  }
}
