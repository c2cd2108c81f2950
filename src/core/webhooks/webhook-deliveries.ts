import { z } from 'zod';
import { notFound } from '../base/errors.ts';
import { endpointEventTypes } from '../events/rules/events.ts';
import { deliveryStates } from './rules/webhook.ts';
import { isUuid } from '../base/ids.ts';
import type { Action } from '../base/roles.ts';
import type { Database } from '../../database/database.ts';
import { listDeliveries } from './store/find-deliveries.ts';
import { resendOldestUndelivered } from './store/undelivered.ts';
import { type DeliveryRow, findDelivery, resendDelivery } from './store/webhook-deliveries.ts';
import { findWebhookEndpoint, findWebhookEndpointById } from './store/webhook-endpoints.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller, operatorFor, type OperatorCaller } from '../base/caller.ts';
import { type FieldNames, parse, textSchema } from '../base/parsing/parse.ts';
import { createResendStretch } from './resend-stretch.ts';
import { deliveryViews, type WebhookDeliveryView } from './views/webhook-delivery-view.ts';

interface DeliveryPage {
  limit: number;
  cursor?: string | undefined;
  state?: string | undefined;
  eventType?: string | undefined;
  statusCode?: number | undefined;
  error?: string | undefined;
}

export interface WebhookDeliveryService {
  /**
   * Newest events first, with every attempt. `cursor` is `nextCursor` of the previous page; `names` maps page fields to the
   * transport's names. A filtered page may be short or even empty although more follow, because each page looks at a bounded
   * number of deliveries.
   */
  list(
    caller: Caller,
    endpointId: string,
    page: DeliveryPage,
    names?: FieldNames,
  ): Promise<{ data: WebhookDeliveryView[]; nextCursor?: string }>;
  /** Sends the event again, whatever its state, on a new schedule. */
  resend(caller: Caller, id: string): Promise<WebhookDeliveryView>;
  /**
   * Sends every event since an instant and before `until` again, including those missed while disabled. Returns how many. Above
   * 20,000 it fails with `too_many_events` and suggests an `until`; the operator has no limit.
   */
  resendSince(caller: Caller, endpointId: string, since: Date, until?: Date): Promise<number>;
  /** Resends the oldest deliveries that were tried without success, at most 1,000; returns how many. */
  resendUndelivered(caller: Caller, endpointId: string): Promise<number>;
  /** The operator, acting for the delivery's organization: the command line names a delivery by id alone. */
  operatorOf(id: string): Promise<OperatorCaller>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  now: () => Date;
}

const maximumLimit = 100;
const resentAtOnce = 1_000;
const limitRule = `must be a whole number from 1 to ${maximumLimit}`;

const statusRule = 'must be a status of HTTP';

const pageSchema = z.object({
  limit: z.number(limitRule).int(limitRule).min(1, limitRule).max(maximumLimit, limitRule),
  cursor: z.string().refine(isUuid, 'must come from an earlier page').optional(),
  state: z.enum(deliveryStates, `must be one of ${deliveryStates.join(', ')}`).optional(),
  eventType: z.enum(endpointEventTypes, `must be one of ${endpointEventTypes.join(', ')}`).optional(),
  statusCode: z.int(statusRule).min(100, statusRule).max(599, statusRule).optional(),
  error: textSchema(200).optional(),
});

export function createWebhookDeliveryService({ db, audit, now }: Dependencies): WebhookDeliveryService {
  const resendStretch = createResendStretch({ db, audit, now });

  async function assertEndpoint(caller: Caller, action: Action, id: string): Promise<void> {
    assertMay(caller, action);
    if (!isUuid(id) || !(await findWebhookEndpoint(db, caller, id))) throw notFound('WebhookEndpoint', id);
  }

  async function existing(caller: Caller, id: string): Promise<DeliveryRow> {
    assertMay(caller, 'webhooks:resend');
    const row = isUuid(id) ? await findDelivery(db, id) : null;
    const endpoint = row && (await findWebhookEndpoint(db, caller, row.endpointId));
    if (!row || !endpoint) throw notFound('WebhookDelivery', id);
    return row;
  }

  return {
    async list(caller, endpointId, wanted, names = {}) {
      await assertEndpoint(caller, 'webhooks:read', endpointId);
      const { limit, cursor, ...filter } = parse(pageSchema, wanted, names);
      const found = await listDeliveries(db, endpointId, {
        ...filter,
        beforeEventId: cursor,
        limit: limit + 1,
      });
      const page = found.rows.slice(0, limit);
      const hasMore = found.rows.length > limit;
      const nextCursor = hasMore ? page.at(-1)?.eventId : (found.scannedTo ?? undefined);
      const data = await deliveryViews(db, caller, page);
      return { data, ...(nextCursor !== undefined && { nextCursor }) };
    },

    async resend(caller, id) {
      const row = await existing(caller, id);
      await db.$transaction(async (tx) => {
        await resendDelivery(tx, row.id, now());
        await audit.record(tx, caller, 'webhook_delivery.resend', row.id);
      });
      const [view] = await deliveryViews(db, caller, [await existing(caller, id)]);
      if (!view) throw notFound('WebhookDelivery', id);
      return view;
    },

    async resendSince(caller, endpointId, since, until) {
      await assertEndpoint(caller, 'webhooks:resend', endpointId);
      return resendStretch(caller, endpointId, { since, until });
    },

    async resendUndelivered(caller, endpointId) {
      await assertEndpoint(caller, 'webhooks:resend', endpointId);
      return db.$transaction(async (tx) => {
        const resent = await resendOldestUndelivered(tx, endpointId, { limit: resentAtOnce, now: now() });
        await audit.record(tx, caller, 'webhook_endpoint.resend_undelivered', endpointId, { resent });
        return resent;
      });
    },

    async operatorOf(id) {
      const row = isUuid(id) ? await findDelivery(db, id) : null;
      const endpoint = row && (await findWebhookEndpointById(db, row.endpointId));
      if (!endpoint) throw notFound('WebhookDelivery', id);
      return operatorFor(endpoint.organizationId, endpoint.mode);
    },
  };
}
