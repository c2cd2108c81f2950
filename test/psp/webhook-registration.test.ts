import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PspAdapter } from '../../src/core/providers/rules/psp.ts';
import { asaas } from '../../src/psp/asaas/adapter.ts';
import { bacen } from '../../src/psp/bacen/adapter.ts';
import { createHttpClients } from '../../src/psp/http/http-clients.ts';
import type { PspProvider } from '../../src/psp/kit/provider.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { woovi } from '../../src/psp/woovi/adapter.ts';
import type { WooviSettings } from '../../src/psp/woovi/settings.ts';
import { asaas as emulatedAsaas } from '../support/psp-emulator/asaas.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { type PspEmulator, startEmulator } from '../support/psp-emulator/core.ts';
import type { DefinePsp } from '../support/psp-emulator/psp.ts';
import { woovi as emulatedWoovi } from '../support/psp-emulator/woovi.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { adapterWith } from './bacen-setup.ts';
import { failureOf, soon } from './contract-setup.ts';

const clients = createHttpClients({ allowedHosts: ['localhost', '127.0.0.1'] });
const emulators: PspEmulator[] = [];
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  receiver.reply = { status: 200 };
});

afterAll(async () => {
  await Promise.all(emulators.map((emulator) => emulator.stop()));
  await receiver.stop();
  await clients.close();
});

async function account(provider: PspProvider, define: DefinePsp, changes: object = {}) {
  const emulator = await startEmulator(define);
  emulators.push(emulator);
  const settings = parseSettings(provider, { ...emulator.settings, ...changes });
  const adapter = provider.connect(settings, { http: clients.open, now: () => new Date() });
  return { emulator, settings, ...methodsOf(adapter) };
}

function methodsOf({ findWebhook, registerWebhook }: PspAdapter) {
  if (!findWebhook || !registerWebhook) throw new Error('the adapter has no webhook');
  return {
    find: (url: string) => findWebhook(url, soon()),
    register: (url: string) => registerWebhook(url, soon()),
  };
}

describe('a URL that does not respond is refused', () => {
  test.each<[string, PspProvider, DefinePsp]>([
    ['by the standard', bacen, defineBacen('standard')],
    ['by Woovi', woovi, emulatedWoovi],
  ])('%s', async (_name, provider, define) => {
    const { find, register } = await account(provider, define);
    const url = 'http://127.0.0.1:9/psp/provider/token';
    expect(await failureOf(register(url))).toMatchObject({ failure: 'rejected', reason: 'webhook_refused' });
    expect(await find(url)).toBeUndefined();
  });
});

describe('at Efí, a URL that accepts anybody', () => {
  const efi = defineBacen('efi');

  test('is refused with mutual TLS', async () => {
    const { register } = await account(bacen, efi, { notificationAuth: 'mtls' });
    expect(await failureOf(register(`${receiver.url}/token`))).toMatchObject({ reason: 'webhook_refused' });
  });

  test('is registered where the secret is in the URL', async () => {
    const { register, find } = await account(bacen, efi, { notificationAuth: 'urlToken' });
    const url = `${receiver.url}/token`;
    await register(url);
    expect(await find(url)).toEqual({ url, state: 'active' });
  });
});

test('a Pix key of somebody else is named as the mistake', async () => {
  const { register } = await account(bacen, defineBacen('standard'), { pixKey: 'somebody@else.example' });
  expect(await failureOf(register(receiver.url))).toMatchObject({ reason: 'wrong_pix_key' });
});

test('a URL that Itaú has for another registration is named as the mistake', async () => {
  // The response in bacen/pix-api, issue 9.
  const message =
    'There is a target registered using same product_name, target_name and message_type using target-id 8a1f';
  const razao = `422 : [{"messages":[{"errorCode":"422","message":"${message}"}]}]`;
  const reply = {
    status: 400,
    json: {
      type: 'https://pix.bcb.gov.br/api/v2/error/WebhookOperacaoInvalida',
      title: 'Webhook inválido.',
      status: 400,
      violacoes: [{ razao, propriedade: 'webhookUrl', valor: receiver.url }],
    },
  };
  const { register } = methodsOf(adapterWith(() => reply));
  expect(await failureOf(register(receiver.url))).toMatchObject({
    failure: 'rejected',
    reason: 'webhook_taken',
  });
});

describe('at Asaas', () => {
  const url = 'https://pay.example.com/psp/asaas/token';
  const write = async (emulator: PspEmulator, changes: object) => {
    const { baseUrl, apiKey } = emulator.settings as { baseUrl: string; apiKey: string };
    const headers = { access_token: apiKey };
    const list = await fetch(`${baseUrl}/webhooks`, { headers });
    const { data } = (await list.json()) as { data: { id: string }[] };
    const [webhook] = data;
    const response = await fetch(`${baseUrl}/webhooks/${webhook?.id ?? ''}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ ...webhook, authToken: 'x'.repeat(32), ...changes }),
    });
    expect(response.status).toBe(200);
  };

  test.each([
    ['paused', { interrupted: true }],
    ['paused', { enabled: false }],
    ['incomplete', { events: ['PAYMENT_CREATED'] }],
  ])('a webhook that is %s (%j) is seen, and put right by registering again', async (state, changes) => {
    const { emulator, find, register } = await account(asaas, emulatedAsaas);
    await register(url);
    await write(emulator, changes);
    expect(await find(url)).toEqual({ url, state });
    await register(url);
    expect(await find(url)).toEqual({ url, state: 'active' });
  });

  test('a token that is too short is refused', async () => {
    const { register } = await account(asaas, emulatedAsaas, { webhookToken: 'short' });
    expect(await failureOf(register(url))).toMatchObject({ reason: 'webhook_refused' });
  });
});

test.each([[], ['unsignedPings'], ['testWebhook'], ['unsignedPings', 'testWebhook']])(
  'the pings of Woovi are genuine, and name nothing: %j',
  async (...switches) => {
    const { emulator, register, settings } = await account(woovi, emulatedWoovi);
    for (const each of switches) emulator.switches.turn(each, true);
    const before = receiver.requests.length;
    await register(`${receiver.url}/pings${switches.join('')}`);
    const pings = receiver.requests.slice(before);
    expect(pings).toHaveLength(15);
    const tools = { http: clients.open, now: () => new Date() };
    for (const { headers, body } of pings) {
      const raw = {
        headers,
        query: new URLSearchParams(),
        body: Buffer.from(body),
        hasTrustedCertificate: false,
      };
      expect(await woovi.notifications.verify(raw, settings as WooviSettings, tools)).toBe(true);
      expect(woovi.notifications.charges(raw)).toEqual([]);
    }
  },
);

test('a registration of Woovi from before it told of recurrences is incomplete, and put right by another', async () => {
  const { emulator, find, register } = await account(woovi, emulatedWoovi);
  const url = `${receiver.url}/before`;
  await register(url);
  const { baseUrl, appId } = emulator.settings as { baseUrl: string; appId: string };
  const ask = async (path: string, method = 'GET') =>
    (await fetch(`${baseUrl}/api/v1/webhook${path}`, { method, headers: { authorization: appId } })).json();
  const { webhooks } = (await ask('?limit=100')) as { webhooks: { id: string; event: string }[] };
  for (const { id, event } of webhooks) if (event.startsWith('PIX_AUTOMATIC_')) await ask(`/${id}`, 'DELETE');
  expect(await find(url)).toEqual({ url, state: 'incomplete' });
  await register(url);
  expect(await find(url)).toEqual({ url, state: 'active' });
});

test('a webhook of another system at the same Woovi account stays', async () => {
  const { emulator, register } = await account(woovi, emulatedWoovi);
  await register(`${receiver.url}/others`);
  await register(`${receiver.url}/ours`);
  const { baseUrl, appId } = emulator.settings as { baseUrl: string; appId: string };
  const response = await fetch(`${baseUrl}/api/v1/webhook?limit=100`, { headers: { authorization: appId } });
  const { webhooks } = (await response.json()) as { webhooks: { url: string; event: string }[] };
  const counts = new Map<string, number>();
  for (const { url } of webhooks) counts.set(url, (counts.get(url) ?? 0) + 1);
  expect([...counts.values()]).toEqual([15, 15]);
});
