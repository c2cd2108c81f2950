import type { KeyRing } from '../encryption/rules/envelope.ts';
import { notFound } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import type { WebhookTransport } from './rules/webhook.ts';
import type { Database } from '../../database/database.ts';
import { findEventOfDelivery } from './store/webhook-deliveries.ts';
import { findWebhookEndpoint } from './store/webhook-endpoints.ts';
import { assertMay, type Caller, may } from '../base/caller.ts';
import type { PayerViews } from '../audit/payer-views.ts';
import { bodyShownTo } from '../events/events.ts';
import { type HeaderView, headersView } from './views/webhook-delivery-view.ts';
import { openSecrets } from './open-secrets.ts';

interface WebhookRequestView {
  method: 'POST';
  url: string;
  /** Signed just now, for callers who may manage webhooks. */
  headers: HeaderView[];
  /** Leaves out payer data for callers who may not read it. */
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

/** Shows the request that a delivery would send now, so that somebody can repeat it by hand. */
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
