import { hourMs, hourOf } from '../base/time/latency.ts';
import { countedFailures } from './rules/webhook.ts';
import type { Database } from '../../database/database.ts';
import { listWebhookEndpoints } from './store/webhook-endpoints.ts';
import {
  countFailures,
  type FailureCause,
  findLastAttempts,
  type LastAttempt,
  sumWebhookDays,
} from './store/webhook-summaries.ts';
import { assertMay, type Caller } from '../base/caller.ts';

interface Requests {
  attempts: number;
  /** Those that were accepted. */
  succeeded: number;
}

/** Requests of the last 24 hours. */
interface WebhookSummaryView extends Requests {
  endpointId: string;
  /** Seven times 24 hours, the last of which end now. */
  days: (Requests & { start: Date })[];
  /** Null before the first, and once it is deleted. */
  lastAttempt: Pick<LastAttempt, 'statusCode' | 'error' | 'startedAt'> | null;
  /** Why the newest undelivered deliveries failed, the most frequent cause first. */
  failures: Pick<FailureCause, 'statusCode' | 'error' | 'count'>[];
}

/** How each endpoint of the caller's mode is doing. */
export type WebhookSummaries = (caller: Caller) => Promise<WebhookSummaryView[]>;

const dayCount = 7;
const dayMs = 24 * hourMs;
/** A person reads no more. */
const listLimit = 100;

export function createWebhookSummaries({ db, now }: { db: Database; now: () => Date }): WebhookSummaries {
  return async (caller) => {
    assertMay(caller, 'webhooks:read');
    const ids = (await listWebhookEndpoints(db, caller, listLimit)).map(({ id }) => id);
    const since = new Date(hourOf(now()).getTime() + hourMs - dayCount * dayMs);
    const [sums, failures, lastAttempts] = await Promise.all([
      sumWebhookDays(db, ids, since),
      countFailures(db, ids, countedFailures),
      findLastAttempts(db, ids),
    ]);
    return ids.map((endpointId) => {
      const isOfEndpoint = (row: { endpointId: string }) => row.endpointId === endpointId;
      const ofEndpoint = sums.filter(isOfEndpoint);
      const days = Array.from({ length: dayCount }, (_, day) => {
        const { attempts = 0, succeeded = 0 } = ofEndpoint.find((row) => row.day === day) ?? {};
        return { start: new Date(since.getTime() + day * dayMs), attempts, succeeded };
      });
      const { attempts = 0, succeeded = 0 } = days.at(-1) ?? {};
      const failed = failures.filter(isOfEndpoint);
      // An old delivery that is tried again is not among the newest.
      const latest = [
        ...lastAttempts.filter(isOfEndpoint),
        ...failed.map(({ lastAt, ...cause }) => ({ ...cause, startedAt: lastAt })),
      ].toSorted((one, other) => other.startedAt.getTime() - one.startedAt.getTime());
      return { endpointId, attempts, succeeded, days, lastAttempt: latest[0] ?? null, failures: failed };
    });
  };
}
