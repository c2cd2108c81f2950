import { firstIdAt, idTimestamp } from '../base/ids.ts';
import { deleteAlerts } from '../health/store/alerts.ts';
import { deleteCallSums } from '../health/store/call-sums.ts';
import type { Database } from '../../database/database.ts';
import { deleteNotifications, deleteUnreadableResponses, deleteWebhookAttempts } from './store/retention.ts';
import { clearDeletedCredentials } from '../providers/store/credential-use.ts';
import { clearDeletedEndpoints } from '../webhooks/store/webhook-endpoints.ts';
import { deleteWebhookHours } from '../webhooks/store/webhook-hours.ts';

/** Days for which ended webhook deliveries, and what providers sent, are kept. */
export interface RetentionDays {
  deliveryDays: number;
  notificationDays: number;
}

export interface Retention {
  /** Deletes up to `limit` rows of each kind; returns how many. */
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

export const createRetention = ({ db, days, now }: Dependencies): Retention => ({
  async deleteOld(limit) {
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
    return (
      attempts + webhookHours + deleted + credentials + notifications + responses + minutes + hours + alerts
    );
  },
});
