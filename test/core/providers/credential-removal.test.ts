import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { cents } from '../../../src/core/base/money.ts';
import { newId } from '../../../src/core/base/ids.ts';
import { type Caller, operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';
import { sentStatements } from '../../support/statements.ts';

const dayMs = 86_400_000;

let clock = new Date();
let app: TestApp;
let caller: Caller;
const opened: LiveOrganization[] = [];

/** Advances, so that ids come in the order in which they are made. */
const tick = (): Date => (clock = new Date(clock.getTime() + 1));

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api', DATABASE_URL: await freshDatabase() }, { now: tick });
});

beforeEach(async () => {
  clock = new Date();
  caller = operatorFor((await app.services.organizations.create(`Test ${randomUUID()}`)).id);
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((organization) => organization.stop()));
});

afterAll(() => app.stop());

const add = async (name = 'Conta', isDefault = false): Promise<string> => {
  const account = { provider: 'woovi', name, settings: { appId: 'x' }, isDefault };
  return (await app.services.credentials.create(caller, account)).id;
};

const remove = (id: string) => app.services.credentials.remove(caller, id);

const find = async (id: string) =>
  (await app.services.credentials.list(caller)).find((each) => each.id === id);

const rowsOf = (id: string) => query(app.databaseUrl, 'SELECT FROM credential WHERE id = $1', [id]);

const actions = async () =>
  (await app.services.audit.list(caller, { limit: 20, cursor: undefined })).data.map(({ action }) => action);

/** An account at an emulated PSP that has made a charge, and is the default no more. */
async function chargedAccount() {
  const live = await openLiveOrganization(app, () => new Date(), ['woovi', woovi]);
  opened.push(live);
  const [account] = live.accounts;
  if (!account) throw new Error('there is no account');
  caller = operatorFor(live.organizationId);
  const { status, body } = await live.client.post('/v1/payments', { amount: 10 });
  expect(status).toBe(201);
  await add('Another', true);
  return { ...account, live, paymentId: body.id as string };
}

test('a credential that was never used is deleted: nobody sees it, and a day later it is gone', async () => {
  const id = await add();
  expect(await app.services.credentials.previewRemoval(caller, id)).toEqual({
    isUsed: false,
    isDefault: false,
    isDefaultFallback: false,
    ruleSets: [],
    divertedHere: [],
  });
  expect(await remove(id)).toBe('deleted');
  expect(await find(id)).toBeUndefined();
  expect((await actions())[0]).toBe('credential.delete');
  for (const work of [
    () => remove(id),
    () => app.services.credentials.restore(caller, id),
    () => app.services.credentials.setEnabled(caller, id, true),
    () => app.services.credentials.storedSettings(caller, id),
  ])
    await expect(work()).rejects.toMatchObject({ code: 'credential_not_found' });
  await app.services.retention.deleteOld(100);
  expect(await rowsOf(id)).toHaveLength(1);
  clock = new Date(clock.getTime() + dayMs + 1);
  await app.services.retention.deleteOld(100);
  expect(await rowsOf(id)).toEqual([]);
});

test('a deleted credential that a charge under way has used after all is archived instead', async () => {
  const id = await add();
  expect(await remove(id)).toBe('deleted');
  const paymentId = newId(clock);
  await query(
    app.databaseUrl,
    `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, created_at, expires_at)
     VALUES ($1, $2, 'live', 'pending', $3, 'woovi', now(), now())`,
    [paymentId, caller.organizationId, cents(100)],
  );
  await query(
    app.databaseUrl,
    `INSERT INTO payment_attempt (id, payment_id, position, provider, credential_id, reason, outcome, created_at)
     VALUES ($1, $2, 0, 'woovi', $3, 'default', 'created', now())`,
    [newId(clock), paymentId, id],
  );
  clock = new Date(clock.getTime() + dayMs + 1);
  await app.services.retention.deleteOld(100);
  expect(await find(id)).toMatchObject({ enabled: false, archivedAt: expect.any(Date) });
});

test('a credential that was used is archived: it takes no charges, but confirms and refunds its own', async () => {
  const { credentialId: id, emulator, live, paymentId } = await chargedAccount();
  expect(await app.services.credentials.previewRemoval(caller, id)).toMatchObject({ isUsed: true });
  expect(await remove(id)).toBe('archived');
  expect(await find(id)).toMatchObject({ enabled: false, archivedAt: expect.any(Date) });
  const refused = await live.client.post('/v1/payments', { amount: 10, credentialId: id });
  expect(refused.headers.get('X-Error-Code')).toBe('credential_not_usable');

  await emulator.pay(emulator.ledger.charges[0]?.transactionId ?? '');
  const statusNow = async () => (await live.client.get(`/v1/payments/${paymentId}`)).body.status as string;
  await eventually(async () => expect(await statusNow()).toBe('completed'));
  expect((await live.client.post(`/v1/payments/${paymentId}/refunds`, {})).status).toBe(201);
  expect(emulator.ledger.charges).toHaveLength(1);

  for (const work of [
    app.services.credentials.setEnabled(caller, id, true),
    app.services.credentials.setDefault(caller, id),
  ])
    await expect(work).rejects.toMatchObject({ code: 'credential_archived' });
  await app.services.credentials.update(caller, id, { name: 'Old account' });
  expect(await remove(id)).toBe('archived');
  expect(await app.services.credentials.restore(caller, id)).toMatchObject({
    name: 'Old account',
    enabled: false,
    archivedAt: null,
  });
  expect((await actions()).filter((action) => action.startsWith('credential.')).slice(0, 3)).toEqual([
    'credential.restore',
    'credential.update',
    'credential.archive',
  ]);
});

test('one that payments are routed to is kept, and the refusal names where', async () => {
  const id = await add('Conta', true);
  const other = await add('Other');
  const rules = [
    ['Ranges', { ranges: [{ from: 1, to: 2, credentialId: id }], defaultCredentialId: other }],
    ['Default', { defaultCredentialId: id }],
    ['Fallback', { defaultCredentialId: other, fallbackCredentialIds: [id] }],
    ['Elsewhere', { defaultCredentialId: other }],
  ] as const;
  const ids: string[] = [];
  for (const [name, rule] of rules) ids.push((await app.services.ruleSets.create(caller, name, rule)).id);
  await expect(remove(id)).rejects.toMatchObject({
    code: 'credential_in_use',
    message:
      'The credential is in use: it is the default: make another one the default; rule sets refer to it: choose others in Ranges, Default, Fallback',
    context: {
      problems: [
        { path: 'id', rule: 'default_credential', params: {} },
        {
          path: 'id',
          rule: 'in_rule_sets',
          params: { ids: ids.slice(0, 3), names: ['Ranges', 'Default', 'Fallback'] },
        },
      ],
    },
  });
  expect(await find(id)).toMatchObject({ enabled: true, archivedAt: null });
});

test('no rule set can refer to an archived one, not even when both happen at once', async () => {
  const { credentialId: id } = await chargedAccount();
  for (let round = 0; round < 5; round++) {
    const name = `Round ${round}`;
    const [removed, created] = await Promise.allSettled([
      remove(id),
      app.services.ruleSets.create(caller, name, { fallbackCredentialIds: [id] }),
    ]);
    expect([removed.status, created.status].sort()).toEqual(['fulfilled', 'rejected']);
    if (created.status === 'fulfilled')
      await app.services.ruleSets.update(caller, created.value.id, { rules: { fallbackCredentialIds: [] } });
    else await app.services.credentials.restore(caller, id);
  }
  await remove(id);
  await expect(
    app.services.ruleSets.create(caller, 'Late', { defaultCredentialId: id }),
  ).rejects.toMatchObject({
    context: { problems: [{ path: 'defaultCredentialId', rule: 'archived_credential', params: { id } }] },
  });
});

test('whether it was used is read from indexes, however many payments there are', async () => {
  const id = await add();
  await query(
    app.databaseUrl,
    `WITH made AS (
       INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, created_at, expires_at)
       SELECT gen_random_uuid(), $1, 'live', 'completed', 1, 'woovi', now(), now() FROM generate_series(1, 20000)
       RETURNING id)
     INSERT INTO payment_attempt (id, payment_id, position, provider, credential_id, reason, outcome, created_at)
     SELECT gen_random_uuid(), id, 0, 'woovi', $2, 'default', 'created', now() FROM made`,
    [caller.organizationId, randomUUID()],
  );
  await query(app.databaseUrl, 'VACUUM ANALYZE payment_attempt');
  const sent = await sentStatements(() => app.services.credentials.previewRemoval(caller, id));
  const statement = sent.find(({ text }) => text.includes('FROM payment_attempt'));
  const plan = await query<{ 'QUERY PLAN': string }>(
    app.databaseUrl,
    `EXPLAIN ${statement?.text ?? ''}`,
    statement?.values,
  );
  const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(lines).toContain('payment_attempt_charged_idx');
  expect(lines).not.toContain('Seq Scan on payment_attempt');
});
