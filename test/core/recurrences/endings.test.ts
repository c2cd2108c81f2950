import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Caller, operatorFor, type PersonCaller } from '../../../src/core/base/caller.ts';
import { ServiceError } from '../../../src/core/base/errors.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createKey } from '../../support/factories.ts';
import { type LiveAccount, openAccount } from '../../support/live.ts';
import { createPerson } from '../../support/people.ts';
import { receivingAccount } from '../../support/psp-emulator/bacen-automatic.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';

/** In São Paulo. */
const at = (day: string, time = '12:00'): Date => new Date(`${day}T${time}:00-03:00`);

let clock: Date;
let app: TestApp;
let client: Client;
let organizationId: string;
let account: LiveAccount;
let ana: PersonCaller;
let bia: PersonCaller;

beforeAll(async () => {
  clock = at('2026-12-01');
  const databaseUrl = await freshDatabase();
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
});

async function owner(): Promise<PersonCaller> {
  const { userId } = await createPerson(app, { organizationId });
  const session = { sessionId: randomUUID(), mustChangePassword: false };
  return { kind: 'person', userId, organizationId, mode: 'live', role: 'owner', ...session };
}

beforeEach(async () => {
  clock = at('2026-12-01');
  ({ id: organizationId } = await app.services.organizations.create('Shop'));
  ana = await owner();
  bia = await owner();
  client = createClient(app.baseUrl, (await app.services.apiKeys.create(ana)).key);
  account = await openAccount(app, {
    organizationId,
    provider: 'bacen',
    name: 'bank',
    define: defineBacen('standard'),
    now: () => clock,
    isDefault: true,
    settings: receivingAccount,
  });
});

afterEach(() => account.emulator.stop());

afterAll(() => app.stop());

const requireApproval = () =>
  app.services.organizationSettings.update(operatorFor(organizationId), {
    recurrenceEndingsNeedApproval: true,
  });

async function reconcile(): Promise<void> {
  for (const settle of Object.values(app.services.reconciliation)) await settle(100);
}

async function passTo(target: Date, stepMs = 3 * 3_600_000): Promise<void> {
  while (clock < target) {
    clock = new Date(Math.min(target.getTime(), clock.getTime() + stepMs));
    await reconcile();
  }
}

const body = {
  payer: { name: 'Fulano de Tal', document: '529.982.247-25' },
  contract: '63100862',
  amount: 35,
  frequency: 'monthly',
  startDate: '2026-12-17',
  authorization: 'qr',
};

async function active(): Promise<string> {
  const created = await client.post('/v1/recurrences', body);
  expect(created).toMatchObject({ status: 201, body: { status: 'pending', provider: 'bacen' } });
  const bank = account.emulator.psp.automatic;
  bank?.approves(bank.recurrences()[0]?.id ?? '');
  await passTo(at('2026-12-01', '14:00'));
  const id = created.body.id as string;
  expect(await recurrenceOf(id)).toMatchObject({ status: 'active' });
  return id;
}

const recurrenceOf = async (id: string) => (await client.get(`/v1/recurrences/${id}`)).body;
const debitsOf = async (id: string) =>
  (await client.get(`/v1/recurrences/${id}/payments`)).body.data as { status: string }[];
const cancel = (caller: Caller, id: string) => app.services.recurrences.cancel(caller, id, undefined);
const ends = () =>
  account.emulator.requests.filter(({ method, path }) => method === 'PATCH' && path.includes('/rec/'));
const auditedEnds = async () =>
  (await app.services.audit.list(ana, { limit: 100, cursor: undefined })).data
    .filter(({ action }) => action === 'recurrence.cancel')
    .map(({ userId, subject }) => ({ userId, subject }));

/** The id of the request that the change is turned into. */
const requestOf = (change: Promise<unknown>): Promise<string> =>
  change.then(
    () => Promise.reject(new Error('it did not wait')),
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'approval_required' });
      return error instanceof ServiceError ? String(error.context.approvalRequestId) : '';
    },
  );

const pending = async () => {
  const page = { pendingOnly: true, limit: 100, cursor: undefined };
  return (await app.services.approvals.list(bia, page)).data;
};

describe('where ending a recurrence needs approval', () => {
  beforeEach(requireApproval);

  test('creating one never waits', async () => {
    expect(await client.post('/v1/recurrences', body)).toMatchObject({ status: 201 });
  });

  test('it goes on until a second person approves, who is shown nothing of the payer', async () => {
    const id = await active();
    const requestId = await requestOf(cancel(ana, id));
    expect(await recurrenceOf(id)).toMatchObject({ status: 'active', nextDebitOn: '2026-12-17' });
    await expect(app.services.approvals.approve(ana, requestId)).rejects.toMatchObject({
      code: 'second_person_required',
    });
    expect(ends()).toEqual([]);
    const { request } = await app.services.approvals.approve(bia, requestId);
    const terms = { debitAmount: 35, frequency: 'monthly', startDate: '2026-12-17' };
    expect(request).toMatchObject({ action: 'recurrence.cancel', subject: id, status: 'approved' });
    expect(request).toMatchObject({
      before: { status: 'active', ...terms },
      after: { status: 'cancelled', ...terms },
    });
    expect(JSON.stringify(request)).not.toMatch(/Fulano|52998224725|529\.982|63100862/);
    expect(await recurrenceOf(id)).toMatchObject({ status: 'cancelled', endedBy: 'receiver' });
    expect(await auditedEnds()).toEqual([{ userId: bia.userId, subject: id }]);
    expect(ends()).toHaveLength(1);
  });

  test('a key waits too, and not for the person who made it', async () => {
    const id = await active();
    const path = `/v1/recurrences/${id}/cancel`;
    const refused = await client.post(path, {}, { 'Idempotency-Key': `end-${id}` });
    const [request] = await pending();
    const message = expect.stringContaining(`see approval request ${request?.id}`);
    expect(refused).toMatchObject({ status: 409, body: { message } });
    await expect(app.services.approvals.approve(ana, request?.id ?? '')).rejects.toMatchObject({
      code: 'second_person_required',
    });
    await app.services.approvals.approve(bia, request?.id ?? '');
    const repeated = await client.post(path, {}, { 'Idempotency-Key': `end-${id}` });
    expect(repeated).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  });

  test('a program that asks again and again has asked once', async () => {
    const id = await active();
    const asked = await Promise.all([1, 2, 3].map(() => requestOf(cancel(ana, id))));
    asked.push(await requestOf(cancel(bia, id)));
    expect(new Set(asked).size).toBe(1);
    expect(await pending()).toHaveLength(1);
    await app.services.approvals.reject(bia, asked[0] ?? '', 'They pay');
    expect(await requestOf(cancel(ana, id))).not.toBe(asked[0]);
  });

  test('one whose end is not approved is debited as before', async () => {
    const id = await active();
    await app.services.approvals.reject(bia, await requestOf(cancel(ana, id)), 'They pay');
    await passTo(at('2026-12-14'));
    expect(await debitsOf(id)).toMatchObject([{ status: 'pending' }]);
  });

  test('the request fails once the payer has ended it', async () => {
    const id = await active();
    const requestId = await requestOf(cancel(ana, id));
    const bank = account.emulator.psp.automatic;
    bank?.revokes(bank.recurrences()[0]?.id ?? '');
    await account.emulator.tellAll();
    await app.services.notifications.drain();
    await reconcile();
    expect(await recurrenceOf(id)).toMatchObject({ status: 'cancelled', endedBy: 'payer' });
    const { request } = await app.services.approvals.approve(bia, requestId);
    expect(request).toMatchObject({ status: 'failed', failure: { code: 'changed_meanwhile' } });
    expect(await auditedEnds()).toEqual([]);
  });

  test('the operator ends it at once, and so does test mode', async () => {
    const id = await active();
    const { view } = await cancel(operatorFor(organizationId), id);
    expect(view).toMatchObject({ status: 'cancelled' });
    const tester = createClient(app.baseUrl, (await createKey(app.services, { organizationId })).key);
    const made = await tester.post('/v1/recurrences', body);
    expect(await tester.post(`/v1/recurrences/${made.body.id}/cancel`)).toMatchObject({ status: 200 });
    expect(await pending()).toEqual([]);
  });

  test('nothing is debited after the approval, although the bank does not end it', async () => {
    const id = await active();
    const requestId = await requestOf(cancel(ana, id));
    account.emulator.faults.add({ kind: 'reject', operation: 'end_recurrence', times: 1_000 });
    const { request } = await app.services.approvals.approve(bia, requestId);
    expect(request).toMatchObject({ status: 'approved' });
    expect(await recurrenceOf(id)).toMatchObject({ status: 'active' });
    expect(await recurrenceOf(id)).not.toHaveProperty('nextDebitOn');
    const charged = await client.post(`/v1/recurrences/${id}/payments`, { dueDate: '2026-12-08' });
    expect(charged).toMatchObject({
      status: 409,
      body: { message: 'The recurrence is being ended, not active' },
    });
    // Decided once, it waits for nobody but the bank.
    await expect(cancel(ana, id)).rejects.toMatchObject({ code: 'provider_refused' });
    await passTo(at('2026-12-17'));
    expect(await debitsOf(id)).toEqual([]);
    const [stored] = await query<{ pause: number }>(
      app.databaseUrl,
      'SELECT extract(epoch FROM next_check_at - $2)::int AS pause FROM recurrence WHERE id = $1',
      [id, clock],
    );
    expect(stored).toEqual({ pause: 3_600 });
    account.emulator.faults.clear();
    await passTo(new Date(clock.getTime() + 3_600_000));
    expect(await recurrenceOf(id)).toMatchObject({ status: 'cancelled', endedBy: 'receiver' });
    expect(await debitsOf(id)).toEqual([]);
    expect(await auditedEnds()).toHaveLength(1);
  });

  test('a worker ends it if the node of the approver does not come back', async () => {
    const id = await active();
    const requestId = await requestOf(cancel(ana, id));
    account.emulator.faults.add({ kind: 'hang', operation: 'end_recurrence' });
    const approval = app.services.approvals.approve(bia, requestId);
    await eventually(() => Promise.resolve(expect(ends()).toHaveLength(1)));
    await reconcile();
    expect(ends()).toHaveLength(1);
    await passTo(new Date(clock.getTime() + 31_000), 31_000);
    expect(await recurrenceOf(id)).toMatchObject({ status: 'cancelled', endedBy: 'receiver' });
    await account.emulator.stop();
    expect(await approval).toMatchObject({ request: { status: 'approved' } });
  });
});

test('approvals of other changes do not hold up an end', async () => {
  await app.services.organizationSettings.update(ana, { changesNeedApproval: true, refundApprovalAbove: 0 });
  const id = await active();
  expect((await cancel(ana, id)).view).toMatchObject({ status: 'cancelled' });
});

test('an end that the bank does not answer is asked for again by a worker', async () => {
  const id = await active();
  account.emulator.faults.add({ kind: 'error', operation: 'end_recurrence' });
  const path = `/v1/recurrences/${id}/cancel`;
  expect(await client.post(path)).toMatchObject({
    status: 500,
    body: { message: expect.stringContaining('did not respond') },
  });
  await passTo(new Date(clock.getTime() + 31_000), 31_000);
  expect(await recurrenceOf(id)).toMatchObject({ status: 'cancelled', endedBy: 'receiver' });
  expect(await client.post(path)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
});
