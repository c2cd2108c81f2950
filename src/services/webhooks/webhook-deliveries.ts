import { z } from 'zod';
import { notFound } from '../../domain/errors.ts';
import { isUuid } from '../../domain/ids.ts';
import type { Action } from '../../domain/people/roles.ts';
import type { Database } from '../../persistence/database.ts';
import {
  type DeliveryRow,
  findDelivery,
  listDeliveries,
  resendDelivery,
} from '../../persistence/webhooks/webhook-deliveries.ts';
import {
  findWebhookEndpoint,
  findWebhookEndpointById,
} from '../../persistence/webhooks/webhook-endpoints.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller, operatorFor, type OperatorCaller } from '../caller.ts';
import { type FieldNames, parse } from '../parse.ts';
import { createResendStretch } from './resend-stretch.ts';
import { deliveryViews, type WebhookDeliveryView } from './webhook-delivery-view.ts';

export interface WebhookDeliveryService {
  /**
   * Newest events first, with every attempt. `cursor` is `nextCursor` of the previous page; `names` maps page
   * fields to the transport's names.
   */
  list(
    caller: Caller,
    endpointId: string,
    page: { limit: number; cursor?: string | undefined },
    names?: FieldNames,
  ): Promise<{ data: WebhookDeliveryView[]; nextCursor?: string }>;
  /** Sends the event again, whatever its state, on a new schedule. */
  resend(caller: Caller, id: string): Promise<WebhookDeliveryView>;
  /**
   * Sends every event since an instant, and before `until`, again, including those missed while disabled.
   * Returns how many. Above 20,000, fails with `too_many_events`, suggesting an `until`; the operator has no
   * limit.
   */
  resendSince(caller: Caller, endpointId: string, since: Date, until?: Date): Promise<number>;
  /** The operator acting for the organization of a delivery, which the command line names by id alone. */
  operatorOf(id: string): Promise<OperatorCaller>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  now: () => Date;
}

const maximumLimit = 100;
const limitRule = `must be a whole number from 1 to ${maximumLimit}`;

const pageSchema = z.object({
  limit: z.number(limitRule).int(limitRule).min(1, limitRule).max(maximumLimit, limitRule),
  cursor: z.string().refine(isUuid, 'must come from an earlier page').optional(),
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
      const { limit, cursor } = parse(pageSchema, wanted, names);
      const rows = await listDeliveries(db, endpointId, { beforeEventId: cursor, limit: limit + 1 });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const data = await deliveryViews(db, caller, page);
      return { data, ...(rows.length > limit && last && { nextCursor: last.eventId }) };
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

    async operatorOf(id) {
      const row = isUuid(id) ? await findDelivery(db, id) : null;
      const endpoint = row && (await findWebhookEndpointById(db, row.endpointId));
      if (!endpoint) throw notFound('WebhookDelivery', id);
      return operatorFor(endpoint.organizationId, endpoint.mode);
    },
  };
}
