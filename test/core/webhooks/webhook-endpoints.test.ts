import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createApp, type App } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import type { KeyRing } from '../../../src/core/encryption/rules/envelope.ts';
import { createGraphqlEndpoint } from '../../../src/graphql/endpoint.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import type { Caller, OperatorCaller } from '../../../src/core/base/caller.ts';
import { deliverWebhooks } from '../../support/deliver-webhooks.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';
import {
  hostRefusal,
  isSignedWith,
  receiverHost,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/webhook-receiver.ts';

const silent = createLogger('silent', process.stdout);
const env = { ROLE: 'api', WEBHOOK_ALLOWED_HOSTS: receiverHost };
const secretPattern = /^whsec_[A-Za-z0-9+/]{43}=$/;

let app: TestApp;
let graphql: Awaited<ReturnType<typeof createGraphqlEndpoint>>;
let receiver: WebhookReceiver;
let operator: OperatorCaller;
let client: Client;

beforeAll(async () => {
  app = await startTestApp({ ...env, DATABASE_URL: await freshDatabase() });
  graphql = await createGraphqlEndpoint({
    services: app.services,
    logger: silent,
    now: () => new Date(),
  });
  receiver = await startWebhookReceiver();
});

beforeEach(async () => {
  const { organizationId, key } = await createKey(app.services);
  operator = { kind: 'operator', organizationId, mode: 'test' };
  client = createClient(app.baseUrl, key);
});

afterEach(async () => {
  receiver.requests.length = 0;
  await query(app.databaseUrl, 'UPDATE webhook_endpoint SET enabled = false');
});

afterAll(async () => {
  await receiver.stop();
  await graphql.stop();
  await app.stop();
});

interface Result {
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
  errors?: { message: string; path?: string[]; extensions: Record<string, unknown> }[];
}

/** Runs it as the transport does for a caller that is no key. */
async function run(text: string, variables: object = {}, caller: Caller = operator): Promise<Result> {
  const request = { caller, traceId: '0'.repeat(32), idempotencyKey: undefined, notes: {} };
  const { body } = await graphql.execute({ ...request, body: { query: text, variables } });
  return JSON.parse(body) as Result;
}

async function succeed(text: string, variables?: object): Promise<Result['data']> {
  const { data, errors } = await run(text, variables);
  expect(errors).toBeUndefined();
  return data;
}

const endpointFields = 'id url events enabled disabledReason failingSince rotatingUntil createdAt';

const operations = {
  list: `{ webhookEndpoints { ${endpointFields} } }`,
  get: `query ($id: ID!) { webhookEndpoint(id: $id) { ${endpointFields} } }`,
  deliveries: `query ($id: ID!, $first: Int = 20, $after: String) {
    webhookDeliveries(endpointId: $id, first: $first, after: $after) {
      edges {
        cursor
        node {
          id endpointId eventId eventType sequence paymentId status attemptCount nextAttemptAt createdAt
          attempts { statusCode error answer latencyMs startedAt }
        }
      }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`,
  create: `mutation ($input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(input: $input) { secret endpoint { ${endpointFields} } }
  }`,
  update: `mutation ($id: ID!, $input: UpdateWebhookEndpointInput = {}) {
    updateWebhookEndpoint(id: $id, input: $input) { ${endpointFields} }
  }`,
  setEnabled: `mutation ($id: ID!, $enabled: Boolean = false) {
    setWebhookEndpointEnabled(id: $id, enabled: $enabled) { ${endpointFields} }
  }`,
  rotate: `mutation ($id: ID!) { rotateWebhookSecret(id: $id) { secret endpoint { ${endpointFields} } } }`,
  resend: `mutation ($id: ID!) { resendWebhookDelivery(id: $id) { id status attemptCount } }`,
  resendSince: `mutation ($id: ID!, $since: DateTime = "2026-01-01T00:00:00Z") {
    resendWebhookDeliveriesSince(endpointId: $id, since: $since)
  }`,
};

const ofOneEndpoint = ['get', 'deliveries', 'update', 'setEnabled', 'rotate', 'resendSince'] as const;

async function create(input: object = {}): Promise<{ id: string; secret: string }> {
  const { createWebhookEndpoint } = await succeed(operations.create, {
    input: { url: receiver.url, ...input },
  });
  return { id: createWebhookEndpoint.endpoint.id, secret: createWebhookEndpoint.secret };
}

async function happen(its = client): Promise<void> {
  const { body } = await its.post('/v1/payments', { amount: 1 });
  expect(await its.post(`/v1/payments/${body.id}/cancel`)).toMatchObject({ status: 200 });
}

const round = ({ services }: Pick<App, 'services'> = app): Promise<number> =>
  deliverWebhooks(services.webhookSender);

describe('an API key without the permission', () => {
  test.each(Object.entries(operations))('cannot %s', async (name, text) => {
    const { id } = await create();
    const variables = name === 'create' ? { input: { url: receiver.url } } : { id };
    const { body } = await client.graphql(text, name === 'list' ? {} : variables);
    expect(body.errors).toMatchObject([
      {
        message: name.startsWith('resend')
          ? 'API keys cannot do this: it requires a signed-in user'
          : 'This API key lacks the permission webhooks:manage',
        extensions: { code: 'FORBIDDEN', statusCode: 403, error: 'Forbidden' },
      },
    ]);
    expect(JSON.stringify(body)).not.toContain(receiver.url);
    expect((await succeed(operations.list)).webhookEndpoints).toMatchObject([{ id, enabled: true }]);
  });

  test('does not learn whether an endpoint exists', async () => {
    const { body } = await client.graphql(operations.get, { id: randomUUID() });
    expect(body.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
});

describe("another tenant's endpoint", () => {
  const strangers = async (): Promise<OperatorCaller[]> => [
    { ...operator, organizationId: (await createKey(app.services)).organizationId },
    { ...operator, mode: 'live' },
  ];

  test.each(ofOneEndpoint)('does not exist for %s', async (name) => {
    const { id } = await create();
    for (const stranger of await strangers()) {
      const { errors } = await run(operations[name], { id }, stranger);
      expect(errors).toMatchObject([
        {
          message: `WebhookEndpoint ${id} was not found`,
          extensions: { code: 'NOT_FOUND', statusCode: 404, details: { resource: 'WebhookEndpoint', id } },
        },
      ]);
    }
    expect((await succeed(operations.get, { id })).webhookEndpoint).toMatchObject({ enabled: true });
  });

  test('is in no list, and its deliveries cannot be resent', async () => {
    const { id } = await create();
    await happen();
    await round();
    const [{ node }] = (await succeed(operations.deliveries, { id })).webhookDeliveries.edges;
    for (const stranger of await strangers()) {
      expect((await run(operations.list, {}, stranger)).data).toEqual({ webhookEndpoints: [] });
      const { errors } = await run(operations.resend, { id: node.id }, stranger);
      expect(errors).toMatchObject([{ message: `WebhookDelivery ${node.id} was not found` }]);
    }
    expect(await round()).toBe(0);
  });

  test.each([randomUUID(), 'not-a-uuid', ''])('nor does one with the id "%s"', async (id) => {
    for (const name of ofOneEndpoint) {
      const { errors } = await run(operations[name], { id });
      expect(errors).toMatchObject([{ message: `WebhookEndpoint ${id} was not found` }]);
    }
    const { errors } = await run(operations.resend, { id });
    expect(errors).toMatchObject([{ message: `WebhookDelivery ${id} was not found` }]);
  });
});

describe('an endpoint is refused', () => {
  const refused = (message: unknown) => [
    { message, extensions: expect.objectContaining({ code: 'BAD_USER_INPUT', statusCode: 400 }) },
  ];

  const urls: [url: string, message: string][] = [
    ['', 'url must be a URL such as https://shop.example.com/pix'],
    ['shop', 'url must be a URL such as https://shop.example.com/pix'],
    ['ftp://shop.example.com/', 'url must be https or http'],
    ['https://user:password@shop.example.com/', 'url must not contain a user name or a password'],
    ['https://shop.example.com/#part', 'url must not have a fragment'],
    ['http://127.0.0.2/', hostRefusal('127.0.0.2')],
    ['http://169.254.169.254/latest/meta-data', hostRefusal('169.254.169.254')],
    ['http://localhost:3000/', hostRefusal('localhost')],
  ];

  test.each(urls)('with the URL "%s", created or changed, naming the field', async (url, message) => {
    const created = await run(operations.create, { input: { url } });
    expect(created.errors).toMatchObject(refused(message));
    const { id } = await create();
    const changed = await run(operations.update, { id, input: { url } });
    expect(changed.errors).toMatchObject(refused(message));
    expect((await succeed(operations.list)).webhookEndpoints).toMatchObject([{ id, url: receiver.url }]);
  });

  test('with a URL that is too long', async () => {
    const url = `https://shop.example.com/${'a'.repeat(2_048)}`;
    const { errors } = await run(operations.create, { input: { url } });
    expect(errors).toMatchObject(refused('url must be at most 2048 characters'));
  });

  test('over plain http in live mode', async () => {
    const input = { url: 'http://shop.example.com/' };
    const live = await run(operations.create, { input }, { ...operator, mode: 'live' });
    expect(live.errors).toMatchObject(refused('url must be https'));
    await succeed(operations.create, { input });
  });

  test('with unknown events', async () => {
    const { errors } = await run(operations.create, { input: { url: receiver.url, events: ['paid'] } });
    expect(errors).toMatchObject(refused(expect.stringMatching(/events/)));
  });

  test.each<[input: unknown, message: RegExp]>([
    [undefined, /^body must be an object$/],
    [[], /^body must be an object$/],
    [{}, /^url is required$/],
    [{ url: null }, /^url is required$/],
    [{ url: 5 }, /^url must be a URL$/],
    [{ url: 'https://shop.example.com/', events: 'all' }, /^events must be a list of events$/],
    [{ url: 'https://shop.example.com/', events: ['paid'] }, /^events\.0 must be one of payment_updated, /],
    [{ events: [null] }, /^url is required; events\.0 must be one of /],
  ])('by the service too: %j', async (input, message) => {
    await expect(app.services.webhookEndpoints.create(operator, input)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(message),
    });
  });
});

describe('a page of deliveries is refused', () => {
  const limitRule = 'must be a whole number from 1 to 100';

  test.each([
    [{ first: 0 }, `first ${limitRule}`],
    [{ first: 101 }, `first ${limitRule}`],
    [{ after: 'x' }, 'after must come from an earlier page'],
    [{ after: '', first: -1 }, `first ${limitRule}; after must come from an earlier page`],
  ])('%j with 400, naming the argument', async (page, message) => {
    const { id } = await create();
    const { errors } = await run(operations.deliveries, { id, ...page });
    expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT', statusCode: 400 } }]);
  });
});

describe('an operator', () => {
  test('creates, lists, changes, disables and enables an endpoint', async () => {
    const input = { url: receiver.url, events: ['payment_completed', 'payment_completed'] };
    const { createWebhookEndpoint: created } = await succeed(operations.create, { input });
    const { endpoint } = created;
    expect(created.secret).toMatch(secretPattern);
    expect(endpoint).toEqual({
      id: expect.any(String),
      url: receiver.url,
      events: ['payment_completed'],
      enabled: true,
      disabledReason: null,
      failingSince: null,
      rotatingUntil: null,
      createdAt: expect.any(String),
    });
    const { id } = endpoint;
    expect(await succeed(operations.get, { id })).toEqual({ webhookEndpoint: endpoint });
    expect(await succeed(operations.list)).toEqual({ webhookEndpoints: [endpoint] });

    const url = `${receiver.url}/pix?a=1`;
    const changed = async (to: object) =>
      (await succeed(operations.update, { id, input: to })).updateWebhookEndpoint;
    expect(await changed({})).toEqual(endpoint);
    expect(await changed({ url: null, events: null })).toEqual(endpoint);
    expect(await changed({ url })).toEqual({ ...endpoint, url });
    expect(await changed({ events: [] })).toEqual({ ...endpoint, url, events: [] });

    const disabled = await succeed(operations.setEnabled, { id, enabled: false });
    expect(disabled.setWebhookEndpointEnabled).toEqual({ ...endpoint, url, events: [], enabled: false });
    await succeed(operations.setEnabled, { id, enabled: true });
    await happen();
    expect(await round()).toBe(1);
    expect(receiver.requests).toMatchObject([{ path: '/webhooks/pix?a=1' }]);
  });

  test('lists deliveries in pages and resends them, singly or since an instant', async () => {
    const { id, secret } = await create();
    receiver.reply = { status: 200, body: 'taken' };
    await happen();
    await happen();
    await round();
    const { edges, pageInfo } = (await succeed(operations.deliveries, { id, first: 1 })).webhookDeliveries;
    expect(edges).toEqual([
      {
        cursor: edges[0].node.eventId,
        node: {
          id: expect.any(String),
          endpointId: id,
          eventId: expect.any(String),
          eventType: 'payment_cancelled',
          sequence: '2',
          paymentId: expect.any(String),
          status: 'delivered',
          attemptCount: 1,
          nextAttemptAt: null,
          createdAt: expect.any(String),
          attempts: [
            {
              statusCode: 200,
              error: null,
              answer: 'taken',
              latencyMs: expect.any(Number),
              startedAt: expect.any(String),
            },
          ],
        },
      },
    ]);
    expect(pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false, endCursor: edges[0].cursor });
    const next = (await succeed(operations.deliveries, { id, after: pageInfo.endCursor })).webhookDeliveries;
    expect(next).toMatchObject({ edges: [{ node: { sequence: '1' } }], pageInfo: { hasNextPage: false } });

    const resent = await succeed(operations.resend, { id: edges[0].node.id });
    expect(resent.resendWebhookDelivery).toMatchObject({ status: 'pending', attemptCount: 0 });
    expect(await round()).toBe(1);
    expect(await succeed(operations.resendSince, { id })).toEqual({ resendWebhookDeliveriesSince: 2 });
    expect(await round()).toBe(2);
    expect(receiver.requests.filter((request) => isSignedWith(secret, request))).toHaveLength(5);
  });
});

describe('a secret', () => {
  /** Every table that holds the text in any of its columns. */
  async function tablesWith(text: string): Promise<string[]> {
    const tables = await query<{ name: string }>(
      app.databaseUrl,
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const searches = tables.map(
      ({ name }) => `SELECT '${name}' AS name FROM ${name} t WHERE strpos(t::text, $1) > 0`,
    );
    const found = await query<{ name: string }>(app.databaseUrl, searches.join(' UNION '), [text]);
    return found.map(({ name }) => name);
  }

  test('is shown when it is created or rotated, and never again', async () => {
    const { id, secret } = await create();
    const { rotateWebhookSecret: rotated } = await succeed(operations.rotate, { id });
    expect(rotated).toMatchObject({ secret: expect.stringMatching(secretPattern), endpoint: { id } });
    expect(rotated.secret).not.toBe(secret);
    expect(Date.parse(rotated.endpoint.rotatingUntil)).toBeGreaterThan(Date.now());
    const shown = JSON.stringify([
      await succeed(operations.list),
      await succeed(operations.get, { id }),
      await succeed(operations.update, { id }),
      await succeed(operations.setEnabled, { id }),
      await app.services.webhookEndpoints.list(operator),
      await app.services.webhookEndpoints.setEnabled(operator, id, true),
    ]);
    expect(shown).toContain(id);
    expect(shown).not.toMatch(/whsec_|secret|sealed/i);
  });

  test('is sealed where it is stored', async () => {
    const { id, secret } = await create();
    const { rotateWebhookSecret: rotated } = await succeed(operations.rotate, { id });
    expect(await tablesWith(id)).toEqual(['audit_entry', 'webhook_endpoint']);
    for (const text of [secret, rotated.secret].map((each: string) => each.slice('whsec_'.length))) {
      expect(await tablesWith(text)).toEqual([]);
      expect(await tablesWith(Buffer.from(text, 'base64').toString('hex'))).toEqual([]);
    }
  });

  test("is useless in another endpoint's row", async () => {
    const [victim, thief] = [await create(), await create()];
    await query(
      app.databaseUrl,
      'UPDATE webhook_endpoint SET sealed_secret = (SELECT sealed_secret FROM webhook_endpoint WHERE id = $1) WHERE id = $2',
      [victim.id, thief.id],
    );
    await succeed(operations.setEnabled, { id: victim.id, enabled: false });
    await happen();
    await round();
    expect(receiver.requests).toEqual([]);
  });

  test('still signs when every key of the ring was replaced', async () => {
    const oldKey = { id: 'old', key: Buffer.alloc(32, 1) };
    const newKey = { id: 'new', key: Buffer.alloc(32, 2) };
    // It moves all that there is.
    const databaseUrl = await freshDatabase();
    const running: App[] = [];
    const withKeys = async (...keyRing: KeyRing[number][]): Promise<App> => {
      const config = readConfig({ ...env, DATABASE_URL: databaseUrl });
      const started = await createApp(config, databaseUrl, keyRing, silent);
      running.push(started);
      return started;
    };
    try {
      const before = await withKeys(oldKey);
      const owner = { ...operator, organizationId: (await createKey(before.services)).organizationId };
      const other = { ...operator, organizationId: (await createKey(before.services)).organizationId };
      const endpoints = before.services.webhookEndpoints;
      const { id, secret } = await endpoints.create(owner, { url: receiver.url });
      const rotated = await endpoints.rotate(owner, id);
      // More than are read at a time.
      const silentEndpoint = { url: receiver.url, events: ['payment_duplicated'] };
      for (let count = 0; count < 52; count++)
        for (const each of [owner, other]) await endpoints.create(each, silentEndpoint);
      const { id: rotatedLater } = await endpoints.create(owner, silentEndpoint);

      const between = await withKeys(newKey, oldKey);
      await between.services.webhookEndpoints.rotate(owner, rotatedLater);
      // One of them is the key of checkout links.
      expect(await between.services.encryption.rewrap()).toMatchObject({ rewrapped: 107, left: [] });
      expect(await between.services.encryption.rewrap()).toMatchObject({ rewrapped: 0, left: [] });

      const after = await withKeys(newKey);
      await query(
        databaseUrl,
        `WITH happened AS (
           INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, body, created_at)
           VALUES (gen_random_uuid(), $1, 'test', 1, 'payment_completed', gen_random_uuid(), '{}', now())
           RETURNING id)
         INSERT INTO webhook_delivery (event_id, endpoint_id, next_attempt_at, created_at)
         SELECT id, $2, now(), now() FROM happened`,
        [owner.organizationId, id],
      );
      expect(await round(after)).toBe(1);
      const [request] = receiver.requests;
      if (!request) throw new Error('nothing was received');
      expect([secret, rotated.secret].map((each) => isSignedWith(each, request))).toEqual([true, true]);
    } finally {
      for (const each of running) await each.stop();
    }
  });
});
