import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { boundMs } from '../support/chance.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { query, workerDatabase } from '../support/database.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { killServices, memoryFlags, type ServiceProcess, startService } from '../support/service-process.ts';
import { overWebSocket } from '../support/subscribe.ts';

/** 16 KiB whose members are as small as can be, in texts of two bytes a character: nothing takes more memory. */
const fattest = JSON.stringify({ a: [...Array.from({ length: 5_453 }, () => ({})), 'ç💸'] });

/** Two seconds, and as much again for a machine that does something else. */
const createdWithinMs = boundMs(4_000);

/** The answer as it came: a test that parsed it would need the memory that the service must not. */
interface Raw {
  status: number;
  text: string;
}

let operator: TestApp;
let node: ServiceProcess;
let attacker: TestKey;
let merchant: TestKey;

beforeAll(async () => {
  const databaseUrl = await workerDatabase();
  operator = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' });
  node = await startService({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'info' }, await memoryFlags());
  attacker = await createKey(operator.services);
  merchant = await createKey(operator.services);
  // The first ones wait for what is compiled then.
  const first = createClient(node.baseUrl, merchant.key);
  await first.post('/v1/payments', { amount: 1 });
  await first.graphql('{ payments { edges { cursor } } events { edges { cursor } } }');
  const client = createClient(operator.baseUrl, attacker.key);
  const created = await Promise.all(
    Array.from({ length: 101 }, () => client.post('/v1/payments', { amount: 1 })),
  );
  await Promise.all(created.map(({ body }) => client.post(`/v1/sandbox/payments/${body.id}/expire`)));
  // Before there was a bound on members it could be sent.
  await query(databaseUrl, 'UPDATE payment SET metadata = $2::json WHERE organization_id = $1', [
    attacker.organizationId,
    fattest,
  ]);
  await query(
    databaseUrl,
    `UPDATE event SET body = left(body, -2) || ',"metadata":' || $2 || '}}' WHERE organization_id = $1`,
    [attacker.organizationId, fattest],
  );
});

afterAll(async () => {
  await killServices();
  await operator.stop();
});

async function send(path: string, body?: object): Promise<Raw> {
  const response = await fetch(node.baseUrl + path, {
    headers: { 'X-API-Key': attacker.key, 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

const manyTimes = (field: string, times = 15) => ({
  query: `query ($n: Int = 100) { ${Array.from({ length: times }, (_, index) => `a${index}: ${field}`).join(' ')} }`,
});

const pages: [name: string, field: string][] = [
  ['payments', 'payments(first: $n) { edges { node { metadata } } }'],
  ['events', 'events(first: $n) { edges { node { data { metadata } } } }'],
];

/** While `attack` runs, another tenant pays as always. */
async function whileOthersPay<T>(attack: Promise<T>): Promise<T> {
  const client = createClient(node.baseUrl, merchant.key);
  let isOver = false;
  const attacked = attack.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const startedAt = performance.now();
    expect(await client.post('/v1/payments', { amount: 1 })).toMatchObject({ status: 201 });
    expect(performance.now() - startedAt).toBeLessThan(createdWithinMs);
  }
  return attacked;
}

describe('a node with the memory of npm start, asked for the largest possible payments', () => {
  test.each(pages)(
    'refuses fifteen pages of %s in one response and says how many fit',
    async (_name, field) => {
      const answers = await whileOthersPay(
        Promise.all(Array.from({ length: 20 }, () => send('/graphql', manyTimes(field)))),
      );
      for (const { status, text } of answers) {
        expect(status).toBe(200);
        expect(JSON.parse(text)).toMatchObject({
          data: null,
          errors: [
            {
              message: expect.stringMatching(
                /^first must be at most 1\d here: a response may hold at most 4 MiB$/,
              ),
              extensions: { code: 'BAD_USER_INPUT', statusCode: 400 },
            },
          ],
        });
      }
      const n = Number(/at most (\d+) here/.exec(answers[0]?.text ?? '')?.[1]);
      const { text } = await send('/graphql', { ...manyTimes(field), variables: { n } });
      expect(text.split(fattest)).toHaveLength(15 * n + 1);
      expect(text).not.toContain('"errors"');
    },
  );

  test('returns fifteen concurrent lists of a hundred, as they were sent', async () => {
    const lists = await whileOthersPay(
      Promise.all(Array.from({ length: 15 }, () => send('/v1/payments?limit=100'))),
    );
    for (const { status, text } of lists) {
      expect(status).toBe(200);
      expect(text.split(fattest)).toHaveLength(101);
    }
  });

  test('returns a page of a hundred with every field over GraphQL, and a hundred events', async () => {
    const fields = 'id amount status pixCopyPaste pixQrCodeBase64 metadata';
    const overGraphql = await send('/graphql', {
      query: `{ payments(first: 100) { edges { cursor node { ${fields} } } } }`,
    });
    const events = await send('/v1/events?limit=100');
    for (const { status, text } of [overGraphql, events]) {
      expect(status).toBe(200);
      expect(text.split(fattest)).toHaveLength(101);
    }
  });

  test('over a WebSocket too', async () => {
    const run = (document: string) => {
      const subscribed = overWebSocket(node.baseUrl, { 'X-API-Key': attacker.key }, document);
      return subscribed.ended.then(() => subscribed.results);
    };
    const refused = await Promise.all(pages.map(([, field]) => run(manyTimes(field).query)));
    for (const [result] of refused) expect(result.errors[0].message).toContain('at most 4 MiB');
    const [found] = await run('{ payments(first: 100) { edges { node { metadata } } } }');
    expect(found.data.payments.edges).toHaveLength(100);
    expect(JSON.stringify(found.data.payments.edges[0].node.metadata)).toBe(fattest);
  });

  test('survives, with little memory', async () => {
    expect(node.process.exitCode).toBeNull();
    const { text } = await send('/metrics');
    const resident = Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
    expect(resident).toBeLessThan(400 * 1_048_576);
  });
});
