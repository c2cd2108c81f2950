import type { Queryable } from '../../../database/database.ts';

/** The requests to an endpoint within an hour that had the same outcome and about the same latency. */
export interface WebhookHourRow {
  hour: Date;
  succeeded: boolean;
  latencyStep: number;
  attempts: number;
}

export const listWebhookHours = (db: Queryable, endpointId: string, since: Date): Promise<WebhookHourRow[]> =>
  db.webhookHour.findMany({
    where: { endpointId, hour: { gte: since } },
    select: { hour: true, succeeded: true, latencyStep: true, attempts: true },
  });

/** Deletes some hours before this one; returns how many rows. */
export const deleteWebhookHours = (db: Queryable, before: Date, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM webhook_hour WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM webhook_hour WHERE hour < ${before} ORDER BY hour LIMIT ${limit}))`;
