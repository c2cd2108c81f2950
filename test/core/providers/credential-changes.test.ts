import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Caller, operatorFor } from '../../../src/core/base/caller.ts';
import type { CredentialChange } from '../../../src/core/providers/credentials.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { seal } from '../../../src/core/encryption/rules/envelope.ts';
import { createAuthority } from '../../support/certificates.ts';
import { createClient } from '../../support/client.ts';
import { query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { attemptsOf, type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';
import { mercadopago } from '../../support/psp-emulator/mercadopago.ts';
import type { DefinePsp } from '../../support/psp-emulator/psp.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

const secret = 'S3gr3d0-do-lojista';

let app: TestApp;
let other: TestApp;
let caller: Caller;
const opened: LiveOrganization[] = [];

beforeAll(async () => {
  const env = { ROLE: 'api' };
  [app, other] = [await startTestApp(env), await startTestApp(env)];
});

beforeEach(async () => {
  caller = operatorFor((await app.services.organizations.create(`Test ${randomUUID()}`)).id);
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((organization) => organization.stop()));
});

afterAll(() => Promise.all([app.stop(), other.stop()]));

const add = async (provider: string, settings: object): Promise<string> => {
  const account = { provider, name: provider, settings, isDefault: false };
  return (await app.services.credentials.create(caller, account)).id;
};

const change = (id: string, settings: unknown, name?: string) =>
  app.services.credentials.update(caller, id, { name, settings });

const settingsOf = async (id: string) => (await app.services.credentials.open(id))?.settings;

const entriesOf = async () => (await app.services.audit.list(caller, { limit: 20, cursor: undefined })).data;

/** An account at one emulated PSP, and the clients of two nodes. */
async function openAccount(provider: string, define: DefinePsp) {
  const live = await openLiveOrganization(app, () => new Date(), [provider, define]);
  opened.push(live);
  const [account] = live.accounts;
  if (!account) throw new Error('there is no account');
  const otherClient = createClient(other.baseUrl, live.key);
  const payer = { name: 'Fulano de Tal', document: '52998224725' };
  const create = async (client = live.client) => {
    const { status, body } = await client.post('/v1/payments', { amount: 10, payer });
    return { status, id: body.id as string };
  };
  const changeTo = (to: CredentialChange) =>
    app.services.credentials.update(operatorFor(live.organizationId), account.credentialId, to);
  const update = (settings: object) => changeTo({ settings });
  return { ...account, client: live.client, otherClient, create, changeTo, update };
}

test('stored settings are shown without their secrets', async () => {
  const id = await add('mercadopago', {
    accessToken: secret,
    webhookSecret: secret,
    payerEmailFallback: 'loja@example.com',
  });
  expect(await app.services.credentials.storedSettings(caller, id)).toEqual([
    { name: 'accessToken', value: null },
    { name: 'webhookSecret', value: null },
    { name: 'payerEmailFallback', value: 'loja@example.com' },
  ]);
  const stranger = operatorFor((await app.services.organizations.create('Stranger')).id);
  await expect(app.services.credentials.storedSettings(stranger, id)).rejects.toThrow('was not found');
});

test('a credential named in upper case is changed like any other, and stays readable', async () => {
  const id = await add('woovi', { appId: secret });
  const { credentials } = app.services;
  const upper = id.toUpperCase();
  expect(await change(upper, { appId: 'new' }, 'Renamed')).toMatchObject({ id, name: 'Renamed' });
  expect(await settingsOf(id)).toEqual({ appId: 'new' });
  expect(await credentials.setEnabled(caller, upper, false)).toMatchObject({ id, enabled: false });
  expect(await credentials.setEnabled(caller, upper, true)).toMatchObject({ id, enabled: true });
  expect(await credentials.setDefault(caller, upper)).toMatchObject({ id, isDefault: true });
  expect((await entriesOf()).map(({ subject }) => subject)).toEqual(Array(5).fill(id));
});

test('the last check is kept until the settings change, and a new name is no other setting', async () => {
  const id = await add('woovi', { appId: secret, baseUrl: 'http://127.0.0.1:1' });
  const lastCheck = async () => (await app.services.credentials.list(caller))[0]?.lastCheck;
  expect(await lastCheck()).toBeNull();
  const { ok, problem, stages } = await app.services.credentials.check(caller, id);
  expect(await lastCheck()).toEqual({ ok, problem, stages, checkedAt: expect.any(Date) });
  expect(ok).toBe(false);
  await change(id, undefined, 'Renamed');
  expect(await lastCheck()).toMatchObject({ ok: false });
  await change(id, { appId: 'other', baseUrl: 'http://127.0.0.1:2' });
  expect(await lastCheck()).toBeNull();
});

describe('a change is refused', () => {
  const bacenSettings = {
    baseUrl: 'http://localhost:1/v2',
    clientId: 'client',
    clientSecret: secret,
    pixKey: 'loja@example.com',
    merchantName: 'Loja',
    merchantCity: 'Recife',
  };

  test.each<[name: string, settings: unknown, message: string]>([
    ['is no object', [secret], 'settings must be an object'],
    ['has a member that no account has', { colour: secret }, 'colour: no such setting'],
    ['takes away a member that no account has', { colour: null }, 'colour: no such setting'],
    ['takes away what must be given', { accessToken: null }, 'accessToken must be given'],
    ['breaks a rule', { accessToken: 'two words' }, 'accessToken must be 1 to 2000 printable characters'],
  ])('that %s, and nothing is changed', async (_name, settings, message) => {
    const stored = { accessToken: secret, webhookSecret: secret };
    const id = await add('mercadopago', stored);
    const before = await entriesOf();
    await expect(change(id, settings, 'Renamed')).rejects.toThrow(message);
    expect(await settingsOf(id)).toEqual(stored);
    expect(await entriesOf()).toEqual(before);
    expect(await app.services.credentials.list(caller)).toMatchObject([{ name: 'mercadopago' }]);
  });

  test('that leaves inconsistent settings', async () => {
    const { certificate } = createAuthority('Somebody').issue('client');
    await expect(change(await add('bacen', bacenSettings), { certificate })).rejects.toThrow(
      'privateKey must be given with the other half of the pair',
    );
  });

  test('that would make it a different account', async () => {
    const id = await add('bacen', bacenSettings);
    await expect(change(id, { pixKey: 'outra@example.com' })).rejects.toThrow('pixKey cannot be changed');
    await change(id, { ...bacenSettings, merchantCity: 'Olinda' });
    expect(await settingsOf(id)).toEqual({ ...bacenSettings, merchantCity: 'Olinda' });
  });

  test('that would send a stored secret to a new address', async () => {
    const id = await add('pagarme', { secretKey: secret, webhookUser: 'user', webhookPassword: secret });
    const baseUrl = 'https://elsewhere.example.com';
    await expect(change(id, { baseUrl, secretKey: 'new' })).rejects.toThrow(
      'webhookUser, webhookPassword must be given together with baseUrl: stored secrets are never sent to a new address',
    );
    const whole = { baseUrl, secretKey: 'new', webhookUser: 'user', webhookPassword: secret };
    await change(id, whole);
    await expect(change(id, { baseUrl: null })).rejects.toThrow('must be given together with baseUrl');
    expect(await settingsOf(id)).toEqual(whole);
  });

  test('that is empty, has an empty name, or is for an unknown credential', async () => {
    const id = await add('woovi', { appId: secret });
    await expect(change(id, undefined)).rejects.toThrow('give a name, settings or fees');
    await expect(change(id, undefined, ' ')).rejects.toThrow('name must be 1 to 200 characters');
    const stranger = operatorFor((await app.services.organizations.create('Other')).id);
    await expect(app.services.credentials.update(stranger, id, { name: 'Mine' })).rejects.toThrow(
      `Credential ${id} was not found`,
    );
    await expect(app.services.credentials.settingNames(stranger, id)).rejects.toThrow('was not found');
  });
});

describe('a secret that the service makes up', () => {
  test('is made where none is given, kept, and made anew for another address', async () => {
    const id = await add('asaas', { apiKey: secret });
    const tokenOf = async () => (await settingsOf(id))?.['webhookToken'];
    const first = await tokenOf();
    expect(first).toMatch(/^[\w-]{32}$/);
    await change(id, { apiKey: 'new' });
    expect(await tokenOf()).toBe(first);
    const baseUrl = 'https://elsewhere.example.com/v3';
    await expect(change(id, { baseUrl })).rejects.toThrow('apiKey must be given together with baseUrl');
    await change(id, { baseUrl, apiKey: secret });
    const second = await tokenOf();
    expect(second).toMatch(/^[\w-]{32}$/);
    expect(second).not.toBe(first);
    await change(id, { webhookToken: 'my-own-token' });
    expect(await tokenOf()).toBe('my-own-token');
    await change(id, { webhookToken: null });
    expect(await tokenOf()).toMatch(/^[\w-]{32}$/);
  });
});

test('a credential is incomplete until it has the secret that comes with its webhook', async () => {
  const live = await openAccount('mercadopago', mercadopago);
  const { credentials } = app.services;
  const shown = async () => {
    const { organizationId } = await credentials.operatorOf(live.credentialId);
    const { stages } = await credentials.check(operatorFor(organizationId), live.credentialId);
    const [{ missingSettings } = { missingSettings: [] }] = await credentials.list(
      operatorFor(organizationId),
    );
    return [missingSettings, stages.at(-1)?.reason];
  };
  const { webhookSecret } = live.emulator.settings;
  expect(await shown()).toEqual([[], 'webhook_in_panel']);
  await live.update({ webhookSecret: null });
  expect(await shown()).toEqual([['webhookSecret'], 'webhook_incomplete']);
  await live.update({ webhookSecret });
  expect(await shown()).toEqual([[], 'webhook_in_panel']);
});

describe('a change', () => {
  test('is merged into the stored settings, and the log names the settings without their values', async () => {
    const id = await add('mercadopago', { accessToken: 'old', webhookSecret: 'kept' });
    const [before] = await app.services.credentials.list(caller);
    const settings = { accessToken: secret, payerEmailFallback: 'loja@example.com', webhookSecret: 'kept' };
    const changed = await change(id, settings, ' New name ');
    expect(changed).toEqual({ ...before, name: 'New name' });
    expect(await settingsOf(id)).toEqual(settings);
    await change(id, { payerEmailFallback: null });
    expect(await settingsOf(id)).toEqual({ accessToken: secret, webhookSecret: 'kept' });
    expect(await app.services.credentials.settingNames(caller, id)).toEqual(['accessToken', 'webhookSecret']);
    const [second, first] = await entriesOf();
    expect(first).toMatchObject({
      action: 'credential.update',
      subject: id,
      details: {
        name: 'mercadopago',
        newName: 'New name',
        settings: ['accessToken', 'payerEmailFallback'],
      },
    });
    expect(second?.details).toEqual({ mode: 'live', name: 'New name', settings: ['payerEmailFallback'] });
    expect(JSON.stringify(await entriesOf())).not.toContain(secret);
  });

  test('is not undone by a concurrent one', async () => {
    const id = await add('pagarme', { secretKey: 'a', webhookUser: 'b', webhookPassword: 'c' });
    for (let round = 0; round < 10; round++) {
      const wanted = { secretKey: `a${round}`, webhookUser: `b${round}`, webhookPassword: `c${round}` };
      const changes = Object.entries(wanted).map(([name, value], index) => {
        const { services } = index === 0 ? other : app;
        return services.credentials.update(caller, id, { settings: { [name]: value } });
      });
      await Promise.all(changes);
      expect(await settingsOf(id)).toEqual(wanted);
    }
  });

  test('applies to the required payer data', async () => {
    const live = await openAccount('mercadopago', mercadopago);
    expect(await live.create()).toMatchObject({ status: 400 });
    await live.update({ payerEmailFallback: 'loja@example.com' });
    expect(await live.create()).toMatchObject({ status: 201 });
    await live.update({ payerEmailFallback: null });
    expect(await live.create()).toMatchObject({ status: 400 });
  });

  test('applies to the next notification', async () => {
    const id = await add('asaas', { apiKey: secret, webhookToken: 'old-token' });
    const [{ notificationUrl } = { notificationUrl: '' }] = await app.services.credentials.list(caller);
    const notify = async (token: string) => {
      const path = new URL(notificationUrl).pathname;
      const client = createClient(other.baseUrl);
      return (await client.post(path, { event: 'PING' }, { 'asaas-access-token': token })).status;
    };
    expect(await notify('old-token')).toBe(200);
    await change(id, { webhookToken: 'new-token' });
    expect([await notify('old-token'), await notify('new-token')]).toEqual([401, 200]);
  });

  test('of the certificate closes the connections that used the old one', async () => {
    const live = await openAccount('bacen', defineBacen('standard'));
    const { emulator, create, update } = live;
    await create();
    const authority = createAuthority('Also trusted');
    const { clientAuthority = '' } = emulator.psp.tls ?? {};
    await emulator.refuseConnections();
    Object.assign(emulator.psp.tls ?? {}, { clientAuthority: [clientAuthority, authority.certificate] });
    await emulator.acceptConnections();
    expect(await create()).toMatchObject({ status: 201 });
    const old = emulator.connections();
    expect(old).not.toEqual([]);
    await update(authority.issue('client'));
    expect(await create()).toMatchObject({ status: 201 });
    await eventually(() => {
      expect(old.filter(({ destroyed }) => !destroyed)).toEqual([]);
    });
    expect(emulator.connections()).not.toEqual([]);
  });

  test('of the name alone keeps the connection', async () => {
    const { emulator, create, changeTo } = await openAccount('bacen', defineBacen('standard'));
    await create();
    await changeTo({ name: 'Renamed' });
    expect(await create()).toMatchObject({ status: 201 });
    expect(emulator.requests.filter(({ operation }) => operation === 'token')).toHaveLength(1);
  });
});

describe('an account whose secret was replaced at the PSP', () => {
  test('works again on every node with the new one, and its payments are paid and refunded', async () => {
    let appId = 'Q2xpZW50X0lkX2VtdWxhdGVk';
    const rotating: DefinePsp = (ledger) => ({
      ...woovi(ledger),
      refuse: ({ headers, path }) =>
        headers.authorization === appId || path.endsWith('/public-keys') ? undefined : { status: 401 },
    });
    const { emulator, client, otherClient, create, update } = await openAccount('woovi', rotating);
    const before = await create();
    expect(await create(otherClient)).toMatchObject({ status: 201 });
    appId = 'rotated';
    expect(await create()).toMatchObject({ status: 500 });
    expect(await create(otherClient)).toMatchObject({ status: 500 });

    await update({ appId });
    expect(await create()).toMatchObject({ status: 201 });
    expect(await create(otherClient)).toMatchObject({ status: 201 });
    await emulator.pay(emulator.ledger.charges[0]?.transactionId ?? '');
    await eventually(async () => {
      expect((await otherClient.get(`/v1/payments/${before.id}`)).body.status).toBe('completed');
    });
    expect(await client.post(`/v1/payments/${before.id}/refunds`, { amount: 1 })).toMatchObject({
      status: 201,
    });
  });

  test('whose certificate has expired works with a new one, and cancels charges made with the old one', async () => {
    const live = await openAccount('bacen', defineBacen('standard'));
    const { emulator, client, otherClient, create, update } = live;
    const before = await create();
    expect(await create(otherClient)).toMatchObject({ status: 201 });
    const authority = createAuthority('The PSP, after the old certificates');
    await emulator.refuseConnections();
    Object.assign(emulator.psp.tls ?? {}, { clientAuthority: authority.certificate });
    await emulator.acceptConnections();
    expect(await create()).toMatchObject({ status: 500 });
    expect(await create(otherClient)).toMatchObject({ status: 500 });

    await update(authority.issue('client'));
    expect(await create()).toMatchObject({ status: 201 });
    expect(await create(otherClient)).toMatchObject({ status: 201 });
    const cancelled = await client.post(`/v1/payments/${before.id}/cancel`);
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  });

  test('is not held up by the failures of the old one', async () => {
    const { emulator, create, update } = await openAccount('woovi', woovi);
    emulator.faults.add({ kind: 'error', times: 100 });
    for (let failed = 0; failed < 6; failed++) expect(await create()).toMatchObject({ status: 500 });
    const asked = emulator.requests.length;
    expect(await create()).toMatchObject({ status: 500 });
    expect(emulator.requests).toHaveLength(asked);
    emulator.faults.clear();
    await update({ appId: emulator.settings['appId'] });
    expect(await create()).toMatchObject({ status: 201 });
  });
});

describe('a credential that no key of the ring opens', () => {
  async function openShop() {
    const live = await openLiveOrganization(
      app,
      () => new Date(),
      ['woovi', woovi],
      ['bacen', defineBacen('standard')],
    );
    opened.push(live);
    const [lost, kept] = live.accounts;
    if (!lost || !kept) throw new Error('there are no accounts');
    const sealed = seal([{ id: 'gone', key: Buffer.alloc(32, 9) }], '{}', lost.credentialId);
    const resealed = 'UPDATE credential SET sealed_settings = $1 WHERE id = $2';
    await query(app.databaseUrl, resealed, [sealed, lost.credentialId]);
    const owner = operatorFor(live.organizationId);
    const { id: ruleSetId } = await app.services.ruleSets.create(owner, 'Both', {
      fallbackCredentialIds: [kept.credentialId],
    });
    const create = (more: object = {}) => live.client.post('/v1/payments', { amount: 10, ...more });
    return { lost, owner, ruleSetId, create };
  }

  test('is skipped: the next candidate creates the charge', async () => {
    const { ruleSetId, create } = await openShop();
    const { status, body } = await create({ ruleSetId });
    expect([status, body.provider]).toEqual([201, 'bacen']);
    const [first] = await attemptsOf(app.databaseUrl, body.id);
    expect(first).toMatchObject({ provider: 'woovi', outcome: 'not_sent' });
  });

  test('creates no charge if it is the only one, and the payment fails rather than hangs', async () => {
    const { owner, create } = await openShop();
    expect(await create()).toMatchObject({
      status: 500,
      body: { message: expect.stringContaining('provider') },
    });
    const states = await query(
      app.databaseUrl,
      'SELECT status::text FROM payment WHERE organization_id = $1',
      [owner.organizationId],
    );
    expect(states).toEqual([{ status: 'failed' }]);
  });

  test('is listed, and checking or changing it reports the missing key', async () => {
    const { owner, lost } = await openShop();
    const listed = await app.services.credentials.list(owner);
    expect(listed.find(({ id }) => id === lost.credentialId)?.notificationUrl).toMatch(/\*\*\*$/);
    const problem = 'ENCRYPTION_KEYS lacks the key gone';
    expect(await app.services.credentials.check(owner, lost.credentialId)).toMatchObject({
      ok: false,
      problem: expect.stringContaining(problem),
    });
    const change = app.services.credentials.update(owner, lost.credentialId, { settings: { appId: 'new' } });
    await expect(change).rejects.toThrow(problem);
  });
});
