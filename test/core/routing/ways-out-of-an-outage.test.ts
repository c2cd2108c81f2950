import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type OperatorCaller, operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';
import { attemptsOf, type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';
import { insertCredential, insertRuleSet, type TestCredential } from '../../support/routing.ts';

let app: TestApp;
let caller: OperatorCaller;
let failing: TestCredential;
let healthy: TestCredential;
let third: TestCredential;
let live: LiveOrganization | undefined;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
});

beforeEach(async () => {
  caller = operatorFor((await app.services.organizations.create(`Test ${randomUUID()}`)).id, 'test');
  const { organizationId } = caller;
  failing = await insertCredential(app.databaseUrl, organizationId, { provider: 'woovi', isDefault: true });
  healthy = await insertCredential(app.databaseUrl, organizationId, { provider: 'pagarme' });
  third = await insertCredential(app.databaseUrl, organizationId, { provider: 'bacen' });
});

afterEach(async () => {
  await live?.stop();
  live = undefined;
});

afterAll(() => app.stop());

const ruleSet = (rules: Parameters<typeof insertRuleSet>[2]) =>
  insertRuleSet(app.databaseUrl, caller.organizationId, rules);

async function create(routing: object = {}) {
  const { key } = await createKey(app.services, { organizationId: caller.organizationId, mode: 'test' });
  return createClient(app.baseUrl, key).post('/v1/payments', { amount: 10, ...routing });
}

/** Where a payment would go, in the order of the attempts. */
async function routeOf(routing: object = {}): Promise<string[]> {
  const { status, body } = await create(routing);
  expect(status).toBe(201);
  const attempts = await attemptsOf(app.databaseUrl, body.id as string);
  return attempts.map(({ provider, reason, outcome }) => `${provider} ${reason} ${outcome}`);
}

const divert = (from: TestCredential, to: TestCredential) =>
  app.services.diversions.divert(caller, from.id, to.id);

const setFallbacks = (...credentials: TestCredential[]) =>
  app.services.defaultFallbacks.set(
    caller,
    credentials.map(({ id }) => id),
  );

const actions = async () =>
  (await app.services.audit.list(caller, { limit: 20, cursor: undefined })).data
    .map(({ action }) => action)
    .filter((action) => action.startsWith('credential.'));

describe('the fallbacks of the default', () => {
  test('take live payments that it fails to create, in their order', async () => {
    live = await openLiveOrganization(app, () => new Date(), ['woovi', woovi], ['asaas', asaas]);
    const [first, second] = live.accounts;
    if (!first || !second) throw new Error('there are two accounts');
    first.emulator.faults.add({ kind: 'error', operation: 'create', times: 1_000 });
    const payer = { name: 'Gumercindo', document: '52998224725' };
    const post = async () => (await live?.client.post('/v1/payments', { amount: 10, payer }))?.body;
    expect(await post()).toMatchObject({ error: expect.anything() });
    await app.services.defaultFallbacks.set(operatorFor(live.organizationId), [second.credentialId]);
    const created = await post();
    expect(created).toMatchObject({ provider: 'asaas', status: 'pending' });
    expect(await attemptsOf(app.databaseUrl, created?.id as string)).toMatchObject([
      { provider: 'woovi', reason: 'default' },
      { provider: 'asaas', reason: 'default_fallback', outcome: 'created' },
    ]);
  });

  test('follow it wherever a rule set leaves the default to the organization, and nowhere else', async () => {
    await setFallbacks(healthy, third);
    const reject = { metadata: { sandbox: ['reject', 'reject'] } };
    expect(await routeOf(reject)).toEqual([
      'woovi default rejected',
      'pagarme default_fallback rejected',
      'bacen default_fallback created',
    ]);
    const without = await ruleSet({ fallbacks: [third] });
    expect(await routeOf({ ...reject, ruleSetId: without })).toEqual([
      'woovi default rejected',
      'bacen fallback rejected',
      'pagarme default_fallback created',
    ]);
    const own = await ruleSet({ default: third });
    expect(await routeOf({ ruleSetId: own })).toEqual(['bacen default created']);
    await setFallbacks();
    expect(await routeOf()).toEqual(['woovi default created']);
    expect((await app.services.credentials.list(caller)).map((each) => each.fallbackPosition)).toEqual([
      null,
      null,
      null,
    ]);
    expect(await actions()).toEqual(['credential.set_default_fallbacks', 'credential.set_default_fallbacks']);
  });

  test('are set beside the default, each before or after the other', async () => {
    const changes = Array.from({ length: 8 }, (_, index) => [
      app.services.credentials.setDefault(caller, (index % 2 ? failing : third).id),
      setFallbacks(failing, healthy),
    ]);
    for (const change of await Promise.allSettled(changes.flat()))
      if (change.status === 'rejected')
        expect(change.reason).toMatchObject({
          context: { problems: [{ path: 'ids', rule: 'default_credential' }] },
        });
  });

  test('are each named once, and not the default itself', async () => {
    await expect(setFallbacks(healthy, third, healthy)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'ids must not have a credential twice',
      context: { problems: [{ path: 'ids', rule: 'repeated' }] },
    });
    await app.services.credentials.setDefault(caller, failing.id);
    await expect(setFallbacks(healthy, failing)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'ids must not have the default credential, which is tried before them',
      context: { problems: [{ path: 'ids', rule: 'default_credential' }] },
    });
    expect(await actions()).not.toContain('credential.set_default_fallbacks');
  });

  test('are credentials of the organization that take charges; such a one is not removed', async () => {
    const theirs = await insertCredential(app.databaseUrl, (await createKey(app.services)).organizationId, {
      provider: 'woovi',
    });
    for (const id of [theirs.id, randomUUID(), 'main'])
      await expect(setFallbacks({ ...healthy, id })).rejects.toMatchObject({ code: 'invalid_request' });
    await setFallbacks(healthy);
    await expect(app.services.credentials.remove(caller, healthy.id)).rejects.toMatchObject({
      code: 'credential_in_use',
      context: { problems: [{ path: 'id', rule: 'default_fallback', params: {} }] },
    });
    expect(await app.services.credentials.previewRemoval(caller, healthy.id)).toMatchObject({
      isDefaultFallback: true,
    });
  });
});

describe('a diversion', () => {
  test('puts another credential first wherever one is reached, until it is ended', async () => {
    const ranges = [{ from: 0.01, to: 100, credential: failing }];
    const ruleSetId = await ruleSet({ ranges, default: third });
    await divert(failing, healthy);
    expect(await routeOf()).toEqual(['pagarme diverted created', 'woovi default planned']);
    expect(await routeOf({ ruleSetId })).toEqual([
      'pagarme diverted created',
      'woovi price_range planned',
      'bacen default planned',
    ]);
    const explained = await app.services.ruleSets.explain(caller, ruleSetId, 10);
    expect(explained.candidates.map(({ reason }) => reason)).toEqual(['diverted', 'price_range', 'default']);
    await app.services.diversions.end(caller, failing.id);
    await app.services.diversions.end(caller, failing.id);
    expect(await routeOf()).toEqual(['woovi default created']);
    expect(await routeOf({ ruleSetId })).toEqual(['woovi price_range created', 'bacen default planned']);
    expect(await actions()).toEqual(['credential.end_diversion', 'credential.divert']);
  });

  test('leaves a credential alone that a payment asks for', async () => {
    await divert(failing, healthy);
    expect(await routeOf({ credentialId: failing.id })).toEqual(['woovi requested created']);
  });

  test('falls back on the credential itself where the other one fails, or lacks what payers were not asked for', async () => {
    await divert(failing, healthy);
    expect(await routeOf({ metadata: { sandbox: ['reject'] } })).toEqual([
      'pagarme diverted rejected',
      'woovi default created',
    ]);
    await query(app.databaseUrl, `UPDATE credential SET needs_payer = '{document}' WHERE id = $1`, [
      healthy.id,
    ]);
    expect(await routeOf()).toEqual(['pagarme diverted skipped', 'woovi default created']);
    await app.services.credentials.setEnabled(caller, healthy.id, false);
    expect(await routeOf()).toEqual(['pagarme diverted skipped', 'woovi default created']);
  });

  test('goes on to where the other one is diverted to, and never in a circle', async () => {
    await divert(failing, healthy);
    await divert(healthy, third);
    expect(await routeOf()).toEqual([
      'bacen diverted created',
      'pagarme diverted planned',
      'woovi default planned',
    ]);
    await expect(divert(third, failing)).rejects.toMatchObject({ code: 'credential_not_usable' });
    await app.services.diversions.end(caller, healthy.id);
    await app.services.diversions.end(caller, failing.id);
    const both = await Promise.allSettled([divert(failing, healthy), divert(healthy, failing)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('of a disabled credential asks for what the other one needs', async () => {
    await query(app.databaseUrl, `UPDATE credential SET needs_payer = '{document}' WHERE id = $1`, [
      healthy.id,
    ]);
    await divert(failing, healthy);
    await app.services.credentials.setEnabled(caller, failing.id, false);
    expect((await create()).headers.get('x-error-code')).toBe('payer_data_missing');
  });

  test('is not of an archived credential', async () => {
    await app.services.credentials.remove(caller, third.id);
    await query(
      app.databaseUrl,
      'UPDATE credential SET archived_at = now(), deleted_at = NULL WHERE id = $1',
      [third.id],
    );
    await expect(divert(third, healthy)).rejects.toMatchObject({ code: 'credential_archived' });
  });

  test('leads to another enabled credential of the organization that takes live payments', async () => {
    const { organizationId } = caller;
    const insert = (provider: string, enabled = true) =>
      insertCredential(app.databaseUrl, organizationId, { provider, enabled });
    const theirs = await insertCredential(app.databaseUrl, (await createKey(app.services)).organizationId, {
      provider: 'woovi',
    });
    for (const [to, code] of [
      [failing, 'invalid_request'],
      [theirs, 'credential_not_found'],
      [await insert('woovi', false), 'credential_not_usable'],
      [await insert('sandbox'), 'credential_not_usable'],
    ] as const)
      await expect(divert(failing, to)).rejects.toMatchObject({ code });
  });

  test('keeps its target from being removed, and ends with its own credential', async () => {
    await divert(third, healthy);
    await expect(app.services.credentials.remove(caller, healthy.id)).rejects.toMatchObject({
      code: 'credential_in_use',
      context: {
        problems: [{ path: 'id', rule: 'diverted_here', params: { ids: [third.id], names: ['bacen'] } }],
      },
    });
    await app.services.credentials.remove(caller, third.id);
    expect(await app.services.credentials.remove(caller, healthy.id)).toBe('deleted');
  });
});
