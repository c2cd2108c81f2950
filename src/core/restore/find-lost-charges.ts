import { attemptIdOf, attemptPlaceOf, idTimestamp } from '../base/ids.ts';
import type { ChargeKind } from '../providers/rules/charge.ts';
import type { PspAdapter } from '../providers/rules/psp.ts';
import { PspError, retryAfterMsOf } from '../providers/rules/psp-error.ts';
import { hoursOf, type TimeSpan, withMargin } from '../base/time/lost-time.ts';
import type { Database } from '../../database/database.ts';
import { findRecordedAttemptIds, type LiveCredential } from './store/lost-charges.ts';
import type { LostCharge } from './recover-charge.ts';

export interface FoundCharges {
  lost: LostCharge[];
  /** Transaction ids of an earlier version, which do not tell the payment, and of charges whose terms only the payment had. */
  unnamed: string[];
}

const listTimeoutMs = 12_000;
const maximumTries = 3;
const longestWaitMs = 60_000;

/** Retries transient failures, but only for so long: an operator waits for the answer. */
export async function askWithRetries<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await ask(AbortSignal.timeout(listTimeoutMs));
    } catch (error) {
      const waitMs = retryAfterMsOf(error) ?? 200 * 2 ** tried;
      const mayPass =
        error instanceof PspError && (error.failure === 'unknown' || error.retryAfterMs !== null);
      if (!mayPass || tried === maximumTries || waitMs > longestWaitMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

interface ListedCharge {
  transactionId: string;
  kind: ChargeKind;
}

/** Keyed by the id of their attempt. */
async function listIds(
  listCharges: NonNullable<PspAdapter['listCharges']>,
  span: TimeSpan,
): Promise<Map<string, ListedCharge>> {
  const listed = new Map<string, ListedCharge>();
  for (const hour of hoursOf(span)) {
    let cursor: string | null = null;
    do {
      const page = await askWithRetries((signal) => listCharges(hour, cursor, signal));
      for (const { transactionId, kind = 'immediate' } of page.charges) {
        const attemptId = transactionId && attemptIdOf(transactionId);
        if (attemptId) listed.set(attemptId, { transactionId, kind });
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
  }
  return listed;
}

/** The charges of this service that a PSP says were created in a span of time, and that are not recorded. */
export async function findLostCharges(
  db: Database,
  credential: LiveCredential,
  listCharges: NonNullable<PspAdapter['listCharges']>,
  span: TimeSpan,
): Promise<FoundCharges> {
  const around = withMargin(span);
  const listed = await listIds(listCharges, around);
  // The account may have charges of other systems, whose ids tell another time, or none.
  const isOurs = (id: string) =>
    id[14] === '7' && idTimestamp(id) >= around.since && idTimestamp(id) <= around.until;
  const ours = new Map([...listed].filter(([id]) => isOurs(id)));
  const recorded = await findRecordedAttemptIds(db, [...ours.keys()]);
  const found: FoundCharges = { lost: [], unnamed: [] };
  for (const [attemptId, { transactionId, kind }] of ours) {
    if (recorded.has(attemptId)) continue;
    const place = kind === 'immediate' ? attemptPlaceOf(attemptId) : undefined;
    if (place) found.lost.push({ credential, transactionId, attemptId, ...place });
    else found.unnamed.push(transactionId);
  }
  return found;
}
