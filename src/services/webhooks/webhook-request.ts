import type { KeyRing } from '../../domain/security/envelope.ts';
import { notFound } from '../../domain/errors.ts';
import { isUuid } from '../../domain/ids.ts';
import type { WebhookTransport } from '../../domain/webhook.ts';
import type { Database } from '../../persistence/database.ts';
import { findEventOfDelivery } from '../../persistence/webhooks/webhook-deliveries.ts';
import { findWebhookEndpoint } from '../../persistence/webhooks/webhook-endpoints.ts';
import { assertMay, type Caller, may } from '../caller.ts';
import type { PayerViews } from '../audit/payer-views.ts';
import { bodyShownTo } from './events.ts';
import { type HeaderView, headersView } from './webhook-delivery-view.ts';
import { openSecrets } from './open-secrets.ts';

export interface WebhookRequestView {
  method: 'POST';
  url: string;
  /** With a signature made now, for callers who may manage webhooks. */
  headers: HeaderView[];
  /** Without payer data for callers who may not read it. */
  body: string;
}

interface Dependencies {
  db: Database;
  keyRing: KeyRing;
  transport: Pick<WebhookTransport, 'headersOf'>;
  payerViews: Pick<PayerViews, 'reveal'>;
  now: () => Date;
}

const signatureHeader = 'webhook-signature';

/** The request that would be sent for a delivery now, to repeat it by hand. */
export type WebhookRequests = (caller: Caller, deliveryId: string) => Promise<WebhookRequestView>;

export function createWebhookRequests(dependencies: Dependencies): WebhookRequests {
  const { db, keyRing, transport, payerViews, now } = dependencies;
  return async (caller, id) => {
    assertMay(caller, 'webhooks:read');
    const event = isUuid(id) ? await findEventOfDelivery(db, id) : null;
    const endpoint = event && (await findWebhookEndpoint(db, caller, event.endpointId));
    if (!event || !endpoint) throw notFound('WebhookDelivery', id);
    const { eventId, paymentId, body, traceparent } = event;
    const signed = transport.headersOf({
      message: { id: eventId, body },
      secrets: openSecrets(keyRing, endpoint, now()),
      traceparent: traceparent ?? undefined,
    });
    const maySign = may(caller, 'webhooks:manage');
    const headers = headersView(signed).filter(({ name }) => maySign || name !== signatureHeader);
    const view = { method: 'POST', url: endpoint.url, headers } as const;
    return may(caller, 'payers:read')
      ? payerViews.reveal(caller, paymentId, view, { body: () => body })
      : { ...view, body: bodyShownTo(caller, body) };
  };
}
