import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../src/core/base/errors.ts';
import type { Role } from '../../../src/core/base/roles.ts';
import { operatorFor, type PersonCaller } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { longTest } from '../../support/chance.ts';
import { createClient } from '../../support/client.ts';
import { freshDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { mailedLink, type MailServer, startMailServer } from '../../support/mail-server.ts';
import { createPerson, tokenOf } from '../../support/people.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

/**
 * Who can make something, and what it can do: Ana, an owner, is alone. She makes one thing after another, with
 * whatever an honest second owner once approved, and then tries to give back more than one person may.
 */
const approvalAbove = 5;
const ownersLimit = 6;
const keysLimit = 2;

let app: TestApp;
let mail: MailServer;
let live: LiveOrganization;
let ana: PersonCaller;
let bia: PersonCaller;
/** The people whose passwords Ana has. */
let own: PersonCaller[];
/** The keys that Ana has. */
let keys: string[];
let knownKey: { id: string; key: string };

beforeAll(async () => {
  mail = await startMailServer();
  const env = { DATABASE_URL: await freshDatabase(), SMTP_URL: mail.url, SMTP_FROM: 'pix@example.com' };
  app = await startTestApp({ ...env, ROLE: 'api', TRUST_PROXY: '1' });
});

afterEach(() => live.stop());

afterAll(async () => {
  await app.stop();
  await mail.stop();
});

async function person(role: Role): Promise<PersonCaller> {
  const { organizationId } = live;
  const { userId } = await createPerson(app, { organizationId, role });
  const session = { sessionId: randomUUID(), mustChangePassword: false };
  return { kind: 'person', userId, organizationId, mode: 'live', role, ...session };
}

const operator = () => operatorFor(live.organizationId);

beforeEach(async () => {
  live = await openLiveOrganization(app, () => new Date(), ['woovi', woovi]);
  ana = await person('owner');
  bia = await person('owner');
  await person('owner');
  own = [ana];
  keys = [];
  // Ana made it before two people were needed, and uses it from the address that it is for.
  const limits = { allowedIps: ['203.0.113.7'], refundLimitPerDay: keysLimit };
  knownKey = await app.services.apiKeys.create(ana, limits);
  keys.push(knownKey.key);
});

const requireTwo = () =>
  app.services.organizationSettings.update(operator(), {
    changesNeedApproval: true,
    refundApprovalAbove: approvalAbove,
    refundLimits: [{ role: 'owner', amountPerDay: ownersLimit }],
  });

/** Undefined when the service refuses. */
const tried = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof ServiceError) return undefined;
    throw error;
  });

async function approveAll(approver: PersonCaller): Promise<void> {
  const page = { pendingOnly: true, limit: 100, cursor: undefined };
  const { data } = await app.services.approvals.list(operator(), page);
  for (const { id } of data) {
    const approved = await tried(app.services.approvals.approve(approver, id));
    if (approved?.secret?.startsWith('pk_') && own.includes(approver)) keys.push(approved.secret);
  }
}

async function make(request: object): Promise<void> {
  const made = await tried(app.services.apiKeys.create(ana, request));
  if (made) keys.push(made.key);
}

async function inviteSelf(role: Role): Promise<void> {
  const email = `${randomUUID()}@ana.example.com`;
  const invited = await tried(app.services.invitations.invite(ana, { email, role }));
  if (!invited) return;
  await app.services.linkMail.sendDue(5);
  const token = tokenOf(mailedLink(mail, email));
  const accept = async () => {
    const input = { name: 'Ana', password: 'correct horse battery' };
    await tried(app.services.invitationLinks.accept(token, input, undefined));
    const members = await app.services.members.list(operator());
    const joined = members.find((each) => each.email === email);
    if (joined) own.push({ ...ana, userId: joined.userId, role, sessionId: randomUUID() });
  };
  acceptances.push(accept);
}

/** What Ana begins before two people are needed, and ends once they are. */
let acceptances: (() => Promise<void>)[];

const become = async (role: Role): Promise<void> => {
  const changed = await tried(app.services.members.setRole(ana, ana.userId, role));
  if (changed) ana.role = role;
};

interface Means {
  name: string;
  make: () => Promise<void>;
}

const means: Means[] = [
  { name: 'nothing', make: () => Promise.resolve() },
  { name: 'a new key', make: () => make({}) },
  { name: 'a new key with a low limit', make: () => make({ refundLimitPerDay: 1 }) },
  {
    name: 'a key in place of another',
    make: async () => {
      const rotated = await tried(app.services.apiKeys.rotate(ana, knownKey.id, 1));
      if (rotated) keys.push(rotated.key);
    },
  },
  {
    name: 'a key that goes without its limit',
    make: async () =>
      void (await tried(app.services.apiKeys.update(ana, knownKey.id, { refundLimitPerDay: null }))),
  },
  {
    name: 'a key with a higher limit',
    make: async () =>
      void (await tried(app.services.apiKeys.update(ana, knownKey.id, { refundLimitPerDay: 900 }))),
  },
  {
    name: 'a key that goes without its addresses',
    make: async () => void (await tried(app.services.apiKeys.update(ana, knownKey.id, { allowedIps: [] }))),
  },
  { name: 'a role without a limit', make: () => become('support') },
  { name: 'a second self who may approve', make: () => inviteSelf('support') },
  { name: 'a second self who owns', make: () => inviteSelf('owner') },
  {
    name: 'a second self who looks on at first',
    make: async () => {
      await inviteSelf('viewer');
      await Promise.all(acceptances.map((accept) => accept()));
      for (const { userId } of own.slice(1))
        await tried(app.services.members.setRole(ana, userId, 'support'));
    },
  },
  {
    name: 'a higher amount without approval',
    make: async () =>
      void (await tried(app.services.organizationSettings.update(ana, { refundApprovalAbove: 900 }))),
  },
  {
    name: 'no approvals at all',
    make: async () => {
      const change = { changesNeedApproval: false, refundApprovalAbove: null };
      await tried(app.services.organizationSettings.update(ana, change));
    },
  },
  {
    name: 'no limit for owners',
    make: async () => {
      const change = { refundLimits: [{ role: 'owner' as const, amountPerDay: null }] };
      await tried(app.services.organizationSettings.update(ana, change));
    },
  },
  {
    name: 'a password link of somebody else',
    make: async () => {
      const email = (await app.services.members.list(operator())).find(
        ({ userId }) => userId === bia.userId,
      )?.email;
      if (email) app.services.passwordRecovery.begin({ email });
      await app.services.passwordRecovery.drain();
    },
  },
  {
    name: 'a link on which others pay',
    make: async () => void (await tried(app.services.paymentLinks.create(ana, { amount: 10 }))),
  },
  {
    name: 'nobody else',
    make: () => tried(app.services.members.remove(ana, bia.userId)),
  },
];

async function paid(): Promise<string> {
  const payer = { name: 'Fulano de Tal', document: '529.982.247-25', email: 'fulano@example.com' };
  const { body } = await live.client.post('/v1/payments', { amount: 10, payer });
  const { emulator } = live.accounts[0] ?? {};
  await emulator?.pay(emulator.ledger.charges.at(-1)?.transactionId ?? '');
  await eventually(async () =>
    expect((await live.client.get(`/v1/payments/${body.id}`)).body.status).toBe('completed'),
  );
  return body.id as string;
}

const givenBack = (): number => {
  const charges = live.accounts[0]?.emulator.ledger.charges ?? [];
  const refunds = charges.flatMap((charge) => charge.refunds);
  return refunds.reduce((sum, { amountInCents }) => sum + Number(amountInCents), 0) / 100;
};

async function refundAsAll(paymentId: string, amount: number, address: string): Promise<void> {
  for (const each of own) {
    await tried(app.services.refunds.create(each, paymentId, { amount }, undefined));
    await approveAll(each);
  }
  for (const key of keys) {
    const from = { 'X-Forwarded-For': address };
    await createClient(app.baseUrl, key).post(`/v1/payments/${paymentId}/refunds`, { amount }, from);
  }
  for (const each of own) await approveAll(each);
}

/** What everything that she has gives back, alone. */
async function takeAll(): Promise<number> {
  const payments = [await paid(), await paid()];
  for (const each of own) await approveAll(each);
  for (const paymentId of payments)
    for (const [amount, address] of [
      [10, '203.0.113.7'],
      [approvalAbove - 1, '198.51.100.1'],
      [keysLimit + 1, '203.0.113.7'],
      [1, '198.51.100.1'],
    ] as const)
      await refundAsAll(paymentId, amount, address);
  return givenBack();
}

/** Where money and events go. */
async function destinations(): Promise<unknown> {
  const { credentials, ruleSets, webhookEndpoints } = app.services;
  const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);
  return {
    credentials: idsOf(await credentials.list(operator())),
    ruleSets: idsOf(await ruleSets.list(operator())),
    endpoints: idsOf(await webhookEndpoints.list(operator())),
  };
}

async function redirectAll(): Promise<void> {
  const { credentials, ruleSets, webhookEndpoints } = app.services;
  const settings = { appId: 'of-ana' };
  for (const each of own) {
    await tried(credentials.create(each, { provider: 'woovi', name: 'Ana', settings, isDefault: true }));
    await tried(ruleSets.create(each, 'Ana', {}));
    await tried(webhookEndpoints.create(each, { url: 'https://ana.example.com' }));
  }
  for (const each of own) await approveAll(each);
}

/** What an owner may give back in a day, and what the key may that she has always had. */
const most = ownersLimit + keysLimit;

const makeAll = means.map(({ make: makeOne }) => makeOne);

async function expectNoMore(makeInTurn: readonly (() => Promise<unknown>)[]): Promise<void> {
  await requireTwo();
  for (const makeNext of makeInTurn) await makeNext();
  expect(await takeAll()).toBeLessThanOrEqual(most);
  const before = await destinations();
  await redirectAll();
  expect(await destinations()).toEqual(before);
}

// Each means comes before every other once.
test.each([
  ['one after another', makeAll],
  ['from the last to the first', makeAll.toReversed()],
])('all means, %s, let one person give back no more than she may', async (_order, makeInTurn) => {
  acceptances = [];
  await expectNoMore(makeInTurn);
});

describe.each(means)('$name', ({ make: makeFirst }) => {
  beforeEach(() => {
    acceptances = [];
  });

  longTest('lets one person give back no more than she may, with anything else that she makes', () =>
    expectNoMore([makeFirst, ...makeAll]),
  );

  test('begun before two people were needed lets her give back no more either', async () => {
    await makeFirst();
    await requireTwo();
    for (const accept of acceptances) await accept();
    // A payment is given back as a whole by nobody alone.
    const paymentId = await paid();
    await refundAsAll(paymentId, 10, '203.0.113.7');
    expect(givenBack()).toBe(0);
  });
});

test('whoever made a key does not approve what it asks for, though another approved the key', async () => {
  acceptances = [];
  await requireTwo();
  await make({});
  await approveAll(bia);
  const paymentId = await paid();
  const key = keys.at(-1) ?? '';
  const { body } = await createClient(app.baseUrl, key).post(`/v1/payments/${paymentId}/refunds`, {
    amount: 10,
  });
  expect(body).toMatchObject({ status: 'pending', awaitingApproval: true });
  const page = { pendingOnly: true, limit: 1, cursor: undefined };
  const { data } = await app.services.approvals.list(ana, page);
  expect(data).toMatchObject([{ requestedBy: 'live key', mayDecide: false, mayWithdraw: true }]);
  await expect(app.services.approvals.approve(ana, data[0]?.id ?? '')).rejects.toMatchObject({
    code: 'second_person_required',
  });
  expect(givenBack()).toBe(0);
  await app.services.approvals.approve(bia, data[0]?.id ?? '');
  expect(givenBack()).toBe(10);
});
