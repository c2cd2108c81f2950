import type { KeyRing } from '../encryption/rules/envelope.ts';
import { newId } from '../base/ids.ts';
import { hourOf, latencyStepOf } from '../base/time/latency.ts';
import { hasFailedTooLong, nextAttemptAt } from '../base/pacing/retry-schedule.ts';
import type { WebhookResponse, WebhookTransport } from './rules/webhook.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Tracing } from '../../observability/tracing.ts';
import type { Database } from '../../database/database.ts';
import { gather } from '../../database/gather.ts';
import {
  type ClaimedDelivery,
  type DeliveryOutcome,
  recordOutcomes,
  releaseDelivery,
} from './store/delivery-claims.ts';
import { disableFailingEndpoint } from './store/webhook-endpoints.ts';
import { createDeliveryClaims, type DeliveryClaims } from './delivery-claims.ts';
import { openSecrets } from './open-secrets.ts';

export interface WebhookSender extends DeliveryClaims {
  /** Sends a delivery and records the outcome. If `signal` aborts, releases it to be sent again. */
  deliver(delivery: ClaimedDelivery, signal: AbortSignal): Promise<void>;
}

interface Dependencies {
  db: Database;
  keyRing: KeyRing;
  transport: Pick<WebhookTransport, 'send'>;
  now: () => Date;
  logger: Logger;
  metrics: Pick<Metrics, 'webhookSent' | 'organizationTook'>;
  tracing: Tracing;
}

const isGone = ({ status }: WebhookResponse): boolean => status === 410;

const isSuccess = ({ status }: WebhookResponse): boolean => status !== null && status >= 200 && status < 300;

export function createWebhookSender(dependencies: Dependencies): WebhookSender {
  const { db, keyRing, transport, now, logger, metrics, tracing } = dependencies;
  const record = gather(async (outcomes: readonly DeliveryOutcome[]) => {
    await recordOutcomes(db, outcomes);
    return outcomes;
  });

  function outcomeOf(delivery: ClaimedDelivery, response: WebhookResponse, startedAt: Date): DeliveryOutcome {
    const attemptCount = delivery.attemptCount + 1;
    const received = response.error === null ? response : undefined;
    const retryAt = isGone(response)
      ? undefined
      : nextAttemptAt(attemptCount, now(), {
          retryAfterMs: received?.retryAfterMs,
          random: Math.random(),
        });
    const attempt = {
      id: newId(startedAt),
      statusCode: response.status,
      error: response.error,
      answer: received?.body ?? null,
      responseHeaders: received?.headers ?? null,
      latencyMs: Math.round(response.latencyMs),
      startedAt,
      hour: hourOf(startedAt),
      succeeded: isSuccess(response),
      latencyStep: latencyStepOf(response.latencyMs),
    };
    const common = {
      deliveryId: delivery.id,
      endpointId: delivery.endpointId,
      holder: delivery.holder,
      attemptCount,
      attempt,
    };
    if (isSuccess(response)) return { ...common, status: 'delivered', nextAttemptAt: null };
    return retryAt
      ? { ...common, status: 'pending', nextAttemptAt: retryAt }
      : { ...common, status: 'exhausted', nextAttemptAt: null };
  }

  async function disable(id: string, disabledReason: string, failingSince?: Date): Promise<void> {
    if (await disableFailingEndpoint(db, { id, disabledReason, failingSince }))
      logger.warn({ endpointId: id, disabledReason }, 'webhook endpoint disabled');
  }

  async function disableIfHopeless({ endpointId, failingSince }: ClaimedDelivery, response: WebhookResponse) {
    if (isSuccess(response)) return;
    if (isGone(response)) await disable(endpointId, 'it answered 410 Gone');
    // Another request may have been accepted since the claim.
    else if (failingSince && hasFailedTooLong(failingSince, now()))
      await disable(endpointId, 'it failed for five days', failingSince);
  }

  /** If no key of the ring opens a secret, the attempt fails, so that it is visible and retried with backoff. */
  async function send(delivery: ClaimedDelivery, at: Date, signal: AbortSignal): Promise<WebhookResponse> {
    const { endpointId, url, eventId, body } = delivery;
    let secrets: readonly string[];
    try {
      secrets = openSecrets(keyRing, { ...delivery, id: endpointId }, at);
    } catch (error) {
      logger.error({ endpointId, error }, 'cannot read the signing secret of a webhook endpoint');
      return { error: 'the signing secret cannot be read', status: null, latencyMs: 0 };
    }
    const span = tracing.start('send webhook', {
      kind: 'client',
      parent: delivery.traceparent,
      attributes: {
        'http.request.method': 'POST',
        'pix.event.id': eventId,
        'pix.webhook_endpoint.id': endpointId,
      },
    });
    const { traceparent } = span;
    const message = { id: eventId, body };
    const response = await transport.send({ url, message, secrets, traceparent, signal });
    const { status } = response;
    span.end({
      ...(status !== null && { attributes: { 'http.response.status_code': status } }),
      ...(!isSuccess(response) && { failure: response.error ?? `HTTP ${status}` }),
    });
    return response;
  }

  return {
    ...createDeliveryClaims({ db, now }),

    async deliver(delivery, signal) {
      const startedAt = now();
      const response = await send(delivery, startedAt, signal);
      if (signal.aborted && !isSuccess(response)) {
        await releaseDelivery(db, delivery, now());
        return;
      }
      const outcome = outcomeOf(delivery, response, startedAt);
      metrics.organizationTook('webhooks', delivery.organizationId, 1);
      metrics.webhookSent(outcome.status === 'delivered' ? 'ok' : 'failed', response.latencyMs / 1000);
      await record(outcome);
      await disableIfHopeless(delivery, response);
    },
  };
}
