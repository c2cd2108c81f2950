import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { longTest } from '../support/chance.ts';
import { type Client, createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { closeGate, type Gate, installGates, openGates } from '../support/gate.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What other nodes may take to learn of a clock, with much room for a busy machine. */
const learnedWithinMs = 10_000;

interface Organization {
  organizationId: string;
  /** Its clients at both nodes. */
  at: [Client, Client];
}

const advance = (client: Client, by: string) => client.post('/v1/sandbox/clock', { advance: by });
const reset = (client: Client) => client.delete('/v1/sandbox/clock');

/** How far the clock is ahead of real time, in whole hours. */
async function hoursAhead(client: Client): Promise<number> {
  const { body } = await client.get('/v1/sandbox/clock');
  return Math.round((Date.parse(body.now as string) - Date.now()) / hourMs) || 0;
}

describe.each([
  ['with Redis', true],
  ['without Redis', false],
])('two nodes %s', (_name, hasRedis) => {
  let redis: RedisServer | undefined;
  let databaseUrl: string;
  let nodes: [TestApp, TestApp];
  let organization: Organization;
  let first: Client;
  let second: Client;

  async function open(): Promise<Organization> {
    const { organizationId, key } = await createKey(nodes[0].services);
    const [one, two] = nodes;
    return { organizationId, at: [createClient(one.baseUrl, key), createClient(two.baseUrl, key)] };
  }

  const expectHoursAhead = (hours: number) =>
    eventually(async () => {
      expect(await Promise.all(organization.at.map(hoursAhead))).toEqual([hours, hours]);
    }, learnedWithinMs);

  /** An advance that stands still an hour ahead until the gate opens. */
  async function advanceHeldUp(by: string) {
    await first.post('/v1/payments', { amount: 1, expirationMinutes: 60 });
    const gate: Gate = await closeGate(databaseUrl, 'INSERT', 'event');
    const answered = advance(first, by);
    await gate.waiting(1);
    return { gate, answered };
  }

  const holdFor = (interval: string) =>
    query(databaseUrl, `UPDATE test_clock SET held_until = now() + $2::interval WHERE organization_id = $1`, [
      organization.organizationId,
      interval,
    ]);

  beforeAll(async () => {
    redis = hasRedis ? await startRedisServer() : undefined;
    databaseUrl = await freshDatabase();
    await installGates(databaseUrl, ['event']);
    const env = { DATABASE_URL: databaseUrl, ...(redis && { REDIS_URL: redis.url }) };
    nodes = [await startTestApp({ ...env, ROLE: 'api' }), await startTestApp({ ...env, ROLE: 'all' })];
  });

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await redis?.stop();
  });

  beforeEach(async () => {
    organization = await open();
    [first, second] = organization.at;
  });

  afterEach(openGates);

  test('have one clock: what one moves or resets, the other goes by', async () => {
    await advance(first, 'P10D');
    await expectHoursAhead(240);
    await reset(second);
    await expectHoursAhead(0);
  });

  test('agree on it though no message tells of a change', async () => {
    const { organizationId } = organization;
    await advance(first, 'P10D');
    await expectHoursAhead(240);
    await query(databaseUrl, 'UPDATE test_clock SET ahead_ms = $2 WHERE organization_id = $1', [
      organizationId,
      11 * dayMs,
    ]);
    await expectHoursAhead(264);
    await query(databaseUrl, 'DELETE FROM test_clock WHERE organization_id = $1', [organizationId]);
    await expectHoursAhead(0);
  });

  test('move it further for each request, however many come at once', async () => {
    const answers = await Promise.all([first, second, first, second].map((client) => advance(client, 'P7D')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await expectHoursAhead(28 * 24);
  });

  test('show how far it has come while it is moved, whatever other organizations do', async () => {
    const { gate, answered } = await advanceHeldUp('P30D');
    await expectHoursAhead(1);
    const others = await open();
    for (const client of others.at) {
      await advance(client, 'PT2H');
      await reset(client);
      expect(await hoursAhead(first)).toBe(1);
    }
    await expectHoursAhead(1);
    await gate.open();
    expect((await answered).status).toBe(200);
    await expectHoursAhead(720);
  });

  test('reset it once it has been moved', async () => {
    const { gate, answered } = await advanceHeldUp('P90D');
    const afterwards = reset(second);
    await gate.open();
    expect((await answered).body).toMatchObject({ isMoved: true });
    expect((await afterwards).body).toMatchObject({ isMoved: false });
    await expectHoursAhead(0);
  });

  test('move it from where a move on the other has led', async () => {
    const { gate, answered } = await advanceHeldUp('P90D');
    const afterwards = advance(second, 'P1D');
    await gate.open();
    expect([(await answered).status, (await afterwards).status]).toEqual([200, 200]);
    await expectHoursAhead(91 * 24);
  });

  test('leave it to whoever took it over from a node that came to a standstill', async () => {
    const { gate, answered } = await advanceHeldUp('P90D');
    await holdFor('-1 second');
    expect((await advance(second, 'P1D')).status).toBe(200);
    await gate.open();
    const late = await answered;
    expect(late).toMatchObject({ status: 409 });
    expect(late.headers.get('X-Error-Code')).toBe('test_clock_moving');
    await expectHoursAhead(25);
  });

  longTest('say that it is being moved when that takes long', async () => {
    await advance(first, 'P1D');
    await query(databaseUrl, `UPDATE test_clock SET held_by = gen_random_uuid() WHERE organization_id = $1`, [
      organization.organizationId,
    ]);
    await holdFor('1 hour');
    const refusals = await Promise.all([reset(first), advance(second, 'P1D')]);
    for (const { status, headers } of refusals) {
      expect(status).toBe(409);
      expect(headers.get('X-Error-Code')).toBe('test_clock_moving');
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    }
    await expectHoursAhead(24);
  });
});
