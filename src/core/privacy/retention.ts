import { firstIdAt, idTimestamp } from '../base/ids.ts';
import { deleteAlerts } from '../health/store/alerts.ts';
import { deleteCallSums } from '../health/store/call-sums.ts';
import type { Database } from '../../database/database.ts';
import { withTerms } from '../payments/search-terms.ts';
import { deleteTerms, nilId, pauseTerms } from '../payments/store/search-terms.ts';
import { deleteFailedCreates, listFailedCreates } from './store/failed-creates.ts';
import { deleteNotifications, deleteUnreadableResponses, deleteWebhookAttempts } from './store/retention.ts';
import { clearDeletedCredentials } from '../providers/store/credential-use.ts';
import { clearDeletedEndpoints } from '../webhooks/store/webhook-endpoints.ts';
import { deleteWebhookHours } from '../webhooks/store/webhook-hours.ts';

/** Days for which ended webhook deliveries, alerts and creates that failed, and what providers sent, are kept. */
export interface RetentionDays {
  deliveryDays: number;
  notificationDays: number;
}

export interface Retention {
  /** Deletes up to `limit` rows of each kind; returns how many it has looked at. */
  deleteOld(limit: number): Promise<number>;
}

const dayMs = 86_400_000;
/** Sums of calls are kept a little longer than the dashboard shows them. */
const callMinutesMs = 2 * 3_600_000;
const callHoursMs = 8 * dayMs;

interface Dependencies {
  db: Database;
  days: RetentionDays;
  now: () => Date;
}

export function createRetention({ db, days, now }: Dependencies): Retention {
  /** The last failed create that was looked at: those that are kept are passed over once. */
  let lastFailedId = nilId;

  async function deleteFailed(beforeId: string, limit: number): Promise<number> {
    const failed = await listFailedCreates(db, { afterId: lastFailedId, beforeId, limit });
    const ids = failed.flatMap(({ id, wasNeverMade }) => (wasNeverMade ? [id] : []));
    if (ids.length > 0)
      await db.$transaction(async (tx) => {
        await pauseTerms(tx);
        await deleteTerms(tx, withTerms(await deleteFailedCreates(tx, ids)));
      });
    lastFailedId = failed.at(-1)?.id ?? lastFailedId;
    return failed.length;
  }

  async function deleteOld(limit: number): Promise<number> {
    const firstKept = (age: number) => firstIdAt(new Date(now().getTime() - age * dayMs));
    const firstDelivery = firstKept(days.deliveryDays);
    const firstNotification = firstKept(days.notificationDays);
    const attempts = await deleteWebhookAttempts(db, firstDelivery, limit);
    const webhookHours = await deleteWebhookHours(db, idTimestamp(firstDelivery), limit);
    const deleted = await clearDeletedEndpoints(db, firstDelivery, limit);
    const credentials = await clearDeletedCredentials(db, new Date(now().getTime() - dayMs), limit);
    const notifications = await deleteNotifications(db, firstNotification, limit);
    const responses = await deleteUnreadableResponses(db, firstNotification, limit);
    const sumsBefore = (ms: number) => ({ before: new Date(now().getTime() - ms), limit });
    const minutes = await deleteCallSums(db, { seconds: 60, ...sumsBefore(callMinutesMs) });
    const hours = await deleteCallSums(db, { seconds: 3_600, ...sumsBefore(callHoursMs) });
    const alerts = await deleteAlerts(db, firstDelivery, limit);
    const failed = await deleteFailed(firstDelivery, limit);
    return [
      attempts,
      webhookHours,
      deleted,
      credentials,
      notifications,
      responses,
      minutes,
      hours,
      alerts,
      failed,
    ].reduce((sum, count) => sum + count);
  }

  return { deleteOld };
}
