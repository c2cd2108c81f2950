import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { newId } from '../../src/core/base/ids.ts';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { boundMs, times } from '../support/chance.ts';
import { type Client, createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { query } from '../support/database.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { createPerson, openSession, postSignIn, signIn } from '../support/people.ts';
import { rawRequest } from '../support/raw-request.ts';
import { sentStatements } from '../support/statements.ts';
import {
  allPayments,
  onePayment,
  overEvents,
  overWebSocket,
  shows,
  statusesOf,
  type Subscribe,
  type Subscribed,
  transports,
} from '../support/subscribe.ts';

let app: TestApp;
let owner: TestKey;
let client: Client;
const open: Subscribed[] = [];

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api', TRUST_PROXY: '1' });
});

afterEach(async () => {
  for (const subscribed of open.splice(0)) subscribed.close();
  await eventually(() => {
    expect([app.services.livePayments.count(), app.services.liveSessions.count()]).toEqual([0, 0]);
  });
});

afterAll(() => app.stop());

const start = (subscribed: Subscribed): Subscribed => {
  open.push(subscribed);
  return subscribed;
};

async function createPayment(its: Client): Promise<string> {
  const { status, body } = await its.post('/v1/payments', {
    amount: 5,
    payer: { name: 'Fulano' },
    metadata: { order: 1 },
  });
  expect(status).toBe(201);
  return body.id;
}

/** Makes it look as if it had been made and paid a minute ago. */
async function moveBack(id: string): Promise<void> {
  const longAgo = new Date(Date.now() - 120_000);
  const older = newId(longAgo);
  await query(app.databaseUrl, 'UPDATE payment SET id = $1 WHERE id = $2', [older, id]);
  const moved = [newId(longAgo), older, id];
  await query(app.databaseUrl, 'UPDATE event SET id = $1, payment_id = $2 WHERE payment_id = $3', moved);
}

async function pay(its: Client, id: string): Promise<void> {
  const { status } = await its.post(`/v1/sandbox/payments/${id}/pay`);
  expect(status).toBe(200);
}

beforeAll(async () => {
  owner = await createKey(app.services);
  client = createClient(app.baseUrl, owner.key);
});

type Session = Awaited<ReturnType<typeof openSession>>;

/** What the pages of the service send, over either transport. */
const sessionOf = ({ cookie, organizationId }: Pick<Session, 'cookie' | 'organizationId'>) => ({
  Cookie: cookie,
  Origin: app.baseUrl,
  'X-Organization-Id': organizationId,
  'X-Mode': 'test',
});

const credentialsOf = ({ key }: TestKey) => ({ 'X-API-Key': key });

describe.each(transports)('over %s', (_name, subscribe: Subscribe) => {
  const watch = (id: string, key = owner) =>
    start(subscribe(app.baseUrl, credentialsOf(key), onePayment, { id }));
  const watchAll = (key: TestKey) => start(subscribe(app.baseUrl, credentialsOf(key), allPayments));
  const errorsOf = async ({ results, ended }: Subscribed) => {
    const end = await ended;
    if (Array.isArray(end)) return end;
    return (end as { body?: { errors: unknown[] } }).body?.errors ?? results[0].errors;
  };

  test('a payment is shown in its current state, and again when it is paid and refunded', async () => {
    const id = await createPayment(client);
    const subscribed = watch(id);
    await shows(subscribed, ['pending']);
    await pay(client, id);
    await shows(subscribed, ['pending', 'completed'], 1_000);
    const { status } = await client.post(`/v1/payments/${id}/refunds`);
    expect(status).toBe(201);
    await shows(subscribed, ['pending', 'completed', 'refunded'], 1_000);
    const { data } = subscribed.results[1];
    expect(data.paymentUpdated).toMatchObject({ id, payerName: 'Fulano', metadata: { order: 1 } });
    expect(data.paymentUpdated.confirmedAt).toMatch(/^20/);
  });

  test('a partial refund is shown, once', async () => {
    const own = await createKey(app.services);
    const its = createClient(app.baseUrl, own.key);
    const id = await createPayment(its);
    const subscribed = watch(id, own);
    const all = watchAll(own);
    await pay(its, id);
    await shows(subscribed, ['pending', 'completed']);
    await its.post(`/v1/payments/${id}/refunds`, { amount: 2 });
    const inPart = ['pending', 'completed', 'completed'];
    await shows(subscribed, inPart);
    await eventually(() => {
      expect(statusesOf(all).filter((status) => status === 'completed')).toHaveLength(2);
    });
    await its.post(`/v1/payments/${id}/refunds`);
    await shows(subscribed, [...inPart, 'refunded']);
    await eventually(() => {
      expect(statusesOf(all).at(-1)).toBe('refunded');
    });
    expect(statusesOf(all).filter((status) => status === 'completed')).toHaveLength(2);
  });

  test.each(['cancel', 'expire'])('%s is shown', async (verb) => {
    const id = await createPayment(client);
    const subscribed = watch(id);
    await shows(subscribed, ['pending']);
    await client.post(verb === 'cancel' ? `/v1/payments/${id}/cancel` : `/v1/sandbox/payments/${id}/expire`);
    await shows(subscribed, ['pending', verb === 'cancel' ? 'cancelled' : 'expired'], 1_000);
  });

  test('an earlier payment is shown at once, and a payment made meanwhile is not missed', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => createPayment(client)));
    const subscribed = ids.map((id) => watch(id));
    await Promise.all(ids.map((id) => pay(client, id)));
    for (const each of subscribed) {
      await eventually(() => {
        expect(each.results.at(-1)?.data.paymentUpdated.status).toBe('completed');
      });
      expect(each.results.length).toBeLessThanOrEqual(2);
    }
  });

  test('all payments of the organization and mode are shown as they are created and change, and no others', async () => {
    const own = await createKey(app.services);
    const its = createClient(app.baseUrl, own.key);
    const stranger = await createKey(app.services);
    const live = await createKey(app.services, { mode: 'live', organizationId: own.organizationId });
    const before = await createPayment(its);
    const [subscribed, other, ofLive] = [watchAll(own), watchAll(stranger), watchAll(live)];
    await shows(subscribed, ['pending']);
    const id = await createPayment(its);
    await shows(subscribed, ['pending', 'pending'], 1_000);
    await pay(its, before);
    await pay(its, id);
    await eventually(() => {
      expect(subscribed.results.map(({ data }) => data.paymentsUpdated)).toEqual([
        { id: before, status: 'pending' },
        { id, status: 'pending' },
        { id: before, status: 'completed' },
        { id, status: 'completed' },
      ]);
    }, 1_000);
    expect([...other.results, ...ofLive.results]).toEqual([]);
  });

  test('changes between reading a list and subscribing are shown, older ones are not', async () => {
    const own = await createKey(app.services);
    const its = createClient(app.baseUrl, own.key);
    const [old, paid] = [await createPayment(its), await createPayment(its)];
    await pay(its, old);
    await moveBack(old);
    await pay(its, paid);
    const made = await createPayment(its);
    const subscribed = watchAll(own);
    const last = await createPayment(its);
    await eventually(() => {
      expect(statusesOf(subscribed).sort()).toEqual(['completed', 'pending', 'pending']);
    });
    const ids = subscribed.results.map(({ data }) => data.paymentsUpdated.id);
    expect(new Set(ids)).toEqual(new Set([paid, made, last]));
  });

  test('another organization, the other mode and an invalid id are NOT_FOUND', async () => {
    const id = await createPayment(client);
    const stranger = await createKey(app.services);
    const live = await createKey(app.services, { mode: 'live', organizationId: owner.organizationId });
    const refused = [watch(id, stranger), watch(id, live), watch('nothing'), watch(crypto.randomUUID())];
    for (const subscribed of refused) {
      const [error] = await errorsOf(subscribed);
      expect(error.extensions).toMatchObject({
        code: 'NOT_FOUND',
        statusCode: 404,
        error: 'NotFound',
        details: { resource: 'Payment', id: expect.any(String) },
      });
    }
  });

  test.each([
    ['no GraphQL', 'subscription {'],
    ['an unknown field', 'subscription { paymentUpdated(id: "x") { secret } }'],
    ['two root fields', 'subscription { a: paymentsUpdated { id } b: paymentsUpdated { id } }'],
    [
      'too many aliases',
      `subscription { paymentsUpdated { ${Array.from({ length: 16 }, (_, index) => `a${index}: id`).join(' ')} } }`,
    ],
    ['too many tokens', `subscription { paymentsUpdated { ${'id '.repeat(1_000)} } }`],
  ])('%s is BAD_USER_INPUT', async (_case, query) => {
    const [error] = await errorsOf(start(subscribe(app.baseUrl, credentialsOf(owner), query)));
    expect(error.extensions).toMatchObject({ code: 'BAD_USER_INPUT', statusCode: 400, error: 'BadRequest' });
  });

  test('a query and a mutation get a single response', async () => {
    const query = 'mutation { createPayment(input: { amount: 1 }) { status } }';
    const subscribed = start(subscribe(app.baseUrl, credentialsOf(owner), query));
    expect(await subscribed.ended).toBe('complete');
    expect(subscribed.results).toEqual([{ data: { createPayment: { status: 'pending' } } }]);
  });

  test('revoking a key ends it, with 401 and within a second', async () => {
    const own = await createKey(app.services);
    const subscribed = watchAll(own);
    await eventually(() => {
      expect(app.services.livePayments.count()).toBe(1);
    });
    const revokedAt = Date.now();
    await app.services.apiKeys.revoke(operatorFor(own.organizationId, 'test'), own.id);
    const end = await subscribed.ended;
    expect(Date.now() - revokedAt).toBeLessThan(boundMs(1_000));
    if (subscribe === overWebSocket) expect(end).toBe(4401);
    else expect(subscribed.results.at(-1).errors[0].extensions).toMatchObject({ statusCode: 401 });
  });

  test('the expiry of a key ends it', async () => {
    const own = await createKey(app.services);
    const subscribed = watchAll(own);
    await eventually(() => {
      expect(app.services.livePayments.count()).toBe(1);
    });
    await app.services.apiKeys.rotate(operatorFor(own.organizationId, 'test'), own.id, 0.5 / 3_600);
    expect(await subscribed.ended).toBe(subscribe === overWebSocket ? 4401 : 'complete');
  });

  test('a key has at most 100 at once, and a free slot when one is closed', async () => {
    const own = await createKey(app.services);
    const its = createClient(app.baseUrl, own.key);
    const id = await createPayment(its);
    const all = Array.from({ length: 100 }, () => watch(id, own));
    await Promise.all(all.map((each) => shows(each, ['pending'])));
    const tooMany = watch(id, own);
    const end = await tooMany.ended;
    if (subscribe === overWebSocket) expect(end).toBe(4429);
    else expect(end).toMatchObject({ status: 429 });
    all[0]?.close();
    await eventually(() => {
      expect(app.services.liveSessions.count()).toBe(99);
    });
    await shows(watch(id, own), ['pending']);
  });
});

describe.each(transports)('a person over %s', (_name, subscribe: Subscribe) => {
  const watchAll = (credentials: Record<string, string>) =>
    start(subscribe(app.baseUrl, credentials, allPayments));
  const isOpen = (count: number) =>
    eventually(() => {
      expect(app.services.livePayments.count()).toBe(count);
    });

  /** A WebSocket is closed with the code, an HTTP request answered. */
  async function expectRefusal(subscribed: Subscribed, closeCode: number): Promise<void> {
    const end = await subscribed.ended;
    if (subscribe === overWebSocket) expect(end).toBe(closeCode);
    else expect(end).toMatchObject({ status: closeCode - 4_000 });
    expect(subscribed.results).toEqual([]);
  }

  test.each([
    ["another site's page", 'https://evil.example'],
    ['the opaque origin', 'null'],
    ['another port', 'http://127.0.0.1:1'],
    ['no origin', undefined],
  ])('is unauthenticated for %s, whatever the cookie', async (_case, origin) => {
    const { Origin: _, ...session } = sessionOf(await openSession(app));
    const credentials = { ...session, ...(origin !== undefined && { Origin: origin }) };
    await expectRefusal(watchAll(credentials), 4403);
  });

  test('without a valid session is unauthenticated', async () => {
    const session = await openSession(app);
    const forged = { ...session, cookie: session.cookie.replace(/=([^.]+)\..*/, '=$1.Zm9yZ2Vk') };
    await expectRefusal(watchAll(sessionOf(forged)), 4401);
    await postSignIn(app, '/sign-out', {}, { Cookie: session.cookie });
    await expectRefusal(watchAll(sessionOf(session)), 4401);
  });

  test('watches only their own organizations, in an existing mode', async () => {
    const session = await openSession(app);
    const { organizationId } = await createPerson(app);
    await expectRefusal(watchAll(sessionOf({ ...session, organizationId })), 4403);
    await expectRefusal(watchAll({ ...sessionOf(session), 'X-Mode': 'prod' }), 4400);
    const { 'X-Organization-Id': _, ...nowhere } = sessionOf(session);
    const { results, ended } = watchAll(nowhere);
    expect(await ended).toBe('complete');
    const [error] = results[0].errors;
    expect(error).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
    expect(error.message).toContain('X-Organization-Id');
  });

  test('with a key acts as the key, even a bad one, from whatever page', async () => {
    const session = sessionOf(await openSession(app));
    await expectRefusal(watchAll({ ...session, 'X-API-Key': 'pk_test_x' }), 4401);
    await expectRefusal(watchAll({ ...session, Authorization: 'Bearer pt_x' }), 4401);
    const own = await createKey(app.services);
    const its = createClient(app.baseUrl, own.key);
    const elsewhere = { Cookie: session.Cookie, Origin: 'https://shop.example.com' };
    const id = await createPayment(its);
    const watched = subscribe(app.baseUrl, { ...elsewhere, 'X-API-Key': own.key }, onePayment, { id });
    await shows(start(watched), ['pending']);
  });

  test.each([
    ['viewer', 'Fulano ***'],
    ['support', 'Fulano de Tal'],
  ] as const)('who is a %s sees payers as in queries: %s', async (role, payerName) => {
    const session = await openSession(app, { role });
    const { organizationId } = session;
    const own = createClient(app.baseUrl, (await createKey(app.services, { organizationId })).key);
    const fields = 'id payerName payerDocument payerEmail';
    const all = start(
      subscribe(app.baseUrl, sessionOf(session), `subscription { paymentsUpdated { ${fields} } }`),
    );
    await isOpen(1);
    const payer = { name: 'Fulano de Tal', document: '12345678909', email: 'fulano@example.com' };
    const { id } = (await own.post('/v1/payments', { amount: 5, payer })).body;
    const one = start(
      subscribe(
        app.baseUrl,
        sessionOf(session),
        `subscription { paymentUpdated(id: "${id}") { ${fields} } }`,
      ),
    );
    const { payment } = (await session.client.graphql(`{ payment(id: "${id}") { ${fields} } }`)).body.data;
    expect(payment.payerName).toBe(payerName);
    await eventually(() => {
      expect(one.results).toEqual([{ data: { paymentUpdated: payment } }]);
      expect(all.results).toEqual([{ data: { paymentsUpdated: payment } }]);
    });
  });

  test('shows recurrences as they are made and permitted, to the people of their organization alone', async () => {
    const session = await openSession(app, { role: 'viewer' });
    const { organizationId } = session;
    const own = createClient(app.baseUrl, (await createKey(app.services, { organizationId })).key);
    const text = 'subscription { recurrencesUpdated { id status payerName } }';
    const [watched, stranger] = [session, await openSession(app)].map((each) =>
      start(subscribe(app.baseUrl, sessionOf(each), text)),
    );
    const create = async (): Promise<string> => {
      const { body } = await own.post('/v1/recurrences', {
        payer: { name: 'Fulano de Tal', document: '52998224725' },
        contract: '63100862',
        amount: 35,
        frequency: 'monthly',
        startDate: '2030-01-10',
        authorization: 'qr',
      });
      return body.id;
    };
    let id = '';
    // Until it is subscribed.
    await eventually(async () => {
      id = await create();
      expect(watched?.results).not.toEqual([]);
    });
    await own.post(`/v1/sandbox/recurrences/${id}/approve`);
    await eventually(() => {
      expect(watched?.results.at(-1)).toEqual({
        data: { recurrencesUpdated: { id, status: 'active', payerName: 'Fulano ***' } },
      });
    });
    expect(stranger?.results).toEqual([]);
    const byKey = start(subscribe(app.baseUrl, { 'X-API-Key': owner.key }, text));
    await eventually(() => {
      expect(byKey.results[0]?.errors).toMatchObject([{ extensions: { reason: 'permission_denied' } }]);
    });
  });

  type End = (session: Session) => Promise<unknown>;
  const change = async ({ organizationId, userId }: Session, role: 'viewer' | null): Promise<unknown> => {
    const operator = operatorFor(organizationId);
    return role === null
      ? app.services.members.remove(operator, userId)
      : app.services.members.setRole(operator, userId, role);
  };
  const ends: [string, End][] = [
    ['signs out', ({ cookie }) => postSignIn(app, '/sign-out', {}, { Cookie: cookie })],
    [
      'ends all sessions elsewhere',
      async (session) =>
        postSignIn(app, '/revoke-other-sessions', {}, { Cookie: await signIn(app, session) }),
    ],
    ['is removed', (session) => change(session, null)],
    ['gets another role', (session) => change(session, 'viewer')],
  ];

  test.each(ends)('who %s is disconnected within two seconds', async (_case, end) => {
    const { organizationId } = await createPerson(app);
    const session = await openSession(app, { role: 'support', organizationId });
    const colleague = await openSession(app, { role: 'support', organizationId });
    const [subscribed, other] = [watchAll(sessionOf(session)), watchAll(sessionOf(colleague))];
    await isOpen(2);
    await end(session);
    const endedAt = Date.now();
    const ended = await subscribed.ended;
    expect(Date.now() - endedAt).toBeLessThan(boundMs(2_500));
    if (subscribe === overWebSocket) expect(ended).toBe(4401);
    else {
      expect(ended).toBe('complete');
      expect(subscribed.results.at(-1).errors[0].extensions).toMatchObject({
        code: 'UNAUTHENTICATED',
        statusCode: 401,
      });
    }
    await isOpen(1);
    expect(other.results).toEqual([]);
  });

  test('is rate-limited: each subscription counts as a request', async () => {
    const session = await openSession(app);
    await start(subscribe(app.baseUrl, sessionOf(session), onePayment, { id: randomUUID() })).ended;
    const { headers } = await session.client.graphql('{ me { id } }');
    expect(headers.get('ratelimit')).toContain('r=99998;');
  });
});

test('an ended session disconnects within two seconds, and everyone is checked in one query', async () => {
  const sessions = await Promise.all(Array.from({ length: 3 }, () => openSession(app)));
  const all = [...sessions, ...sessions].map((session, index) =>
    start((index % 2 ? overWebSocket : overEvents)(app.baseUrl, sessionOf(session), allPayments)),
  );
  await eventually(() => {
    expect(app.services.livePayments.count()).toBe(6);
  });
  const startedAt = Date.now();
  const sent = await sentStatements(async () => {
    const userIds = sessions.map(({ userId }) => userId);
    await query(app.databaseUrl, 'UPDATE session SET expires_at = now() WHERE user_id = ANY($1)', [userIds]);
    expect(new Set(await Promise.all(all.map(({ ended }) => ended)))).toEqual(new Set([4401, 'complete']));
  });
  expect(Date.now() - startedAt).toBeLessThan(boundMs(3_000));
  const looks = sent.filter(({ text }) => /json_to_recordset[^]*JOIN session/.test(text));
  // Two, where one began before the sessions were over.
  expect([1, 2]).toContain(looks.length);
});

test('those who watch payments are polled together, and learn of a change that no hint announced', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => createPayment(client)));
  const watching = ids.map((id) => start(overEvents(app.baseUrl, credentialsOf(owner), onePayment, { id })));
  await Promise.all(watching.map((each) => shows(each, ['pending'])));
  const sent = await sentStatements(async () => {
    await query(app.databaseUrl, "UPDATE payment SET status = 'expired' WHERE id = ANY($1)", [ids.slice(1)]);
    await Promise.all(watching.slice(1).map((each) => shows(each, ['pending', 'expired'])));
  });
  expect(statusesOf(watching[0] as Subscribed)).toEqual(['pending']);
  const reads = sent.filter(({ text }) => /^SELECT|^\s+WITH p/.test(text) && /FROM payment/.test(text));
  const unchanged = reads.filter(({ values }) => JSON.stringify(values).includes(ids[0] ?? ''));
  // A poll, or two where one began before the change.
  expect([1, 2]).toContain(unchanged.length);
});

test('operations over WebSocket are measured', async () => {
  const query = 'query { payments { edges { cursor } } }';
  await start(overWebSocket(app.baseUrl, credentialsOf(owner), query)).ended;
  await start(overWebSocket(app.baseUrl, credentialsOf(owner), 'subscription { secret }')).ended;
  await shows(
    start(overWebSocket(app.baseUrl, credentialsOf(owner), onePayment, { id: await createPayment(client) })),
    ['pending'],
  );
  const text = await (await fetch(`${app.baseUrl}/metrics`)).text();
  for (const labels of [
    'kind="single",status="200"',
    'kind="subscription",status="400"',
    'kind="subscription",status="200"',
  ]) {
    expect(text.includes(`pix_web_socket_operation_seconds_count{${labels}}`)).toBe(true);
  }
});

describe('a bad key', () => {
  test.each([undefined, 'pk_test_x', 'pk_test_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA000000'])(
    '%s opens no stream',
    async (key) => {
      const credentials: Record<string, string> = key === undefined ? {} : { 'X-API-Key': key };
      expect(await start(overWebSocket(app.baseUrl, credentials, allPayments)).ended).toBe(4401);
      const end = await start(overEvents(app.baseUrl, credentials, allPayments)).ended;
      expect(end).toMatchObject({
        status: 401,
        body: { errors: [{ extensions: { code: 'UNAUTHENTICATED', statusCode: 401 } }] },
      });
    },
  );
});

test('a live key in a browser is refused', async () => {
  const { key } = await createKey(app.services, { mode: 'live' });
  const socket = new WebSocket(`${app.baseUrl.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    origin: 'https://evil.example',
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { 'X-API-Key': key } }));
  const [code, reason] = await once(socket, 'close');
  expect([code, String(reason)]).toEqual([4403, expect.stringMatching(/^A live API key is a secret/)]);
  const headers = { 'X-API-Key': key, Origin: 'https://evil.example' };
  expect(await start(overEvents(app.baseUrl, headers, allPayments)).ended).toMatchObject({ status: 403 });
});

test('each subscription counts as a request, over REST, WebSocket and events together', async () => {
  const narrow = await startTestApp({ ROLE: 'api', RATE_LIMIT_PER_MINUTE: '4' });
  try {
    const own = await createKey(narrow.services);
    const its = createClient(narrow.baseUrl, own.key);
    const id = await createPayment(its);
    const watched = [overWebSocket, overEvents].map((subscribe) =>
      subscribe(narrow.baseUrl, credentialsOf(own), onePayment, { id }),
    );
    await Promise.all(watched.map((each) => shows(each, ['pending'])));
    const { headers } = await its.get(`/v1/payments/${id}`);
    expect(headers.get('ratelimit')).toContain('r=0;');
    const refused = overWebSocket(narrow.baseUrl, credentialsOf(own), onePayment, { id });
    expect(await refused.ended).toMatchObject([
      { extensions: { code: 'TOO_MANY_REQUESTS', statusCode: 429 } },
    ]);
    const events = overEvents(narrow.baseUrl, credentialsOf(own), onePayment, { id });
    expect(await events.ended).toMatchObject({ status: 429 });
    for (const each of [...watched, refused, events]) each.close();
  } finally {
    await narrow.stop();
  }
});

test('an upgrade to another protocol, or on another path, is ignored', async () => {
  const upgrades: [string, string, string][] = [
    ['/healthz', 'h2c', 'Connection'],
    ['/healthz', 'websocket', 'Connection'],
    ['/readyz', 'h2c', 'Connection'],
    // A name that Node's parser also knows.
    ['/healthz', 'x', 'Proxy-Connection'],
  ];
  for (const [path, protocol, name] of upgrades) {
    const { status } = await rawRequest(app.baseUrl, `GET ${path}`, [
      [name, 'Upgrade'],
      ['Upgrade', protocol],
    ]);
    expect([path, protocol, status]).toEqual([path, protocol, 200]);
  }
  const headers: [string, string][] = [
    ['Connection', 'Upgrade, HTTP2-Settings'],
    ['Upgrade', 'h2c'],
    ['X-API-Key', owner.key],
    ['Content-Type', 'application/json'],
  ];
  const created = await rawRequest(app.baseUrl, 'POST /v1/payments', headers, '{"amount": 1}');
  expect(created.status).toBe(201);
});

test.each(transports)(
  'a subscription is one over %s, whatever name others have sent with the same text',
  async (_name, subscribe) => {
    const id = await createPayment(client);
    const text = `${onePayment} # ${randomUUID()}`;
    const another = createClient(app.baseUrl, (await createKey(app.services)).key);
    for (const operationName of ['', null, 'x'])
      await another.post('/graphql', { query: text, operationName });
    await shows(start(subscribe(app.baseUrl, credentialsOf(owner), text, { id })), ['pending']);
  },
);

test('a subscription without a stream to respond on is told how to get one', async () => {
  const { status, body } = await client.graphql(allPayments);
  expect(status).toBe(400);
  expect(body.errors[0].message).toBe('subscriptions require Accept: text/event-stream or a WebSocket');
});

test('many subscriptions of ten keys receive their payments, and leave nothing behind', async () => {
  const count = times(40, 400);
  const keys = await Promise.all(Array.from({ length: 10 }, () => createKey(app.services)));
  const clients = keys.map(({ key }) => createClient(app.baseUrl, key));
  const ids = await Promise.all(clients.map(createPayment));
  const all = Array.from({ length: count }, (_, index) => {
    const key = keys[index % 10] ?? owner;
    const subscribe = index % 20 < 10 ? overEvents : overWebSocket;
    return start(subscribe(app.baseUrl, credentialsOf(key), onePayment, { id: ids[index % 10] }));
  });
  const showAll = (statuses: string) =>
    eventually(() => {
      expect(all.filter((each) => statusesOf(each).join() !== statuses).length).toBe(0);
    }, 50_000);
  await showAll('pending');
  expect(app.services.livePayments.count()).toBe(count);
  await Promise.all(clients.map((its, index) => pay(its, ids[index] ?? '')));
  await showAll('pending,completed');
});

test('an operation aborted while starting leaves nothing behind', async () => {
  const id = await createPayment(client);
  for (const [, subscribe] of transports) {
    for (let turns = 0; turns < 20; turns += 1) {
      const begun = start(subscribe(app.baseUrl, credentialsOf(owner), onePayment, { id }));
      for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
      begun.close();
    }
  }
});

test('a slow client receives the latest state rather than each one in between', async () => {
  const id = await createPayment(client);
  const caller = { kind: 'operator' as const, organizationId: owner.organizationId, mode: 'test' as const };
  const states = await app.services.livePayments.watch(caller, id);
  expect((await states.next()).value.status).toBe('pending');
  await pay(client, id);
  await client.post(`/v1/payments/${id}/refunds`);
  expect((await states.next()).value.status).toBe('refunded');
  const waiting = states.next();
  await states.return(undefined);
  expect(await waiting).toEqual({ done: true, value: undefined });
});
