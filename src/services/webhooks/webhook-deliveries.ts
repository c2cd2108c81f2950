import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import { z } from 'zod';
import type { KeyRing } from '../../domain/security/envelope.ts';
import { notFound, ServiceError, Unavailable } from '../../domain/errors.ts';
import { firstIdAt, isUuid, newId } from '../../domain/ids.ts';
import type { Action } from '../../domain/people/roles.ts';
import { hasFailedTooLong, nextAttemptAt } from '../../domain/time/retry-schedule.ts';
import type { WebhookResponse, WebhookTransport } from '../../domain/webhook.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Database } from '../../persistence/database.ts';
import { gather } from '../../persistence/gather.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DeliveryOutcome,
  type DeliveryRow,
  findDelivery,
  findEventBeyond,
  listDeliveries,
  recordOutcomes,
  releaseDelivery,
  resendDeliveriesAfter,
  resendDelivery,
} from '../../persistence/webhooks/webhook-deliveries.ts';
import {
  findWebhookEndpoint,
  findWebhookEndpointById,
  noteEndpointHealth,
} from '../../persistence/webhooks/webhook-endpoints.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller, operatorFor, type OperatorCaller } from '../caller.ts';
import { type FieldNames, parse } from '../parse.ts';
import { deliveryViews, type WebhookDeliveryView } from './webhook-delivery-view.ts';
import { openSecrets } from './webhook-endpoints.ts';

export interface WebhookDeliveryService {
  /**
   * Claims at most `limit` due deliveries for one lease. `sending` is the number of requests in flight per
   * endpoint; none exceeds its share.
   */
  claim(limit: number, sending: ReadonlyMap<string, number>): Promise<ClaimedDelivery[]>;
  /** Sends a delivery and records the outcome. If `signal` aborts, it is released to be sent again. */
  deliver(delivery: ClaimedDelivery, signal: AbortSignal): Promise<void>;
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
  keyRing: KeyRing;
  transport: Pick<WebhookTransport, 'send'>;
  now: () => Date;
  logger: Logger;
  metrics: Pick<Metrics, 'webhookSent'>;
}

/** Longer than a request can take, so a live sender never loses its claim. */
const leaseMs = 30_000;
const endpointLimit = 20;
const failingEndpointLimit = 2;
const maximumLimit = 100;
/** Events per transaction. */
const resendAtOnce = 5_000;
const maximumResent = 20_000;
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** For all organizations together, as payments come first. */
const resendSlots = { atOnce: 2, waiting: 20 };
const limitRule = `must be a whole number from 1 to ${maximumLimit}`;

const pageSchema = z.object({
  limit: z.number(limitRule).int(limitRule).min(1, limitRule).max(maximumLimit, limitRule),
  cursor: z.string().refine(isUuid, 'must come from an earlier page').optional(),
});

interface Stretch {
  since: Date;
  afterEventId: string;
  beforeEventId: string;
}

const isSuccess = (response: WebhookResponse): boolean =>
  'status' in response && response.status >= 200 && response.status < 300;

export function createWebhookDeliveryService(dependencies: Dependencies): WebhookDeliveryService {
  const { db, audit, keyRing, transport, now, logger, metrics } = dependencies;
  const record = gather(async (outcomes: readonly DeliveryOutcome[]) => {
    await recordOutcomes(db, outcomes);
    return outcomes;
  });

  function outcomeOf(delivery: ClaimedDelivery, response: WebhookResponse, startedAt: Date): DeliveryOutcome {
    const attemptCount = delivery.attemptCount + 1;
    const isGone = 'status' in response && response.status === 410;
    const retryAfterMs = 'status' in response ? response.retryAfterMs : undefined;
    const retryAt = isGone
      ? undefined
      : nextAttemptAt(attemptCount, now(), { retryAfterMs, random: Math.random() });
    const attempt = {
      id: newId(startedAt),
      statusCode: 'status' in response ? response.status : null,
      error: 'error' in response ? response.error : null,
      answer: 'status' in response ? response.body : null,
      latencyMs: Math.round(response.latencyMs),
      startedAt,
    };
    const common = { deliveryId: delivery.id, holder: delivery.holder, attemptCount, attempt };
    if (isSuccess(response)) return { ...common, status: 'delivered', nextAttemptAt: null };
    return retryAt
      ? { ...common, status: 'pending', nextAttemptAt: retryAt }
      : { ...common, status: 'exhausted', nextAttemptAt: null };
  }

  async function disable(endpointId: string, disabledReason: string): Promise<void> {
    await noteEndpointHealth(db, endpointId, { disabledReason });
    logger.warn({ endpointId, disabledReason }, 'webhook endpoint disabled');
  }

  async function noteHealth({ endpointId, failingSince }: ClaimedDelivery, response: WebhookResponse) {
    if (isSuccess(response)) {
      if (failingSince) await noteEndpointHealth(db, endpointId, { failingSince: null });
    } else if ('status' in response && response.status === 410) {
      await disable(endpointId, 'it answered 410 Gone');
    } else if (!failingSince) {
      await noteEndpointHealth(db, endpointId, { failingSince: now() });
    } else if (hasFailedTooLong(failingSince, now())) {
      await disable(endpointId, 'it failed for five days');
    }
  }

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

  /** A secret that no key of the ring opens counts as a failed attempt: visible, and retried with backoff. */
  async function send(delivery: ClaimedDelivery, at: Date, signal: AbortSignal): Promise<WebhookResponse> {
    const { endpointId, url, eventId, body } = delivery;
    let secrets: readonly string[];
    try {
      secrets = openSecrets(keyRing, { ...delivery, id: endpointId }, at);
    } catch (error) {
      logger.error({ endpointId, error }, 'cannot read the signing secret of a webhook endpoint');
      return { error: 'the signing secret cannot be read', latencyMs: 0 };
    }
    return transport.send({ url, message: { id: eventId, body }, secrets, signal });
  }

  const resending = new Set<string>();
  const slots = bulkhead(resendSlots.atOnce, resendSlots.waiting);

  async function assertFew(caller: Caller, stretch: Stretch): Promise<void> {
    if (caller.kind === 'operator') return;
    const beyond = await findEventBeyond(db, caller, { ...stretch, limit: maximumResent });
    if (!beyond) return;
    throw new ServiceError(
      'too_many_events',
      `since must leave at most ${maximumResent} events: send them in parts, the first of them until ${beyond.toISOString()}`,
    );
  }

  /** In parts, to keep transactions short; each part is recorded in the audit log. */
  async function resendStretch(caller: Caller, endpointId: string, stretch: Stretch): Promise<number> {
    const { organizationId, mode } = caller;
    const endpoint = { id: endpointId, organizationId, mode };
    const resendPart = (afterEventId: string) =>
      db.$transaction(async (tx) => {
        const wanted = { ...stretch, afterEventId, limit: resendAtOnce };
        const part = await resendDeliveriesAfter(tx, endpoint, wanted, now());
        const details = { since: stretch.since.toISOString(), resent: part.resent };
        if (part.resent > 0 || afterEventId === stretch.afterEventId) {
          await audit.record(tx, caller, 'webhook_endpoint.resend_since', endpointId, details);
        }
        return part;
      });
    let resent = 0;
    for (let after: string | null = stretch.afterEventId; after !== null;) {
      const part = await resendPart(after);
      resent += part.resent;
      after = part.lastEventId;
    }
    return resent;
  }

  /** One at a time per organization, and few in all. */
  async function resendInTurn(organizationId: string, resend: () => Promise<number>): Promise<number> {
    if (resending.has(organizationId)) {
      throw new ServiceError(
        'resend_in_progress',
        'Another resend is in progress: wait until it has finished',
        {
          retryAfterSeconds: 1,
        },
      );
    }
    resending.add(organizationId);
    try {
      return await slots.execute(resend);
    } catch (error) {
      throw error instanceof BulkheadRejectedError ? new Unavailable('full') : error;
    } finally {
      resending.delete(organizationId);
    }
  }

  return {
    claim: (limit, sending) =>
      claimDeliveries(db, {
        now: now(),
        leasedUntil: new Date(now().getTime() + leaseMs),
        limit,
        endpointLimit,
        failingEndpointLimit,
        sending,
      }),

    async deliver(delivery, signal) {
      const startedAt = now();
      const response = await send(delivery, startedAt, signal);
      if (signal.aborted && !isSuccess(response)) {
        await releaseDelivery(db, delivery, now());
        return;
      }
      const outcome = outcomeOf(delivery, response, startedAt);
      metrics.webhookSent(outcome.status === 'delivered' ? 'ok' : 'failed', response.latencyMs / 1000);
      await record(outcome);
      await noteHealth(delivery, response);
    },

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
      const stretch = {
        since,
        afterEventId: firstIdAt(since),
        beforeEventId: until ? firstIdAt(until) : lastId,
      };
      return resendInTurn(caller.organizationId, async () => {
        await assertFew(caller, stretch);
        return resendStretch(caller, endpointId, stretch);
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
