import { z } from 'zod';
import { type KeyRing, open, rewrap, seal } from '../domain/envelope.ts';
import { conflict, notFound } from '../domain/errors.ts';
import { eventTypes, type EventType } from '../domain/events.ts';
import { isUuid, newId } from '../domain/ids.ts';
import type { Mode } from '../domain/mode.ts';
import type { Action } from '../domain/roles.ts';
import type { WebhookTransport } from '../domain/webhook.ts';
import type { Database } from '../persistence/database.ts';
import {
  changeWebhookEndpoint,
  findWebhookEndpoint,
  findWebhookEndpointById,
  insertWebhookEndpoint,
  listWebhookEndpoints,
  pageOfWebhookEndpoints,
  replaceSealedSecrets,
  type WebhookEndpointChange,
  type WebhookEndpointRow,
} from '../persistence/webhook-endpoints.ts';
import type { RecordAudit } from './audit.ts';
import { assertMay, type Caller, operatorFor, type OperatorCaller } from './caller.ts';
import { parse, withoutNulls } from './parse.ts';

/** An endpoint without its secret. */
export interface WebhookEndpointView {
  id: string;
  mode: Mode;
  url: string;
  /** None: all of them. */
  events: EventType[];
  enabled: boolean;
  /** Why the service disabled it. */
  disabledReason: string | null;
  failingSince: Date | null;
  createdAt: Date;
}

export type NewlySecretEndpoint = WebhookEndpointView & { secret: string };

const eventRule = `must be one of ${eventTypes.join(', ')}`;

const urlSchema = z.string({
  error: ({ input }) => (input === undefined ? 'is required' : 'must be a URL'),
});

const changeSchema = z.object(
  {
    url: urlSchema.optional(),
    events: z
      .array(z.enum(eventTypes, { error: eventRule }), { error: 'must be a list of events' })
      .transform((events) => [...new Set(events)])
      .optional(),
  },
  { error: 'must be an object' },
);

const newSchema = changeSchema.extend({ url: urlSchema });

/** Every function is for a person or the operator, never for a key, and fails with a 404 for what is not the caller's. */
export interface WebhookEndpointService {
  /** `input`: `{url, events?}`, all events when none is named. The secret is shown this once. */
  create(caller: Caller, input: unknown): Promise<NewlySecretEndpoint>;
  list(caller: Caller): Promise<WebhookEndpointView[]>;
  get(caller: Caller, id: string): Promise<WebhookEndpointView>;
  change(caller: Caller, id: string, input: unknown): Promise<WebhookEndpointView>;
  /** What waited for it is delivered once it is enabled. */
  setEnabled(caller: Caller, id: string, enabled: boolean): Promise<WebhookEndpointView>;
  /** A new secret; the old one signs as well for 24 hours. */
  rotate(caller: Caller, id: string): Promise<NewlySecretEndpoint>;
  /** The operator as the tenant of an endpoint, which the command line names by its id alone. */
  operatorOf(id: string): Promise<OperatorCaller>;
  /** Moves every secret to the first key of the ring; answers how many endpoints moved. */
  rewrap(): Promise<{ rewrapped: number }>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  now: () => Date;
  keyRing: KeyRing;
  transport: Pick<WebhookTransport, 'newSecret' | 'parseUrl'>;
}

const overlapMs = 24 * 3_600_000;
/** More endpoints than any tenant has. */
const listLimit = 1_000;
const pageSize = 100;

/** The secrets that sign now, the newest first. */
export function openSecrets(
  keyRing: KeyRing,
  endpoint: Pick<WebhookEndpointRow, 'id' | 'sealedSecret' | 'previousSealedSecret' | 'previousSecretUntil'>,
  now: Date,
): string[] {
  const { id, sealedSecret, previousSealedSecret: previous, previousSecretUntil: until } = endpoint;
  const sealed = previous && until && until > now ? [sealedSecret, previous] : [sealedSecret];
  return sealed.map((each) => open(keyRing, each, id));
}

const viewOf = (row: WebhookEndpointRow): WebhookEndpointView => ({
  id: row.id,
  mode: row.mode,
  url: row.url,
  events: row.events,
  enabled: row.enabled,
  disabledReason: row.disabledReason,
  failingSince: row.failingSince,
  createdAt: row.createdAt,
});

export function createWebhookEndpointService(dependencies: Dependencies): WebhookEndpointService {
  const { db, audit, now, keyRing, transport } = dependencies;

  async function existing(caller: Caller, action: Action, id: string): Promise<WebhookEndpointRow> {
    assertMay(caller, action);
    const row = isUuid(id) ? await findWebhookEndpoint(db, caller, id) : null;
    if (!row) throw notFound('WebhookEndpoint', id);
    return row;
  }

  const change = (
    caller: Caller,
    id: string,
    to: WebhookEndpointChange,
    [action, details]: [action: string, details?: Parameters<RecordAudit>[4]],
  ): Promise<WebhookEndpointView> =>
    db.$transaction(async (tx) => {
      const changed = viewOf(await changeWebhookEndpoint(tx, id, to));
      await audit.record(tx, caller, `webhook_endpoint.${action}`, id, details);
      return changed;
    });

  return {
    async create(caller, input) {
      assertMay(caller, 'webhooks:manage');
      const { url, events = [] } = parse(newSchema, withoutNulls(input));
      const createdAt = now();
      const id = newId(createdAt);
      const secret = transport.newSecret();
      const row: WebhookEndpointRow = {
        id,
        organizationId: caller.organizationId,
        mode: caller.mode,
        url: transport.parseUrl(url, caller.mode),
        events,
        enabled: true,
        disabledReason: null,
        sealedSecret: seal(keyRing, secret, id),
        previousSealedSecret: null,
        previousSecretUntil: null,
        failingSince: null,
        createdAt,
      };
      await db.$transaction(async (tx) => {
        await insertWebhookEndpoint(tx, row);
        await audit.record(tx, caller, 'webhook_endpoint.create', id, { url, events });
      });
      return { ...viewOf(row), secret };
    },

    async list(caller) {
      assertMay(caller, 'webhooks:read');
      return (await listWebhookEndpoints(db, caller, listLimit)).map(viewOf);
    },

    get: async (caller, id) => viewOf(await existing(caller, 'webhooks:read', id)),

    async change(caller, id, input) {
      const row = await existing(caller, 'webhooks:manage', id);
      const { url, events } = parse(changeSchema, withoutNulls(input));
      const to = {
        ...(url !== undefined && { url: transport.parseUrl(url, row.mode) }),
        ...(events && { events }),
      };
      return change(caller, row.id, to, ['update', to]);
    },

    async setEnabled(caller, id, enabled) {
      const row = await existing(caller, 'webhooks:manage', id);
      const to = { enabled, disabledReason: null, failingSince: null };
      return change(caller, row.id, to, [enabled ? 'enable' : 'disable']);
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
          throw conflict('the secret was changed at the same time: look again before changing it');
        }
        const rotated = viewOf(await changeWebhookEndpoint(tx, row.id, to));
        await audit.record(tx, caller, 'webhook_endpoint.rotate_secret', row.id);
        return { ...rotated, secret };
      });
    },

    async operatorOf(id) {
      const row = isUuid(id) ? await findWebhookEndpointById(db, id) : null;
      if (!row) throw notFound('WebhookEndpoint', id);
      return operatorFor(row.organizationId, row.mode);
    },

    async rewrap() {
      let rewrapped = 0;
      let rows = await pageOfWebhookEndpoints(db, '00000000-0000-0000-0000-000000000000', pageSize);
      while (rows.length > 0) {
        for (const row of rows) {
          const moved = (sealed: string | null) => sealed && (rewrap(keyRing, sealed, row.id) ?? sealed);
          const sealedSecret = moved(row.sealedSecret) ?? row.sealedSecret;
          const previousSealedSecret = moved(row.previousSealedSecret);
          if (sealedSecret === row.sealedSecret && previousSealedSecret === row.previousSealedSecret)
            continue;
          if (await replaceSealedSecrets(db, row, { sealedSecret, previousSealedSecret })) rewrapped += 1;
        }
        rows = await pageOfWebhookEndpoints(db, rows.at(-1)?.id ?? '', pageSize);
      }
      return { rewrapped };
    },
  };
}
