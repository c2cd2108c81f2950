import { badRequest, notFound } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import { hourMs, hourOf, type Latencies, latencyQuantile } from '../base/time/latency.ts';
import type { Database } from '../../database/database.ts';
import { countUndelivered } from './store/undelivered.ts';
import { findWebhookEndpoint } from './store/webhook-endpoints.ts';
import { listWebhookHours, type WebhookHourRow } from './store/webhook-hours.ts';
import { assertMay, type Caller } from '../base/caller.ts';

interface AttemptSums {
  attempts: number;
  succeeded: number;
  /** At most 19 % off; null without requests. */
  medianLatencyMs: number | null;
  /** 95 % of the requests were faster, give or take 19 %; null without requests. */
  p95LatencyMs: number | null;
}

interface WebhookHealthView extends AttemptSums {
  /** Deliveries that were tried without success, counted up to `maximumUndeliveredCount`. */
  undelivered: number;
  /** Consecutive; the last one is the current hour. */
  hours: (AttemptSums & { start: Date })[];
}

/** How the requests to an endpoint went in the latest hours. */
export type WebhookHealth = (caller: Caller, endpointId: string, hours: number) => Promise<WebhookHealthView>;

const maximumUndeliveredCount = 1_000;
const maximumHours = 168;

function sumsOf(rows: readonly WebhookHourRow[]): AttemptSums {
  const latencies: Latencies = new Map();
  let attempts = 0;
  let succeeded = 0;
  for (const row of rows) {
    latencies.set(row.latencyStep, (latencies.get(row.latencyStep) ?? 0) + row.attempts);
    attempts += row.attempts;
    if (row.succeeded) succeeded += row.attempts;
  }
  return {
    attempts,
    succeeded,
    medianLatencyMs: latencyQuantile(latencies, 0.5),
    p95LatencyMs: latencyQuantile(latencies, 0.95),
  };
}

export function createWebhookHealth({ db, now }: { db: Database; now: () => Date }): WebhookHealth {
  return async (caller, endpointId, hours) => {
    assertMay(caller, 'webhooks:read');
    if (!Number.isInteger(hours) || hours < 1 || hours > maximumHours) {
      throw badRequest(`hours must be a whole number from 1 to ${maximumHours}`);
    }
    const endpoint = isUuid(endpointId) ? await findWebhookEndpoint(db, caller, endpointId) : null;
    if (!endpoint) throw notFound('WebhookEndpoint', endpointId);
    const currentMs = hourOf(now()).getTime();
    const starts = Array.from({ length: hours }, (_, place) => currentMs - (hours - 1 - place) * hourMs);
    const [rows, undelivered] = await Promise.all([
      listWebhookHours(db, endpoint.id, new Date(starts[0] ?? currentMs)),
      countUndelivered(db, endpoint.id, maximumUndeliveredCount),
    ]);
    const rowsByHour = new Map<number, WebhookHourRow[]>(starts.map((start) => [start, []]));
    for (const row of rows) rowsByHour.get(row.hour.getTime())?.push(row);
    return {
      ...sumsOf(rows),
      undelivered,
      hours: starts.map((start) => ({ start: new Date(start), ...sumsOf(rowsByHour.get(start) ?? []) })),
    };
  };
}
