import { type KeyRing, seal } from '../encryption/rules/envelope.ts';
import { notFound, ServiceError } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import type { Action } from '../base/roles.ts';
import type { WebhookTransport } from './rules/webhook.ts';
import type { Database } from '../../database/database.ts';
import {
  changeWebhookEndpoint,
  findWebhookEndpoint,
  findWebhookEndpointById,
  listWebhookEndpoints,
  replaceSealedSecrets,
  type WebhookEndpointRow,
} from './store/webhook-endpoints.ts';
import type { ApprovalGate } from '../people/approvals/approval-gate.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller, operatorFor, type OperatorCaller } from '../base/caller.ts';
import { parse, withoutNulls } from '../base/parsing/parse.ts';
import {
  createWebhookEndpointChanges,
  deleteEndpoint,
  setEndpointEnabled,
  type WebhookEndpointChanges,
} from './webhook-endpoint-changes.ts';
import {
  endpointChangeSchema,
  endpointView,
  type EndpointWithSecret,
  newEndpointSchema,
  type WebhookEndpointView,
} from './views/webhook-endpoint-view.ts';
import type { WebhookAttemptView } from './views/webhook-delivery-view.ts';
import { createWebhookTests } from './webhook-tests.ts';

/** Fails with `webhook_endpoint_not_found` for other organizations' endpoints. */
export interface WebhookEndpointService {
  guarded: WebhookEndpointChanges;
  /** `input`: `{name?, url, events?}`; all events by default. The secret is shown once. */
  create(caller: Caller, input: unknown): Promise<EndpointWithSecret>;
  list(caller: Caller): Promise<WebhookEndpointView[]>;
  get(caller: Caller, id: string): Promise<WebhookEndpointView>;
  change(caller: Caller, id: string, input: unknown): Promise<WebhookEndpointView>;
  /** Waiting deliveries are sent once it is enabled. */
  setEnabled(caller: Caller, id: string, enabled: boolean): Promise<WebhookEndpointView>;
  /** Issues a new secret; the old one keeps signing for 24 hours. */
  rotate(caller: Caller, id: string): Promise<EndpointWithSecret>;
  /** Deletes it for good, with whatever was waiting for it. */
  delete(caller: Caller, id: string): Promise<void>;
  /** Sends an event without meaning, even to a disabled endpoint, and waits for the response. */
  test(caller: Caller, id: string): Promise<WebhookAttemptView>;
  /** The operator, acting for the endpoint's organization: the command line names an endpoint by id alone. */
  operatorOf(id: string): Promise<OperatorCaller>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  gate: ApprovalGate;
  now: () => Date;
  keyRing: KeyRing;
  transport: Pick<WebhookTransport, 'newSecret' | 'parseUrl' | 'send'>;
}

const overlapMs = 24 * 3_600_000;
/** More than any tenant has. */
const listLimit = 1_000;

export function createWebhookEndpointService(dependencies: Dependencies): WebhookEndpointService {
  const { db, audit, gate, now, keyRing, transport } = dependencies;
  const testEndpoint = createWebhookTests(dependencies);
  const changes = createWebhookEndpointChanges({ audit, now, keyRing, transport });

  async function existing(caller: Caller, action: Action, id: string): Promise<WebhookEndpointRow> {
    assertMay(caller, action);
    const row = isUuid(id) ? await findWebhookEndpoint(db, caller, id) : null;
    if (!row) throw notFound('WebhookEndpoint', id);
    return row;
  }

  return {
    guarded: changes,

    async create(caller, input) {
      assertMay(caller, 'webhooks:manage');
      return gate.pass(
        caller,
        changes['webhook_endpoint.create'],
        parse(newEndpointSchema, withoutNulls(input)),
      );
    },

    async list(caller) {
      assertMay(caller, 'webhooks:read');
      return (await listWebhookEndpoints(db, caller, listLimit)).map(endpointView);
    },

    get: async (caller, id) => endpointView(await existing(caller, 'webhooks:read', id)),

    async change(caller, id, input) {
      assertMay(caller, 'webhooks:manage');
      const change = { id, ...parse(endpointChangeSchema, withoutNulls(input)) };
      return gate.pass(caller, changes['webhook_endpoint.update'], change);
    },

    async setEnabled(caller, id, enabled) {
      assertMay(caller, 'webhooks:manage');
      if (enabled) return gate.pass(caller, changes['webhook_endpoint.enable'], { id });
      return db.$transaction((tx) => setEndpointEnabled(tx, audit, caller, { id, enabled, now: now() }));
    },

    async rotate(caller, id) {
      const row = await existing(caller, 'webhooks:manage', id);
      const secret = transport.newSecret();
      const to = {
        sealedSecret: seal(keyRing, secret, row.id),
        previousSealedSecret: row.sealedSecret,
        previousSecretUntil: new Date(now().getTime() + overlapMs),
      };
      return db.$transaction(async (tx) => {
        if (!(await replaceSealedSecrets(tx, row, to))) {
          throw new ServiceError(
            'changed_meanwhile',
            'the secret was changed at the same time: reload before changing it',
          );
        }
        const rotated = endpointView(await changeWebhookEndpoint(tx, row.id, to));
        await audit.record(tx, caller, 'webhook_endpoint.rotate_secret', row.id);
        return { ...rotated, secret };
      });
    },

    async delete(caller, id) {
      assertMay(caller, 'webhooks:manage');
      const sealedSecret = (endpointId: string) => seal(keyRing, transport.newSecret(), endpointId);
      await db.$transaction((tx) =>
        deleteEndpoint(tx, audit, caller, { id, deletedAt: now(), sealedSecret }),
      );
    },

    test: async (caller, id) => testEndpoint(caller, await existing(caller, 'webhooks:manage', id)),

    async operatorOf(id) {
      const row = isUuid(id) ? await findWebhookEndpointById(db, id) : null;
      if (!row) throw notFound('WebhookEndpoint', id);
      return operatorFor(row.organizationId, row.mode);
    },
  };
}
