import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import { Unavailable } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { KeyRing } from '../encryption/rules/envelope.ts';
import type { WebhookResponse, WebhookTransport } from './rules/webhook.ts';
import type { Database } from '../../database/database.ts';
import type { WebhookEndpointRow } from './store/webhook-endpoints.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../base/caller.ts';
import { headersView, type WebhookAttemptView } from './views/webhook-delivery-view.ts';
import { openSecrets } from './open-secrets.ts';

/** Sends an event without meaning to an endpoint and waits for its response. */
export type TestWebhookEndpoint = (
  caller: Caller,
  endpoint: WebhookEndpointRow,
) => Promise<WebhookAttemptView>;

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  keyRing: KeyRing;
  transport: Pick<WebhookTransport, 'send'>;
  now: () => Date;
}

/** Not an event of the organization: it has no sequence number, and no receiver may take it for money. */
const testEventType = 'webhook_test';
/** Few at once, because each may take as long as an endpoint hangs. */
const maximumAtOnce = 30;
const maximumOfOrganization = 5;

const messageAt = (createdAt: Date) => {
  const id = newId(createdAt);
  return {
    id,
    body: JSON.stringify({ id, type: testEventType, createdAt: createdAt.toISOString(), data: {} }),
  };
};

export function createWebhookTests({
  db,
  audit,
  keyRing,
  transport,
  now,
}: Dependencies): TestWebhookEndpoint {
  const places = bulkhead(maximumAtOnce);
  const taken = new Map<string, number>();

  async function inPlace<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    const others = taken.get(organizationId) ?? 0;
    if (others >= maximumOfOrganization) throw new Unavailable('full');
    taken.set(organizationId, others + 1);
    try {
      return await places.execute(work);
    } catch (error) {
      throw error instanceof BulkheadRejectedError ? new Unavailable('full') : error;
    } finally {
      const left = (taken.get(organizationId) ?? 0) - 1;
      if (left > 0) taken.set(organizationId, left);
      else taken.delete(organizationId);
    }
  }

  function send(endpoint: WebhookEndpointRow, startedAt: Date): Promise<WebhookResponse> {
    const secrets = openSecrets(keyRing, endpoint, startedAt);
    const { signal } = new AbortController();
    const request = { url: endpoint.url, message: messageAt(startedAt), secrets, signal };
    return inPlace(endpoint.organizationId, () => transport.send(request));
  }

  return async (caller, endpoint) => {
    const startedAt = now();
    await audit.record(db, caller, 'webhook_endpoint.test', endpoint.id);
    const response = await send(endpoint, startedAt);
    const received = response.error === null ? response : undefined;
    return {
      statusCode: response.status,
      error: response.error,
      answer: received?.body ?? null,
      responseHeaders: received?.headers ? headersView(received.headers) : null,
      latencyMs: Math.round(response.latencyMs),
      startedAt,
    };
  };
}
