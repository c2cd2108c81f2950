import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Role } from '../../../src/core/base/roles.ts';
import type { ServiceError } from '../../../src/core/base/errors.ts';
import { type Caller, operatorFor, type PersonCaller } from '../../../src/core/base/caller.ts';
import { deafMailServer, startTestApp, testKeyRing, type TestApp } from '../../support/app.ts';
import { createAuthority } from '../../support/certificates.ts';
import { createClient } from '../../support/client.ts';
import { pix } from '../../support/command-line.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';
import { type LiveAccount, openAccount } from '../../support/live.ts';
import { createPerson, openSession, type TestPerson } from '../../support/people.ts';
import { receivingAccount } from '../../support/psp-emulator/bacen-automatic.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';

const dayMs = 24 * 3_600_000;

let clock: Date;
let app: TestApp;
let organizationId: string;
let ana: PersonCaller;
let bia: PersonCaller;
let bank: LiveAccount | undefined;

const callerOf = ({ userId, organizationId: own }: TestPerson, role: Role): PersonCaller => ({
  kind: 'person',
  userId,
  sessionId: randomUUID(),
  organizationId: own,
  mode: 'live',
  role,
  mustChangePassword: false,
});

const join = async (role: Role): Promise<PersonCaller> =>
  callerOf(await createPerson(app, { role, organizationId }), role);

beforeAll(async () => {
  clock = new Date();
  app = await startTestApp(
    { ...deafMailServer, ROLE: 'api', TRUST_PROXY: '1', DATABASE_URL: await freshDatabase() },
    { now: () => clock },
  );
});

afterEach(async () => {
  await bank?.emulator.stop();
  bank = undefined;
});

afterAll(() => app.stop());

beforeEach(async () => {
  const owner = await createPerson(app);
  ({ organizationId } = owner);
  ana = callerOf(owner, 'owner');
  bia = await join('owner');
});

const requireApproval = () =>
  app.services.organizationSettings.update(ana, {
    changesNeedApproval: true,
    recurrenceEndingsNeedApproval: true,
  });

/** The id of the request that a change is turned into. */
async function asked(change: Promise<unknown>): Promise<string> {
  const refusal = await change.then(
    () => undefined,
    (error: unknown) => error as ServiceError,
  );
  expect(refusal?.code).toBe('approval_required');
  return refusal?.context.approvalRequestId ?? '';
}

const newCredential = (isDefault = false) => ({
  provider: 'woovi',
  name: `Account ${randomUUID()}`,
  settings: { appId: 'a-secret-app-id' },
  isDefault,
});

const credential = async () =>
  (await app.services.credentials.create(operatorFor(organizationId), newCredential())).id;

const credentials = () => app.services.credentials.list(ana);
const endpoints = () => app.services.webhookEndpoints.list(ana);
const url = 'https://shop.example.com/pix';

async function recurrence(): Promise<string> {
  bank ??= await openAccount(app, {
    organizationId,
    provider: 'bacen',
    name: 'bank',
    define: defineBacen('standard'),
    now: () => clock,
    isDefault: true,
    settings: receivingAccount,
  });
  const { key } = await createKey(app.services, { mode: 'live', organizationId });
  const { body } = await createClient(app.baseUrl, key).post('/v1/recurrences', {
    payer: { name: 'Fulano de Tal', document: '529.982.247-25' },
    contract: '63100862',
    amount: 35,
    frequency: 'monthly',
    startDate: new Date(clock.getTime() + 20 * dayMs).toISOString().slice(0, 10),
    authorization: 'qr',
  });
  return body.id as string;
}

interface Kind {
  action: string;
  prepare?: () => Promise<string>;
  change: (caller: PersonCaller, id: string) => Promise<unknown>;
  /** What the change changes. */
  state: () => Promise<unknown>;
}

const endpoint = async () =>
  (await app.services.webhookEndpoints.create(operatorFor(organizationId), { url })).id;

const kinds: Kind[] = [
  {
    action: 'credential.create',
    change: (caller) => app.services.credentials.create(caller, newCredential(true)),
    state: credentials,
  },
  {
    action: 'credential.set_default',
    prepare: credential,
    change: (caller, id) => app.services.credentials.setDefault(caller, id),
    state: credentials,
  },
  {
    action: 'credential.set_default_fallbacks',
    prepare: credential,
    change: (caller, id) => app.services.defaultFallbacks.set(caller, [id]),
    state: credentials,
  },
  {
    action: 'credential.divert',
    prepare: async () => {
      await credential();
      return credential();
    },
    change: async (caller, id) => {
      const other = (await credentials()).find((each) => each.id !== id && each.divertedToId === null);
      await app.services.diversions.divert(caller, id, other?.id ?? '');
    },
    state: credentials,
  },
  {
    action: 'credential.update',
    prepare: credential,
    change: (caller, id) => app.services.credentials.update(caller, id, { settings: { appId: 'another' } }),
    state: () =>
      query(app.databaseUrl, 'SELECT sealed_settings FROM credential WHERE organization_id = $1', [
        organizationId,
      ]),
  },
  {
    action: 'credential.enable',
    prepare: async () => {
      const id = await credential();
      await app.services.credentials.setEnabled(ana, id, false);
      return id;
    },
    change: (caller, id) => app.services.credentials.setEnabled(caller, id, true),
    state: credentials,
  },
  {
    action: 'rule_set.create',
    change: (caller) => app.services.ruleSets.create(caller, 'Main', {}),
    state: () => app.services.ruleSets.list(ana),
  },
  {
    action: 'rule_set.set_default',
    prepare: async () => (await app.services.ruleSets.create(operatorFor(organizationId), 'Main', {})).id,
    change: (caller, id) => app.services.ruleSets.setDefault(caller, id),
    state: () => app.services.ruleSets.list(ana),
  },
  {
    action: 'rule_set.update',
    prepare: async () => (await app.services.ruleSets.create(operatorFor(organizationId), 'Main', {})).id,
    change: (caller, id) => app.services.ruleSets.update(caller, id, { name: 'By amount', rules: {} }),
    state: () => app.services.ruleSets.list(ana),
  },
  {
    action: 'rule_set.delete',
    prepare: async () => (await app.services.ruleSets.create(operatorFor(organizationId), 'Main', {})).id,
    change: (caller, id) => app.services.ruleSets.delete(caller, id),
    state: () => app.services.ruleSets.list(ana),
  },
  {
    action: 'webhook_endpoint.create',
    change: (caller) => app.services.webhookEndpoints.create(caller, { url }),
    state: endpoints,
  },
  {
    action: 'webhook_endpoint.update',
    prepare: endpoint,
    change: (caller, id) => app.services.webhookEndpoints.change(caller, id, { url: `${url}/new` }),
    state: endpoints,
  },
  {
    action: 'webhook_endpoint.enable',
    prepare: async () => {
      const id = await endpoint();
      await app.services.webhookEndpoints.setEnabled(ana, id, false);
      return id;
    },
    change: (caller, id) => app.services.webhookEndpoints.setEnabled(caller, id, true),
    state: endpoints,
  },
  {
    action: 'api_key.update',
    prepare: async () => {
      const limited = { refundLimitPerDay: 10 };
      return (await app.services.apiKeys.create(operatorFor(organizationId), limited)).id;
    },
    change: (caller, id) => app.services.apiKeys.update(caller, id, { refundLimitPerDay: 20 }),
    state: () => app.services.apiKeys.list(ana),
  },
  {
    action: 'member.invite',
    change: (caller) =>
      app.services.invitations.invite(caller, { email: `${randomUUID()}@example.com`, role: 'support' }),
    state: () => app.services.invitations.list(ana),
  },
  {
    action: 'member.set_role',
    prepare: async () => (await createPerson(app, { role: 'support', organizationId })).userId,
    change: (caller, id) => app.services.members.setRole(caller, id, 'developer'),
    state: () => app.services.members.list(ana),
  },
  {
    action: 'recurrence.cancel',
    prepare: recurrence,
    change: (caller, id) => app.services.recurrences.cancel(caller, id, undefined),
    state: async () => (await app.services.recurrences.list(ana, {})).data,
  },
  {
    action: 'organization.update_settings',
    change: (caller) => app.services.organizationSettings.update(caller, { changesNeedApproval: false }),
    state: () => app.services.organizationSettings.get(ana),
  },
];

describe.each(kinds)('$action', ({ action, prepare, change, state }) => {
  test('has no effect before a second person approves it, and then takes effect once', async () => {
    const id = (await prepare?.()) ?? '';
    await requireApproval();
    const before = await state();
    const requestId = await asked(change(ana, id));
    expect(await state()).toEqual(before);
    await expect(app.services.approvals.approve(ana, requestId)).rejects.toMatchObject({
      code: 'second_person_required',
    });
    expect(await state()).toEqual(before);

    const { request } = await app.services.approvals.approve(bia, requestId);
    expect(request).toMatchObject({ action, status: 'approved', reason: null });
    expect(await state()).not.toEqual(before);
    await expect(app.services.approvals.approve(bia, requestId)).rejects.toMatchObject({
      code: 'approval_request_closed',
    });
    const { data } = await app.services.audit.list(ana, { limit: 100, cursor: undefined });
    const actors = data.map((entry) => [entry.action, entry.actor]);
    expect(actors).toEqual(
      expect.arrayContaining([
        ['approval.approve', request.decidedBy],
        [action, request.decidedBy],
        ['approval.request', request.requestedBy],
      ]),
    );
    expect(request.decidedBy).not.toBe(request.requestedBy);
  });

  test('needs no approval where it is not required, nor from the operator', async () => {
    const id = (await prepare?.()) ?? '';
    if (action !== 'organization.update_settings') await change(ana, id);
    await requireApproval();
    const again = (await prepare?.()) ?? '';
    await change({ ...operatorFor(organizationId) } as never, again);
    expect(await app.services.approvals.pendingCount(ana)).toBe(0);
  });
});

test('the settings of a credential are shown to those who manage it', async () => {
  await requireApproval();
  const settings = { appId: 'a-secret-app-id', baseUrl: 'https://api.woovi.com' };
  const id = await asked(app.services.credentials.create(ana, { ...newCredential(true), settings }));
  const of = async (role: Role) => (await app.services.approvals.get(await join(role), id)).after['default'];
  expect(Object.keys((await of('developer')) as object)).toContain('settings');
  expect(Object.keys((await of('support')) as object).sort()).toEqual(['name', 'provider']);
  expect(await of('viewer')).toEqual(await of('support'));
});

describe('a live key that may refund', () => {
  test('works without refunding until somebody else approves, who never sees it', async () => {
    await requireApproval();
    const { id, permissions, approvalRequestId } = await app.services.apiKeys.create(ana);
    expect(permissions).toEqual(['payments:create', 'payments:cancel']);
    const { request, secret } = await app.services.approvals.approve(bia, approvalRequestId ?? '');
    expect(request).toMatchObject({
      action: 'api_key.update',
      subject: id,
      before: { permissions },
      after: { name: 'live key', permissions: [...permissions, 'payments:refund'], refundLimitPerDay: null },
    });
    expect(secret).toBeNull();
    const [key] = await app.services.apiKeys.list(ana);
    expect(key?.permissions).toContain('payments:refund');
  });

  test('waits again in the key that replaces it, which the old one outlasts', async () => {
    const old = await app.services.apiKeys.create(ana);
    await requireApproval();
    const fresh = await app.services.apiKeys.rotate(ana, old.id, 24);
    expect(fresh).toMatchObject({ permissions: ['payments:create', 'payments:cancel'] });
    expect(fresh.approvalRequestId).not.toBeNull();
    await app.services.apiKeys.revoke(ana, fresh.id);
    const { request } = await app.services.approvals.approve(bia, fresh.approvalRequestId ?? '');
    expect(request).toMatchObject({ status: 'failed', failure: { code: 'api_key_not_active' } });
  });
});

describe('what one person may still do alone', () => {
  beforeEach(requireApproval);

  test('is to rename a credential, and to disable one', async () => {
    const id = await credential();
    await app.services.credentials.update(ana, id, { name: 'Renamed' });
    await app.services.credentials.setEnabled(ana, id, false);
  });

  test('is to make a key that only reads, and to narrow one that refunds', async () => {
    const { approvalRequestId } = await app.services.apiKeys.create(ana, { permissions: [] });
    expect(approvalRequestId).toBeNull();
    const { id } = await app.services.apiKeys.create(operatorFor(organizationId));
    await app.services.apiKeys.update(ana, id, { refundLimitPerDay: 5, allowedIps: ['203.0.113.7'] });
    await app.services.apiKeys.update(ana, id, { refundLimitPerDay: 4, name: 'Shop' });
    await app.services.apiKeys.revoke(ana, id);
  });

  test('is to make a key for the sandbox', async () => {
    const { approvalRequestId } = await app.services.apiKeys.create({ ...ana, mode: 'test' });
    expect(approvalRequestId).toBeNull();
  });

  test('is to make webhooks in test mode, to choose the events of an endpoint, and to disable one', async () => {
    const test = { ...ana, mode: 'test' } as const;
    const { id: testId } = await app.services.webhookEndpoints.create(test, { url });
    await app.services.webhookEndpoints.change(test, testId, { url: `${url}/new` });
    const { id } = await app.services.webhookEndpoints.create(operatorFor(organizationId), { url });
    await app.services.webhookEndpoints.change(ana, id, { events: ['payment_completed'] });
    await app.services.webhookEndpoints.setEnabled(ana, id, false);
  });

  test("is to invite a viewer, and to reduce a member's role", async () => {
    await app.services.invitations.invite(ana, { email: `${randomUUID()}@example.com`, role: 'viewer' });
    const { userId } = await join('developer');
    await app.services.members.setRole(ana, userId, 'support');
    await app.services.members.remove(ana, bia.userId);
  });

  test('is to tighten the settings', async () => {
    const settings = { refundApprovalAbove: 500, refundLimits: [{ role: 'support', amountPerDay: 100 }] };
    expect(await app.services.organizationSettings.update(ana, settings)).toEqual({
      changesNeedApproval: true,
      recurrenceEndingsNeedApproval: true,
      otherPayer: 'ignore',
      secondFactorRoles: [],
      rateLimitPerMinute: null,
      defaultRateLimitPerMinute: 100_000,
      maximumRateLimitPerMinute: 100_000,
      ...settings,
    });
    await app.services.organizationSettings.update(ana, { refundApprovalAbove: 400 });
  });
});

describe('the settings', () => {
  const update = (input: object, caller = ana) => app.services.organizationSettings.update(caller, input);

  test.each([
    ['turning approvals of changes off', { changesNeedApproval: false }],
    ['turning approvals of ends off', { recurrenceEndingsNeedApproval: false }],
    ['raising the amount', { refundApprovalAbove: 500.01 }],
    ['taking the amount away', { refundApprovalAbove: null }],
    ['raising a limit', { refundLimits: [{ role: 'support', amountPerDay: 101 }] }],
    [
      'taking a limit away, beside something stricter',
      {
        refundApprovalAbove: 1,
        refundLimits: [{ role: 'support', amountPerDay: null }],
      },
    ],
  ])('%s needs a second owner', async (_name, change) => {
    await update({
      changesNeedApproval: true,
      recurrenceEndingsNeedApproval: true,
      refundApprovalAbove: 500,
      refundLimits: [{ role: 'support', amountPerDay: 100 }],
    });
    const id = await asked(update(change));
    const developer = await join('developer');
    await expect(app.services.approvals.approve(developer, id)).rejects.toMatchObject({
      code: 'permission_denied',
    });
    await app.services.approvals.approve(bia, id);
  });

  test('cannot be enabled with a single owner', async () => {
    const alone = callerOf(await createPerson(app), 'owner');
    for (const change of [
      { changesNeedApproval: true },
      { recurrenceEndingsNeedApproval: true },
      { refundApprovalAbove: 0 },
    ]) {
      await expect(update(change, alone)).rejects.toMatchObject({
        code: 'second_owner_required',
        message: expect.stringContaining('two owners'),
      });
    }
    await update({ refundLimits: [{ role: 'support', amountPerDay: 10 }] }, alone);
  });

  test.each([
    [{ refundApprovalAbove: -1 }, 'refundApprovalAbove must be at least 0'],
    [{ refundApprovalAbove: 0.001 }, 'refundApprovalAbove must have at most two decimals'],
    [{ changesNeedApproval: null }, 'changesNeedApproval must be true or false'],
    [{ recurrenceEndingsNeedApproval: null }, 'recurrenceEndingsNeedApproval must be true or false'],
    [{ refundLimits: [{ role: 'boss', amountPerDay: 1 }] }, /^refundLimits\.0\.role must be one of owner/],
    [{ refundLimits: [{ role: 'viewer' }] }, 'refundLimits.0.amountPerDay is required'],
  ])('refuse %j', async (change, message) => {
    await expect(update(change)).rejects.toThrow(message);
  });

  test('cannot be disabled by two concurrent changes of which one enables them', async () => {
    const outcomes = await Promise.allSettled([
      update({ changesNeedApproval: true }, bia),
      update({ refundApprovalAbove: 10 }),
      update({ changesNeedApproval: false, refundApprovalAbove: null }),
    ]);
    const { changesNeedApproval } = await app.services.organizationSettings.get(ana);
    const isWaiting = outcomes[2]?.status === 'rejected';
    expect(isWaiting || changesNeedApproval).toBe(true);
  });
});

describe('the approver', () => {
  let id: string;

  beforeEach(async () => {
    await requireApproval();
    id = await asked(app.services.ruleSets.create(ana, 'Main', {}));
  });

  const { approve, reject, withdraw } = {
    approve: (caller: PersonCaller) => app.services.approvals.approve(caller, id),
    reject: (caller: PersonCaller) => app.services.approvals.reject(caller, id, 'No'),
    withdraw: (caller: PersonCaller) => app.services.approvals.withdraw(caller, id),
  };
  const status = async () => (await app.services.approvals.get(ana, id)).status;

  test('cannot be a member of another organization, whatever their role there', async () => {
    const stranger = callerOf(await createPerson(app), 'owner');
    for (const decide of [approve, reject, withdraw]) {
      await expect(decide(stranger)).rejects.toMatchObject({ code: 'approval_request_not_found' });
    }
    await expect(app.services.approvals.get(stranger, id)).rejects.toMatchObject({
      code: 'approval_request_not_found',
    });
    expect(
      (await app.services.approvals.list(stranger, { pendingOnly: false, limit: 9, cursor: undefined })).data,
    ).toEqual([]);
    expect(await status()).toBe('pending');
  });

  test.each(['support', 'viewer'] as const)('cannot have the role %s', async (role) => {
    const somebody = await join(role);
    for (const decide of [approve, reject, withdraw]) {
      await expect(decide(somebody)).rejects.toMatchObject({ code: 'permission_denied' });
    }
    expect(await status()).toBe('pending');
  });

  test('cannot have lost the role meanwhile, even if a session still has it', async () => {
    const developer = await join('developer');
    await app.services.members.setRole(ana, developer.userId, 'support');
    await expect(approve(developer)).rejects.toMatchObject({ code: 'permission_denied' });
    await app.services.members.remove(ana, developer.userId);
    await expect(reject(developer)).rejects.toMatchObject({ code: 'permission_denied' });
    expect(await status()).toBe('pending');
  });

  test('is one of several who decide at the same time', async () => {
    const others = [bia, await join('developer'), await join('developer')];
    const outcomes = await Promise.allSettled([...others.map(approve), ...others.map(reject), withdraw(ana)]);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    expect((await app.services.ruleSets.list(ana)).length).toBe((await status()) === 'approved' ? 1 : 0);
  });

  test('has to give a reason for a rejection', async () => {
    await expect(app.services.approvals.reject(bia, id, '  ')).rejects.toThrow('reason must not be empty');
    const rejected = await app.services.approvals.reject(bia, id, ' Not like this ');
    expect(rejected).toMatchObject({ status: 'rejected', reason: 'Not like this' });
    await expect(approve(bia)).rejects.toMatchObject({ code: 'approval_request_closed' });
    expect(await app.services.ruleSets.list(ana)).toEqual([]);
  });

  test('cannot be the requester, who can only withdraw', async () => {
    await expect(withdraw(bia)).rejects.toMatchObject({ code: 'permission_denied' });
    expect(await withdraw(ana)).toMatchObject({ status: 'withdrawn' });
    await expect(approve(bia)).rejects.toMatchObject({ code: 'approval_request_closed' });
  });

  test('cannot decide after seven days', async () => {
    clock = new Date(clock.getTime() + 7 * dayMs);
    expect(await status()).toBe('expired');
    expect(await app.services.approvals.pendingCount(ana)).toBe(0);
    for (const decide of [() => approve(bia), () => reject(bia), () => withdraw(ana)]) {
      await expect(decide()).rejects.toMatchObject({ code: 'approval_request_closed' });
    }
    await app.services.approvals.expireOverdue(1_000);
    const rows = await query(
      app.databaseUrl,
      'SELECT status::text, sealed_change FROM approval_request WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([{ status: 'expired', sealed_change: null }]);
  });

  test('sees what they may do with each request', async () => {
    const support = await join('support');
    const viewedBy = async (caller: PersonCaller) => {
      const { mayDecide, mayWithdraw } = await app.services.approvals.get(caller, id);
      return { mayDecide, mayWithdraw };
    };
    expect(await viewedBy(ana)).toEqual({ mayDecide: false, mayWithdraw: true });
    expect(await viewedBy(bia)).toEqual({ mayDecide: true, mayWithdraw: false });
    expect(await viewedBy(support)).toEqual({ mayDecide: false, mayWithdraw: false });
  });
});

describe('a requested change', () => {
  beforeEach(requireApproval);

  test('adds no account that its requester could have payers of a link pay to', async () => {
    const developer = await join('developer');
    const id = await asked(app.services.credentials.create(developer, newCredential()));
    expect(await credentials()).toEqual([]);
    expect(await app.services.approvals.get(bia, id)).toMatchObject({
      before: null,
      after: { provider: 'woovi', name: expect.stringMatching(/^Account/), settings: ['appId'] },
    });
    await app.services.approvals.approve(bia, id);
    const [made] = await credentials();
    expect(made).toMatchObject({ enabled: true, isDefault: false });
    const link = await app.services.paymentLinks.create(developer, { amount: 10, credentialId: made?.id });
    expect(link).toMatchObject({ credentialId: made?.id });
  });

  test('says other fees before and after, as rule sets may prefer by them', async () => {
    const accountId = await credential();
    await app.services.credentials.update(operatorFor(organizationId), accountId, { fees: { percent: 1 } });
    const id = await asked(app.services.credentials.update(ana, accountId, { fees: { fixed: 0.85 } }));
    const { before, after } = await app.services.approvals.get(bia, id);
    expect(before).toMatchObject({ fees: { percent: 1, fixed: 0, minimum: null, maximum: null } });
    expect(after).toMatchObject({ fees: { percent: 0, fixed: 0.85, minimum: null, maximum: null } });
    expect(after).not.toHaveProperty('settings');
    await app.services.approvals.approve(bia, id);
    expect(await credentials()).toMatchObject([{ fees: { fixed: 0.85 } }]);
  });

  test('is refused at once if it could not be made', async () => {
    const bad = app.services.ruleSets.create(ana, 'Main', { defaultCredentialId: randomUUID() });
    await expect(bad).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(app.services.credentials.setDefault(ana, randomUUID())).rejects.toMatchObject({
      code: 'credential_not_found',
    });
    expect(await app.services.approvals.pendingCount(ana)).toBe(0);
  });

  test('fails with a reason when it is no longer possible', async () => {
    const accountId = await credential();
    const id = await asked(app.services.credentials.setDefault(ana, accountId));
    await app.services.credentials.setEnabled(bia, accountId, false);
    const { request } = await app.services.approvals.approve(bia, id);
    expect(request).toMatchObject({
      status: 'failed',
      reason: 'a disabled credential cannot be the default',
      failure: { code: expect.any(String) },
    });
    expect((await credentials()).some(({ isDefault }) => isDefault)).toBe(false);
  });

  test('fails when the data has changed since', async () => {
    const operator = operatorFor(organizationId);
    const { id: ruleSetId } = await app.services.ruleSets.create(operator, 'Main', {});
    const id = await asked(app.services.ruleSets.update(ana, ruleSetId, { name: 'Mine' }));
    await app.services.ruleSets.update(operator, ruleSetId, { name: 'Ours' });
    const { request } = await app.services.approvals.approve(bia, id);
    expect(request).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('has changed since'),
      failure: { code: 'changed_meanwhile', problems: [] },
    });
    expect(await app.services.ruleSets.list(ana)).toMatchObject([{ name: 'Ours' }]);
  });

  test('of a credential fails when secrets of it have changed since, and shows nothing of them', async () => {
    const accountId = await credential();
    const operator = operatorFor(organizationId);
    const change = (caller: Caller, appId: string) =>
      app.services.credentials.update(caller, accountId, { settings: { appId } });
    const id = await asked(change(ana, 'requested'));
    await change(operator, 'meanwhile');
    const { request } = await app.services.approvals.approve(bia, id);
    expect(request).toMatchObject({ status: 'failed', failure: { code: 'changed_meanwhile', problems: [] } });
    expect(Object.keys({ ...request.before, ...request.after })).toEqual(['name', 'provider', 'settings']);
    expect(await app.services.credentials.open(accountId)).toMatchObject({
      settings: { appId: 'meanwhile' },
    });
  });

  test('of fallbacks fails when one of them has become another account', async () => {
    const fallback = await credential();
    const id = await asked(app.services.defaultFallbacks.set(ana, [fallback]));
    await app.services.credentials.update(operatorFor(organizationId), fallback, {
      settings: { appId: 'meanwhile' },
    });
    const { request } = await app.services.approvals.approve(bia, id);
    expect(request).toMatchObject({ status: 'failed', failure: { code: 'changed_meanwhile' } });
  });

  test('of a diversion fails when its target has become another account, and ending one needs none', async () => {
    const [from, to] = [await credential(), await credential()];
    const operator = operatorFor(organizationId);
    const id = await asked(app.services.diversions.divert(ana, from, to));
    await app.services.credentials.update(operator, to, { settings: { appId: 'meanwhile' } });
    const { request } = await app.services.approvals.approve(bia, id);
    expect(request).toMatchObject({
      after: { divertedTo: to },
      status: 'failed',
      failure: { code: 'changed_meanwhile', problems: [] },
    });
    await app.services.diversions.divert(operator, from, to);
    await app.services.diversions.end(ana, from);
    expect((await credentials()).every(({ divertedToId }) => divertedToId === null)).toBe(true);
  });

  test.each(['credential.enable', 'credential.set_default'] as const)(
    'of the kind %s fails when the credential has become another account since',
    async (action) => {
      const accountId = await credential();
      const operator = operatorFor(organizationId);
      const isEnable = action === 'credential.enable';
      if (isEnable) await app.services.credentials.setEnabled(operator, accountId, false);
      const { setEnabled, setDefault } = app.services.credentials;
      const id = await asked(isEnable ? setEnabled(ana, accountId, true) : setDefault(ana, accountId));
      await app.services.credentials.update(operator, accountId, { settings: { appId: 'meanwhile' } });
      const { request } = await app.services.approvals.approve(bia, id);
      expect(request).toMatchObject({
        action,
        status: 'failed',
        failure: { code: 'changed_meanwhile', problems: [] },
      });
      expect(await credentials()).toMatchObject([{ enabled: !isEnable, isDefault: false }]);
    },
  );

  test('fails when the requester has left', async () => {
    const developer = await join('developer');
    const id = await asked(app.services.ruleSets.create(developer, 'Main', {}));
    await app.services.members.remove(ana, developer.userId);
    const { request } = await app.services.approvals.approve(bia, id);
    expect(request).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('requester'),
      failure: { code: 'permission_denied', problems: [] },
    });
    expect(await app.services.ruleSets.list(ana)).toEqual([]);
  });

  test('shows names of settings but never a secret, in the request, the log and the row', async () => {
    const id = await asked(app.services.credentials.create(ana, newCredential(true)));
    const shown = await app.services.approvals.get(bia, id);
    expect(shown).toMatchObject({
      before: { default: null },
      after: { default: { provider: 'woovi', settings: ['appId'] } },
    });
    const log = await app.services.audit.list(ana, { limit: 10, cursor: undefined });
    const rows = await query(app.databaseUrl, 'SELECT * FROM approval_request WHERE id = $1', [id]);
    expect(JSON.stringify([shown, log, rows])).not.toContain('a-secret-app-id');
    await app.services.approvals.approve(bia, id);
    const [made] = await credentials();
    expect(await app.services.credentials.open(made?.id ?? '')).toMatchObject({
      settings: { appId: 'a-secret-app-id' },
    });
    const after = await query(app.databaseUrl, 'SELECT sealed_change FROM approval_request WHERE id = $1', [
      id,
    ]);
    expect(after).toEqual([{ sealed_change: null }]);
  });

  test('shows where the money of a new account goes, without secrets and files', async () => {
    const { certificate, privateKey } = createAuthority('Bank').issue('client');
    const shown = {
      baseUrl: 'https://pix.example.com/v2',
      tokenUrl: 'https://pix.example.com/token',
      clientAuth: 'basic',
      pixKey: 'loja@example.com',
      merchantName: 'Loja',
      merchantCity: 'Recife',
      compareKey: true,
      requestsPerMinute: 60,
    };
    const hidden = { clientId: 'a-secret-id', clientSecret: 'a-secret', certificate, privateKey };
    const settings = { ...shown, ...hidden };
    const account = { provider: 'bacen', name: 'Bank', settings };
    const expected = { provider: 'bacen', name: 'Bank', settings: Object.keys(settings), ...shown };
    const spare = await asked(app.services.credentials.create(ana, { ...account, isDefault: false }));
    expect((await app.services.approvals.get(bia, spare)).after).toEqual(expected);
    const main = await asked(app.services.credentials.create(ana, { ...account, isDefault: true }));
    expect((await app.services.approvals.get(bia, main)).after).toEqual({ default: expected });
  });

  test('shows the new address of an account', async () => {
    const accountId = await credential();
    const settings = { appId: 'another', baseUrl: 'https://api.elsewhere.example.com' };
    const id = await asked(app.services.credentials.update(ana, accountId, { settings }));
    expect(await app.services.approvals.get(bia, id)).toMatchObject({
      before: { provider: 'woovi' },
      after: { settings: ['appId', 'baseUrl'], baseUrl: 'https://api.elsewhere.example.com' },
    });
  });

  test('cannot be swapped in the database', async () => {
    const [one, other] = [
      await asked(app.services.ruleSets.create(ana, 'One', {})),
      await asked(app.services.ruleSets.create(ana, 'Other', {})),
    ];
    await query(
      app.databaseUrl,
      'UPDATE approval_request SET sealed_change = (SELECT sealed_change FROM approval_request WHERE id = $2) WHERE id = $1',
      [one, other],
    );
    await expect(app.services.approvals.approve(bia, one)).rejects.toThrow();
    await query(app.databaseUrl, 'DELETE FROM approval_request WHERE id = $1', [one]);
    expect(await app.services.ruleSets.list(ana)).toEqual([]);
  });

  test('is listed in pages, newest first', async () => {
    const ids = [];
    for (const name of ['a', 'b', 'c']) {
      clock = new Date(clock.getTime() + 1);
      ids.unshift(await asked(app.services.ruleSets.create(ana, name, {})));
    }
    await app.services.approvals.withdraw(ana, ids[1] ?? '');
    const page = (pendingOnly: boolean, cursor?: string) =>
      app.services.approvals.list(ana, { pendingOnly, limit: 2, cursor });
    const first = await page(false);
    expect([first.data.map(({ id }) => id), first.hasMore]).toEqual([ids.slice(0, 2), true]);
    const second = await page(false, ids[1]);
    expect([second.data.map(({ id }) => id), second.hasMore]).toEqual([ids.slice(2), false]);
    expect((await page(true)).data.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    expect(await app.services.approvals.pendingCount(ana)).toBe(2);
  });
});

test.each([
  ['refunds', { refundApprovalAbove: 10 }],
  ['ends of recurrences', { recurrenceEndingsNeedApproval: true }],
])('one person cannot let themselves in twice, even where only %s need approval', async (_what, settings) => {
  await app.services.organizationSettings.update(ana, settings);
  const puppet = { email: `${randomUUID()}@example.com`, name: 'Ana too', role: 'owner' };
  const id = await asked(app.services.invitations.invite(ana, puppet));
  expect(await app.services.approvals.get(bia, id)).toMatchObject({
    after: puppet,
  });
  const viewer = await join('viewer');
  await asked(app.services.members.setRole(ana, viewer.userId, 'support'));
  // The link is for the invitee alone.
  expect((await app.services.approvals.approve(bia, id)).secret).toBeNull();
});

test('over GraphQL the error names the request, and approving shows the new secret once', async () => {
  await requireApproval();
  const [owner, developer] = await Promise.all([
    openSession(app, { organizationId, mode: 'live' }),
    openSession(app, { organizationId, role: 'developer' }),
  ]);
  const create = `mutation { createWebhookEndpoint(input: { url: "${url}" }) { secret } }`;
  const { body } = await owner.client.graphql(create);
  const { approvalRequestId, ...extensions } = body.errors[0].extensions;
  expect(extensions).toMatchObject({ code: 'CONFLICT', reason: 'approval_required', statusCode: 409 });
  expect(body.errors[0].message).toContain(approvalRequestId);
  const pending = await developer.client.graphql(
    '{ pendingApprovalCount approvalRequests(pendingOnly: true) { edges { node { id requestedBy after } } } }',
  );
  expect(pending.body.data).toEqual({
    pendingApprovalCount: 1,
    approvalRequests: {
      edges: [{ node: { id: approvalRequestId, requestedBy: owner.email, after: { url, events: [] } } }],
    },
  });
  const approve = 'mutation ($id: ID!) { approveRequest(id: $id) { secret request { status decidedBy } } }';
  const approved = await developer.client.graphql(approve, { id: approvalRequestId });
  expect(approved.body.data.approveRequest).toEqual({
    secret: expect.stringMatching(/^whsec_/),
    request: { status: 'approved', decidedBy: developer.email },
  });
  expect(await endpoints()).toMatchObject([{ url, enabled: true, isTest: false }]);
});

describe('the operator', () => {
  const run = (...args: string[]) =>
    pix([...args, '--json'], {
      DATABASE_URL: app.databaseUrl,
      ENCRYPTION_KEYS: `new:${Buffer.alloc(32, 9).toString('base64')},test:${testKeyRing[0]?.key.toString('base64')}`,
    });
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  test("sees and changes the organization's settings", async () => {
    const change = ['--changes-need-approval', 'on', '--refund-approval-above', '500'];
    const ends = ['--recurrence-endings-need-approval', 'on'];
    const limits = ['--refund-limit', 'support=100', '--refund-limit', 'developer=2000.50'];
    const secondFactor = ['--second-factor-roles', 'owner,support', '--other-payer', 'flag'];
    const settings = {
      otherPayer: 'flag',
      secondFactorRoles: ['owner', 'support'],
      changesNeedApproval: true,
      recurrenceEndingsNeedApproval: true,
      refundApprovalAbove: 500,
      refundLimits: [
        { role: 'developer', amountPerDay: 2000.5 },
        { role: 'support', amountPerDay: 100 },
      ],
      rateLimitPerMinute: 60,
      defaultRateLimitPerMinute: 100,
      maximumRateLimitPerMinute: 100,
    };
    const all = [...change, ...ends, ...limits, ...secondFactor, '--rate-limit', '60'];
    expect(await json('settings', '--org', organizationId, ...all)).toEqual(settings);
    expect(await json('settings', '--org', organizationId)).toEqual(settings);
    const none = ['--refund-approval-above', 'none', '--refund-limit', 'support=none'];
    expect(await json('settings', '--org', organizationId, ...none)).toMatchObject({
      refundApprovalAbove: null,
      refundLimits: [{ role: 'developer' }],
    });
    for (const wrong of ['boss=1', 'support', 'support=much']) {
      expect((await run('settings', '--org', organizationId, '--refund-limit', wrong)).code).toBe(1);
    }
  });

  test('decides, even requests sealed with a key that has left the ring since', async () => {
    await requireApproval();
    const ids = [
      await asked(app.services.ruleSets.create(ana, 'One', {})),
      await asked(app.services.ruleSets.create(ana, 'Other', {})),
    ];
    const listed = (await json('approval', 'list', '--org', organizationId)) as unknown as { id: string }[];
    expect(listed.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(await run('encryption', 'rewrap')).toMatchObject({ code: 0 });
    const sealed = await query<{ sealed: string }>(
      app.databaseUrl,
      'SELECT sealed_change AS sealed FROM approval_request WHERE organization_id = $1',
      [organizationId],
    );
    expect(sealed.map((row) => row.sealed.split('.')[1])).toEqual(['new', 'new']);
    expect(await json('approval', 'approve', '--id', ids[0] ?? '')).toMatchObject({
      status: 'approved',
      decidedBy: 'operator',
    });
    expect(await json('approval', 'reject', '--id', ids[1] ?? '', '--reason', 'No')).toMatchObject({
      status: 'rejected',
    });
    expect(await app.services.ruleSets.list(ana)).toMatchObject([{ name: 'One' }]);
    expect((await run('approval', 'approve', '--id', randomUUID())).code).toBe(1);
  });
});
