import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { deliverWebhooks } from '../../support/deliver-webhooks.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { pix } from '../../support/command-line.ts';
import { freshDatabase } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';
import { createPerson, personalClient, signIn, type TestPerson } from '../../support/people.ts';
import { type PspEmulator, startEmulator } from '../../support/psp-emulator/core.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';
import {
  isSignedWith,
  receiverHost,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/webhook-receiver.ts';

const [oldKey, newKey] = ['2025', '2026'].map((id, place) => {
  const key = Buffer.alloc(32, place + 1);
  return `${id}:${key.toString('base64')}`;
}) as [string, string];

let databaseUrl: string;
let emulator: PspEmulator;
let receiver: WebhookReceiver;
let nodes: [TestApp, TestApp];

const startNode = (...keys: string[]): Promise<TestApp> =>
  startTestApp({
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: keys.join(),
    ROLE: 'api',
    TRUST_PROXY: '1',
    WEBHOOK_ALLOWED_HOSTS: receiverHost,
  });

/** Restarts a node with other settings, as an operator does, while the other one goes on. */
async function restart(place: 0 | 1, ...keys: string[]): Promise<void> {
  await nodes[place].stop();
  nodes[place] = await startNode(...keys);
}

interface Shop {
  organizationId: string;
  test: string;
  live: string;
  person: TestPerson;
}

let shop: Shop;
let endpointSecret: string;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  [emulator, receiver] = await Promise.all([startEmulator(woovi), startWebhookReceiver()]);
  nodes = [await startNode(oldKey), await startNode(oldKey)];
  const [{ services }] = nodes;
  const { organizationId, key: live } = await createKey(services, { mode: 'live' });
  const { key: testKey } = await createKey(services, { organizationId });
  const person = await createPerson(nodes[0], { organizationId });
  shop = { organizationId, test: testKey, live, person };
  const operator = operatorFor(organizationId, 'test');
  ({ secret: endpointSecret } = await services.webhookEndpoints.create(operator, { url: receiver.url }));
});

afterEach(() => {
  receiver.requests.length = 0;
});

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await emulator.stop();
  await receiver.stop();
});

interface Kept {
  token: string;
  /** Path of the payment's checkout page. */
  checkoutPath: string;
  paymentId: string;
  credentialId: string;
  cookie: string;
}

/** What a node hands out and seals. */
async function makeAt(node: TestApp): Promise<Kept> {
  const client = createClient(node.baseUrl, shop.test);
  const { body: payment } = await client.post('/v1/payments', { amount: 1, expirationMinutes: 600 });
  const { body } = await client.post(`/v1/payments/${payment.id}/token`);
  const { id: credentialId } = await node.services.credentials.create(operatorFor(shop.organizationId), {
    provider: 'woovi',
    name: 'Woovi',
    settings: emulator.settings,
    isDefault: false,
  });
  return {
    token: body.token,
    checkoutPath: new URL(payment.checkoutUrl).pathname,
    paymentId: payment.id,
    credentialId,
    cookie: await signIn(node, shop.person),
  };
}

const personAt = ({ baseUrl }: TestApp, cookie: string): Client =>
  personalClient({ baseUrl } as TestApp, cookie, shop);

async function readsToken({ baseUrl }: TestApp, { token, paymentId }: Kept): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await createClient(baseUrl).get(`/v1/payments/${paymentId}`, headers)).status;
}

const opensCheckout = async ({ baseUrl }: TestApp, { checkoutPath }: Kept): Promise<number> =>
  (await fetch(baseUrl + checkoutPath)).status;

/** That a node takes what another one has handed out and sealed. */
async function expectUsable(node: TestApp, kept: Kept): Promise<void> {
  expect(await readsToken(node, kept)).toBe(200);
  expect(await opensCheckout(node, kept)).toBe(200);
  const { cookie, credentialId } = kept;
  const me = await personAt(node, cookie).graphql('{ me { email } }');
  expect(me.body.data?.me.email).toBe(shop.person.email);
  const live = createClient(node.baseUrl, shop.live);
  expect((await live.post('/v1/payments', { amount: 5, credentialId })).status).toBe(201);
  const { body } = await createClient(node.baseUrl, shop.test).post('/v1/payments', { amount: 1 });
  await createClient(node.baseUrl, shop.test).post(`/v1/payments/${body.id}/cancel`);
  await deliverWebhooks(node.services.webhookSender);
  const request = receiver.requests.pop();
  expect(request && isSignedWith(endpointSecret, request)).toBe(true);
}

/** Whatever one node made, both of them use. */
async function expectAgreement(before: Kept[]): Promise<Kept[]> {
  const made = [await makeAt(nodes[0]), await makeAt(nodes[1])];
  for (const node of nodes) for (const kept of [...before, ...made]) await expectUsable(node, kept);
  return made;
}

describe('ENCRYPTION_KEYS are changed on two nodes, one after the other, while both serve', () => {
  let before: Kept[] = [];
  let promoted: Kept[] = [];

  test('they agree at first', async () => {
    before = await expectAgreement([]);
  });

  test.each<[name: string, place: 0 | 1, keys: string[]]>([
    ['the new key is added behind the old one on the first', 0, [oldKey, newKey]],
    ['and on the second', 1, [oldKey, newKey]],
    ['it is moved to the front on the first', 0, [newKey, oldKey]],
  ])('%s', async (_name, place, keys) => {
    await restart(place, ...keys);
    await expectAgreement(before);
  });

  test('and on the second: from now on both seal and sign with the new key', async () => {
    await restart(1, newKey, oldKey);
    promoted = await expectAgreement(before);
  });

  test('a node does not start without the old key before everything is rewrapped', async () => {
    await expect(startNode(newKey)).rejects.toThrow('  - missing: 2025\n');
  });

  test('everything is rewrapped, and nothing is left under the old key', async () => {
    const env = { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: `${newKey},${oldKey}` };
    const { stdout } = await pix(['encryption', 'rewrap', '--json'], env);
    expect(JSON.parse(stdout)).toEqual({ rewrapped: 9, left: [], unreadable: [] });
    await expectAgreement([...before, ...promoted]);
  });

  test('the old key is removed: everything made since the new one took over works on both', async () => {
    await restart(0, newKey);
    await expectAgreement(promoted);
    await restart(1, newKey);
    await expectAgreement(promoted);
  });

  test('tokens and sessions signed only with the old key end with it, credentials and checkout pages do not', async () => {
    const [first] = before;
    if (!first) throw new Error('nothing was made before');
    for (const node of nodes) {
      expect(await readsToken(node, first)).toBe(401);
      expect(await opensCheckout(node, first)).toBe(200);
      expect((await personAt(node, first.cookie).graphql('{ me { email } }')).status).toBe(401);
      const live = createClient(node.baseUrl, shop.live);
      const { credentialId } = first;
      expect((await live.post('/v1/payments', { amount: 5, credentialId })).status).toBe(201);
    }
  });
});
