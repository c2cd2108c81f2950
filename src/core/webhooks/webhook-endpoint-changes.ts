import type { z } from 'zod';
import { type KeyRing, seal } from '../encryption/rules/envelope.ts';
import { badRequest, notFound } from '../base/errors.ts';
import { isUuid, newId } from '../base/ids.ts';
import type { WebhookTransport } from './rules/webhook.ts';
import type { Queryable } from '../../database/database.ts';
import {
  changeWebhookEndpoint,
  countWebhookEndpoints,
  findWebhookEndpoint,
  hastenOverdueDeliveries,
  insertWebhookEndpoint,
  lockWebhookEndpoint,
  lockWebhookEndpoints,
  type WebhookEndpointRow,
} from './store/webhook-endpoints.ts';
import { changesWait, type GuardedChange } from '../people/approvals/approval-gate.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import {
  type endpointChangeSchema,
  type EndpointWithSecret,
  endpointView,
  type newEndpointSchema,
  type WebhookEndpointView,
} from './views/webhook-endpoint-view.ts';

type NewEndpoint = z.output<typeof newEndpointSchema>;
type EndpointChange = z.output<typeof endpointChangeSchema> & { id: string };

/** Changes that need approval in live mode, because they decide where events are sent. */
export interface WebhookEndpointChanges {
  'webhook_endpoint.create': GuardedChange<NewEndpoint, EndpointWithSecret>;
  'webhook_endpoint.update': GuardedChange<EndpointChange, WebhookEndpointView>;
  'webhook_endpoint.enable': GuardedChange<{ id: string }, WebhookEndpointView>;
}

interface Dependencies {
  audit: { record: RecordAudit };
  now: () => Date;
  keyRing: KeyRing;
  transport: Pick<WebhookTransport, 'newSecret' | 'parseUrl'>;
}

/** Every event may be sent to all of them. */
const maximumEndpoints = 100;

/** Locked until the transaction ends. */
async function locked(tx: Queryable, caller: Caller, id: string): Promise<WebhookEndpointRow> {
  assertMay(caller, 'webhooks:manage');
  if (isUuid(id)) await lockWebhookEndpoint(tx, caller, id);
  const row = isUuid(id) ? await findWebhookEndpoint(tx, caller, id) : null;
  if (!row) throw notFound('WebhookEndpoint', id);
  return row;
}

export async function setEndpointEnabled(
  tx: Queryable,
  audit: { record: RecordAudit },
  caller: Caller,
  { id, enabled, now }: { id: string; enabled: boolean; now: Date },
): Promise<WebhookEndpointView> {
  const row = await locked(tx, caller, id);
  const to = { enabled, disabledReason: null, failingSince: null };
  const changed = endpointView(await changeWebhookEndpoint(tx, row.id, to));
  if (enabled) await hastenOverdueDeliveries(tx, row.id, now);
  await audit.record(tx, caller, `webhook_endpoint.${enabled ? 'enable' : 'disable'}`, row.id);
  return changed;
}

/** Afterwards, nothing is signed with its secret any more. */
export async function deleteEndpoint(
  tx: Queryable,
  audit: { record: RecordAudit },
  caller: Caller,
  { id, deletedAt, sealedSecret }: { id: string; deletedAt: Date; sealedSecret: (id: string) => string },
): Promise<void> {
  const row = await locked(tx, caller, id);
  await changeWebhookEndpoint(tx, row.id, {
    enabled: false,
    deletedAt,
    disabledReason: null,
    failingSince: null,
    sealedSecret: sealedSecret(row.id),
    previousSealedSecret: null,
    previousSecretUntil: null,
  });
  await audit.record(tx, caller, 'webhook_endpoint.delete', row.id, { url: row.url });
}

const needsApprovalInLive = async (tx: Queryable, caller: Caller) =>
  caller.mode === 'live' && changesWait(tx, caller);

export function createWebhookEndpointChanges(dependencies: Dependencies): WebhookEndpointChanges {
  const { audit, now, keyRing, transport } = dependencies;

  const becoming = ({ mode }: WebhookEndpointRow, { name, url, events }: Omit<EndpointChange, 'id'>) => ({
    ...(name !== undefined && { name: name || null }),
    ...(url !== undefined && { url: transport.parseUrl(url, mode) }),
    ...(events && { events }),
  });

  const create: GuardedChange<NewEndpoint, EndpointWithSecret> = {
    action: 'webhook_endpoint.create',
    waits: needsApprovalInLive,

    async describe(tx, caller, { name, url, events = [] }) {
      await lockWebhookEndpoints(tx, caller);
      const after = { ...(name && { name }), url: transport.parseUrl(url, caller.mode), events };
      return { subject: null, before: null, after };
    },

    async apply(tx, caller, { name, url, events = [] }) {
      await lockWebhookEndpoints(tx, caller);
      if ((await countWebhookEndpoints(tx, caller)) >= maximumEndpoints)
        throw badRequest(`there may be at most ${maximumEndpoints} webhook endpoints: delete one first`);
      const createdAt = now();
      const id = newId(createdAt);
      const secret = transport.newSecret();
      const row: WebhookEndpointRow = {
        id,
        organizationId: caller.organizationId,
        mode: caller.mode,
        name: name || null,
        url: transport.parseUrl(url, caller.mode),
        events,
        enabled: true,
        disabledReason: null,
        sealedSecret: seal(keyRing, secret, id),
        previousSealedSecret: null,
        previousSecretUntil: null,
        failingSince: null,
        createdAt,
        deletedAt: null,
      };
      await insertWebhookEndpoint(tx, row);
      await audit.record(tx, caller, create.action, id, { ...(name && { name }), url, events });
      return { ...endpointView(row), secret };
    },

    secretOf: ({ secret }) => secret,
  };

  const update: GuardedChange<EndpointChange, WebhookEndpointView> = {
    action: 'webhook_endpoint.update',
    waits: async (tx, caller, { url }) => url !== undefined && needsApprovalInLive(tx, caller),

    async describe(tx, caller, { id, ...change }) {
      const row = await locked(tx, caller, id);
      const before = { ...(row.name !== null && { name: row.name }), url: row.url, events: row.events };
      return { subject: row.id, before, after: { ...before, ...becoming(row, change) } };
    },

    async apply(tx, caller, { id, ...change }) {
      const row = await locked(tx, caller, id);
      const to = becoming(row, change);
      const changed = endpointView(await changeWebhookEndpoint(tx, row.id, to));
      await audit.record(tx, caller, update.action, row.id, to);
      return changed;
    },
  };

  const enable: GuardedChange<{ id: string }, WebhookEndpointView> = {
    action: 'webhook_endpoint.enable',
    waits: needsApprovalInLive,

    async describe(tx, caller, { id }) {
      const { url, enabled, id: subject } = await locked(tx, caller, id);
      return { subject, before: { url, enabled }, after: { url, enabled: true } };
    },

    apply: (tx, caller, { id }) => setEndpointEnabled(tx, audit, caller, { id, enabled: true, now: now() }),
  };

  return {
    'webhook_endpoint.create': create,
    'webhook_endpoint.update': update,
    'webhook_endpoint.enable': enable,
  };
}
