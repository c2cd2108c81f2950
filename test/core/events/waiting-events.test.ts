import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { countEvents } from '../../../src/core/payments/store/payment-changes.ts';
import { openDatabase } from '../../../src/database/database.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { pix } from '../../support/command-line.ts';
import { freshDatabase, openTransaction, query } from '../../support/database.ts';
import { deliverWebhooks } from '../../support/deliver-webhooks.ts';
import { eventually } from '../../support/eventually.ts';
import { createKey, type TestKey } from '../../support/factories.ts';
import { leaveWaiting } from '../../support/waiting-event.ts';
import { receiverHost, startWebhookReceiver } from '../../support/webhook-receiver.ts';

let databaseUrl: string;
/** Two nodes without workers. */
let nodes: TestApp[];
let owner: TestKey;
let clients: Client[];

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  const env = { DATABASE_URL: databaseUrl, ROLE: 'api', WEBHOOK_ALLOWED_HOSTS: receiverHost };
  nodes = [await startTestApp(env), await startTestApp(env)];
});

beforeEach(async () => {
  owner = await createKey((nodes[0] as TestApp).services);
  clients = nodes.map(({ baseUrl }) => createClient(baseUrl, owner.key));
});

afterAll(() => Promise.all(nodes.map((node) => node.stop())));

const on = (node: number): Client => clients[node % 2] as Client;

const create = async (more: object = {}): Promise<string> =>
  String((await on(0).post('/v1/payments', { amount: 10, ...more })).body.id);
const pay = (id: string, node = 0) => on(node).post(`/v1/sandbox/payments/${id}/pay`);

interface Listed {
  type: string;
  sequence: number;
  data: { id: string };
}

const listed = async (node = 0): Promise<Listed[]> =>
  (await on(node).get('/v1/events?limit=100')).body.data as Listed[];
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const waiting = async (): Promise<number> =>
  (await query(databaseUrl, 'SELECT FROM waiting_event WHERE organization_id = $1', [owner.organizationId]))
    .length;
const numberLeft = (node = 0) => (nodes[node] as TestApp).services.eventNumbering.numberLeft(1_000);

/** Takes the counter, as another event's transaction does until its commit. */
async function takeCounter(): Promise<{ giveBack(): Promise<void> }> {
  const keeper = await openTransaction(databaseUrl);
  await keeper.query('SELECT FROM event_counter WHERE organization_id = $1 FOR NO KEY UPDATE', [
    owner.organizationId,
  ]);
  return { giveBack: () => keeper.end() };
}

test('an event waits for nothing while the counter is free', async () => {
  await pay(await create());
  const position = () => query(databaseUrl, 'SELECT last_value FROM waiting_event_position_seq');
  const before = await position();
  for (const node of upTo(4)) await pay(await create(), node);
  expect(await position()).toEqual(before);
  expect((await listed()).map(({ sequence }) => sequence)).toEqual(upTo(5));
});

test('events of a moment are numbered together by two nodes, and listed once their payments are answered', async () => {
  const first = await create();
  await pay(first);
  const ids = await Promise.all(upTo(8).map(() => create()));
  const counter = await takeCounter();
  const answers = ids.map(async (id, index) => {
    const { status } = await pay(id, index);
    return { status, found: (await listed(index + 1)).some(({ data }) => data.id === id) };
  });
  await eventually(async () => expect(await waiting()).toBe(8));
  expect((await listed()).map(({ data }) => data.id)).toEqual([first]);
  await counter.giveBack();
  expect(await Promise.all(answers)).toEqual(ids.map(() => ({ status: 200, found: true })));
  expect((await listed()).map(({ sequence }) => sequence)).toEqual(upTo(9));
  expect(await waiting()).toBe(0);
});

test('a later event of a payment waits for its earlier ones, which another node numbers with it', async () => {
  await pay(await create());
  const id = await create();
  await pay(id);
  await leaveWaiting(databaseUrl, id);
  const other = await create();
  await pay(other);
  expect(await listed()).toMatchObject([{ sequence: 1 }, { sequence: 2, data: { id: other } }]);
  await on(1).post(`/v1/payments/${id}/refunds`);
  expect((await listed()).slice(2)).toMatchObject([
    { sequence: 3, type: 'payment_completed', data: { id } },
    { sequence: 4, type: 'refund_completed', data: { id } },
    { sequence: 5, type: 'payment_refunded', data: { id } },
  ]);
});

test('what a dead node has left is numbered by whichever workers, and delivered', async () => {
  const receiver = await startWebhookReceiver();
  try {
    const { services } = nodes[0] as TestApp;
    const { organizationId } = owner;
    const operator = { kind: 'operator', organizationId, mode: 'test' } as const;
    await services.webhookEndpoints.create(operator, { url: receiver.url });
    const ids = await Promise.all(upTo(5).map(() => create()));
    for (const id of ids) await pay(id);
    for (const id of ids.toReversed()) await leaveWaiting(databaseUrl, id);
    const counter = await takeCounter();
    const numbering = [numberLeft(0), numberLeft(1)];
    await counter.giveBack();
    await Promise.all(numbering);
    expect((await listed()).map(({ sequence, data }) => [sequence, data.id])).toEqual(
      ids.toReversed().map((id, index) => [index + 1, id]),
    );
    await deliverWebhooks(services.webhookSender);
    const received = receiver.requests.map(({ body }) => (JSON.parse(body) as Listed).sequence);
    expect(received.toSorted((a, b) => a - b)).toEqual(upTo(5));
  } finally {
    await receiver.stop();
  }
});

test('what a provider answered before an event of the payment is out of date, whether that waits or not', async () => {
  const db = openDatabase(databaseUrl, { maximumConnections: 1 });
  const id = await create();
  const counts = [await countEvents(db, id)];
  await pay(id);
  counts.push(await countEvents(db, id));
  await leaveWaiting(databaseUrl, id);
  counts.push(await countEvents(db, id));
  await numberLeft();
  counts.push(await countEvents(db, id));
  await db.$disconnect();
  expect(counts).toEqual([0, 1, 1, 1]);
});

test('one that the payment already has is dropped, without a gap, and keeps no other waiting', async () => {
  const [one, other] = [await create(), await create()];
  await pay(one);
  await leaveWaiting(databaseUrl, one);
  await query(
    databaseUrl,
    `INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, body, created_at)
     SELECT gen_random_uuid(), organization_id, mode, 1, type, payment_id, head || 1 || tail, created_at
     FROM waiting_event WHERE payment_id = $1`,
    [one],
  );
  await query(databaseUrl, 'UPDATE event_counter SET last_sequence = 1 WHERE organization_id = $1', [
    owner.organizationId,
  ]);
  await pay(other);
  await leaveWaiting(databaseUrl, other);
  await numberLeft();
  expect((await listed()).map(({ sequence, data }) => [sequence, data.id])).toEqual([
    [1, one],
    [2, other],
  ]);
});

test('a node that cannot number answers all the same, and leaves it to the workers', async () => {
  const id = await create();
  await query(
    databaseUrl,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
     CREATE TRIGGER refuse BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION refuse()`,
  );
  // The first event of an organization waits, as there is no counter yet.
  expect(await pay(id)).toMatchObject({ status: 200, body: { status: 'completed' } });
  await expect(numberLeft()).rejects.toThrow();
  expect(await waiting()).toBe(1);
  await query(databaseUrl, 'DROP FUNCTION refuse CASCADE');
  await numberLeft();
  expect(await listed()).toMatchObject([{ sequence: 1, data: { id } }]);
});

test('one that waits is numbered before its payer is forgotten, whose data is then in no event', async () => {
  const payer = { name: 'Antônia Gonçalves Ferraz', document: '529.982.247-25' };
  const id = await create({ payer });
  await pay(id);
  await leaveWaiting(databaseUrl, id);
  const who = ['--org', owner.organizationId, '--document', payer.document];
  const run = await pix(['person', 'forget', ...who, '--yes'], {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'silent',
  });
  expect(run.code).toBe(0);
  const events = await listed();
  expect(events).toMatchObject([{ sequence: 1, type: 'payment_completed', data: { id } }]);
  expect(JSON.stringify(events)).not.toMatch(/Ferraz|52998224725|529\.982/);
  expect(await waiting()).toBe(0);
});
