import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { operatorFor, type OperatorCaller } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { pix } from '../support/command-line.ts';
import { query } from '../support/database.ts';
import { expectError } from '../support/error-shape.ts';
import { eventually } from '../support/eventually.ts';
import { openSession } from '../support/people.ts';
import { allPayments, overWebSocket, transports } from '../support/subscribe.ts';

const office = '203.0.113.7';
const elsewhere = '198.51.100.1';
const refusal = 'This API key may not be used from this address';

let app: TestApp;
let owner: Client;
let operator: OperatorCaller;

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1', ROLE: 'api' });
});

beforeEach(async () => {
  const { client, organizationId } = await openSession(app);
  owner = client;
  operator = operatorFor(organizationId, 'test');
});

afterAll(() => app.stop());

const from = (ip: string) => ({ 'X-Forwarded-For': ip });

const createKey = (...allowedIps: string[]) => app.services.apiKeys.create(operator, { allowedIps });

const statusFrom = async (key: string, ip: string): Promise<number> =>
  (await createClient(app.baseUrl, key).get('/v1/payments', from(ip))).status;

const lastUse = async (id: string): Promise<unknown> => {
  const rows = await query(app.databaseUrl, 'SELECT last_used_at FROM api_key WHERE id = $1', [id]);
  return rows[0]?.['last_used_at'];
};

describe('a key with allowed addresses', () => {
  test('is refused from elsewhere with 403, over REST and GraphQL, and does not count as used', async () => {
    const { id, key } = await createKey('2001:db8::/32', '203.0.113.0/24');
    const client = createClient(app.baseUrl, key);
    const answer = await client.get('/v1/payments', from(elsewhere));
    expectError(answer, 403, 'Forbidden');
    expect(answer.body.message).toBe(refusal);
    const { status, body } = await client.graphql('{ __typename }', {}, from(elsewhere));
    expect({ status, message: body.errors[0].message }).toEqual({ status: 403, message: refusal });
    expect(await lastUse(id)).toBeNull();
  });

  test.each([office, `::ffff:${office}`, '2001:db8::1'])('works from %s', async (ip) => {
    const { id, key } = await createKey('2001:db8::/32', '203.0.113.0/24');
    expect(await statusFrom(key, elsewhere)).toBe(403);
    expect(await statusFrom(key, ip)).toBe(200);
    expect(await statusFrom(key, elsewhere)).toBe(403);
    expect(await lastUse(id)).toEqual(expect.any(Date));
  });

  test('that was revoked is no longer taken for a good one where it was', async () => {
    const { id, key } = await createKey(office);
    const isGood = () => app.services.keyAuthentication.wasGoodLately(key, office);
    expect([await statusFrom(key, office), isGood()]).toEqual([200, true]);
    await app.services.apiKeys.revoke(operator, id);
    expect([await statusFrom(key, office), isGood()]).toEqual([401, false]);
  });

  test('is checked against the address seen by the trusted proxy, not one claimed by the client', async () => {
    const { key } = await createKey(office);
    expect(await statusFrom(key, `${office}, ${elsewhere}`)).toBe(403);
    expect(await statusFrom(key, `${elsewhere}, ${office}`)).toBe(200);
  });

  test('issues payment tokens that work from anywhere', async () => {
    const { key } = await createKey(office);
    const client = createClient(app.baseUrl, key);
    const { body: payment } = await client.post('/v1/payments', { amount: 1 }, from(office));
    const path = `/v1/payments/${payment.id}`;
    const { body } = await client.post(`${path}/token`, undefined, from(office));
    const authorization = { Authorization: `Bearer ${body.token}`, ...from(elsewhere) };
    expect((await createClient(app.baseUrl).get(path, authorization)).status).toBe(200);
  });

  test('opens no WebSocket from elsewhere', async () => {
    const { key } = await createKey(office);
    const { ended } = overWebSocket(app.baseUrl, { 'X-API-Key': key }, allPayments);
    expect(await ended).toBe(4403);
  });

  test.each(transports)('over %s, is disconnected when its address is removed', async (_name, subscribe) => {
    const { id, key } = await createKey('127.0.0.0/8', '::1');
    const { ended } = subscribe(app.baseUrl, { 'X-API-Key': key }, allPayments);
    await eventually(() => {
      expect(app.services.livePayments.count()).toBe(1);
    });
    await app.services.apiKeys.update(operator, id, { allowedIps: [office] });
    await ended;
    expect(app.services.liveSessions.count()).toBe(0);
  });

  test('passes its addresses on to its successor', async () => {
    const { id } = await createKey(office);
    expect(await app.services.apiKeys.rotate(operator, id, 0)).toMatchObject({ allowedIps: [office] });
  });
});

test("if stolen, exhausts the limit of the thief's address, not its own", async () => {
  const own = await startTestApp({ TRUST_PROXY: '1', ROLE: 'api', RATE_LIMIT_PER_MINUTE: '3' });
  try {
    const { key } = await createKey(office);
    const client = createClient(own.baseUrl, key);
    const statuses: number[] = [];
    expect((await client.get('/v1/payments', from(office))).status).toBe(200);
    for (let count = 0; count < 5; count++) {
      statuses.push((await client.get('/v1/payments', from(elsewhere))).status);
    }
    expect(statuses).toEqual([403, 403, 403, 429, 429]);
    expect((await client.get('/v1/payments', from(office))).status).toBe(200);
  } finally {
    await own.stop();
  }
});

describe("a key's addresses", () => {
  const creation = `mutation ($input: CreateApiKeyInput!) {
    createApiKey(input: $input) { key apiKey { id allowedIps } } }`;
  const change = `mutation ($id: ID!, $input: UpdateApiKeyInput!) {
    updateApiKey(id: $id, input: $input) { id name allowedIps } }`;

  test('are set and changed over GraphQL, effective at once, in canonical form and with an audit entry', async () => {
    const allowedIps = ['::ffff:203.0.113.7', '2001:DB8:0::/32', office];
    const created = (await owner.graphql(creation, { input: { allowedIps } })).body.data.createApiKey;
    const { id } = created.apiKey;
    expect(created.apiKey.allowedIps).toEqual([office, '2001:db8::/32']);
    expect([await statusFrom(created.key, office), await statusFrom(created.key, elsewhere)]).toEqual([
      200, 403,
    ]);

    const { body } = await owner.graphql(change, { id, input: { allowedIps: [elsewhere] } });
    expect(body.data.updateApiKey).toEqual({ id, name: 'test key', allowedIps: [elsewhere] });
    expect([await statusFrom(created.key, office), await statusFrom(created.key, elsewhere)]).toEqual([
      403, 200,
    ]);
    const log = await owner.graphql('{ auditLog(first: 1) { edges { node { action subject details } } } }');
    expect(log.body.data.auditLog.edges[0].node).toEqual({
      action: 'api_key.update',
      subject: id,
      details: { mode: 'test', keyMode: 'test', name: 'test key', allowedIps: [elsewhere] },
    });

    await owner.graphql(change, { id, input: { name: 'Back end' } });
    const listed = (await owner.graphql('{ apiKeys { id name allowedIps } }')).body.data.apiKeys;
    expect(listed).toContainEqual({ id, name: 'Back end', allowedIps: [elsewhere] });
    await owner.graphql(change, { id, input: { allowedIps: [] } });
    expect([await statusFrom(created.key, office), await statusFrom(created.key, elsewhere)]).toEqual([
      200, 200,
    ]);
  });

  test.each<[name: string, allowedIps: string[], message: string]>([
    [
      'which are none are all named',
      ['10.0.0.0/8', 'localhost', '10.0.0.1/8'],
      'allowedIps.1 must be an IPv4 or IPv6 address, or a range such as 203.0.113.0/24; ' +
        'allowedIps.2 must start at the first address of its range: 10.0.0.0/8',
    ],
    [
      'are at most 100',
      Array.from({ length: 101 }, (_, last) => `10.0.0.${last}`),
      'allowedIps must have at most 100 addresses and ranges',
    ],
  ])('%s', async (_name, allowedIps, message) => {
    const { body } = await owner.graphql(creation, { input: { allowedIps } });
    expect(body.errors[0]).toMatchObject({ message, extensions: { code: 'BAD_USER_INPUT' } });
    const { id } = await createKey(office);
    const changed = await owner.graphql(change, { id, input: { allowedIps } });
    expect(changed.body.errors[0].message).toBe(message);
    expect((await app.services.apiKeys.list(operator)).at(-1)?.allowedIps).toEqual([office]);
  });

  test('of a revoked key cannot be changed, and an empty change is refused', async () => {
    const { id } = await createKey();
    const errorOf = async (input: object) =>
      (await owner.graphql(change, { id, input })).body.errors[0].message as string;
    expect(await errorOf({})).toBe(
      'give a name, permissions, allowedIps, refundLimitPerDay or rateLimitPerMinute',
    );
    await app.services.apiKeys.revoke(operator, id);
    expect(await errorOf({ allowedIps: [office] })).toBe('a revoked key cannot be changed');
  });

  test('are set and changed on the command line', async () => {
    const env = { DATABASE_URL: app.databaseUrl };
    const run = async (...args: string[]) => {
      const { code, stdout } = await pix(['key', ...args, '--json'], env);
      expect(code).toBe(0);
      return JSON.parse(stdout);
    };
    const org = operator.organizationId;
    const { id } = await run(
      'create',
      '--org',
      org,
      '--mode',
      'test',
      '--allow-ips',
      `${office}, 10.0.0.0/8`,
    );
    expect(await run('list', '--org', org)).toMatchObject([{ id, allowedIps: [office, '10.0.0.0/8'] }]);
    const updated = await run('update', '--id', id, '--name', 'Back end', '--allow-ips', 'none');
    expect(updated).toMatchObject({ id, name: 'Back end', allowedIps: [] });
    const wrong = await pix(['key', 'update', '--id', id, '--allow-ips', 'office'], env);
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('allowedIps.0 must be an IPv4') });
  });
});
