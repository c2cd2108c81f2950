import { mayStillArrive } from '../domain/time/check-schedule.ts';
import { PspError } from '../domain/providers/psp.ts';

/** What a PSP is to do once, whatever answers get lost on the way. */
export interface Errand<Done> {
  send(): Promise<Done>;
  /** What became of it; undefined when the PSP is sure that nothing did. */
  find(): Promise<Done | undefined>;
  /** Null when it has never been sent. */
  lastSentAt: Date | null;
}

/**
 * Sends it. Where an answer was lost, this one's or an earlier one's, no failure is believed before the PSP was
 * asked what became of it, and no failure is definite while an earlier request may still arrive.
 */
export async function sendOnce<Done>(
  { send, find, lastSentAt }: Errand<Done>,
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
