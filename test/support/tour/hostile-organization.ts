import { randomUUID } from 'node:crypto';
import { operatorFor } from '../../../src/core/base/caller.ts';
import type { TestApp } from '../app.ts';
import { openPastBooks } from '../books.ts';
import { createAuthority } from '../certificates.ts';
import { type Client, createClient } from '../client.ts';
import { query } from '../database.ts';
import { createKey } from '../factories.ts';
import { openAccount } from '../live.ts';
import { createPerson, type TestPerson } from '../people.ts';
import { defineBacen } from '../psp-emulator/bacen.ts';
import { startEmulator } from '../psp-emulator/core.ts';
import { woovi } from '../psp-emulator/woovi.ts';
import { addBatches, addRecurrences } from './batches-and-debits.ts';
import { addEndpoints } from './endpoints.ts';
import { addRequests } from './requests.ts';
import { family, largestAmount, longAddress, longPath, rightToLeft, unbroken } from './hostile-texts.ts';

/** What a page of its own stands for, by a short name. */
type Places = Record<string, string>;

/** An organization with everything that a dashboard can show, in both modes, and the paths to it. */
export interface HostileOrganization {
  organizationId: string;
  owner: TestPerson;
  /** Another owner, whose requests wait. */
  requester: TestPerson;
  live: Places;
  test: Places;
  stop(): Promise<void>;
}

const payer = {
  name: unbroken(200),
  document: '529.982.247-25',
  email: longAddress('pagadores'),
  phone: '+55 11 98765-4321',
};

const metadata = {
  [unbroken(40)]: 'x'.repeat(247),
  nested: { [rightToLeft]: [1, 2, { [family]: null }] },
};

/** The name that the organization and its first member have. */
async function rename(app: TestApp, organizationId: string, userId: string): Promise<void> {
  const write = (table: string, name: string, id: string) =>
    query(app.databaseUrl, `UPDATE ${table} SET name = $1 WHERE id = $2`, [name, id]);
  await write('organization', `Floricultura ${unbroken(60)}`, organizationId);
  await write('"user"', `Maria ${unbroken(80)}`, userId);
}

async function addPeople(app: TestApp, organizationId: string): Promise<void> {
  const operator = operatorFor(organizationId);
  const roles = ['owner', 'developer', 'support', 'viewer'] as const;
  for (const [index, role] of roles.entries()) {
    const name = [unbroken(120), rightToLeft, `${family.repeat(8)} Silva`, 'Zé'][index] ?? '';
    const email = `${randomUUID()}@${'empresa'.repeat(5)}.example.com`;
    await app.services.members.create(operator, { email, name, role }, { mustChangePassword: false });
  }
  await app.services.invitations.invite(operator, { email: longAddress('convites'), role: 'viewer' });
}

async function addKeys(app: TestApp, organizationId: string, mode: 'test' | 'live'): Promise<void> {
  const { apiKeys } = app.services;
  const operator = operatorFor(organizationId, mode);
  const allowedIps = Array.from({ length: 40 }, (_, index) => `2001:db8:1234:5678:9abc:def0:1234:${index}`);
  await apiKeys.create(operator, { name: unbroken(120), allowedIps, refundLimitPerDay: largestAmount });
  const { id } = await apiKeys.create(operator, { name: rightToLeft, permissions: [] });
  await apiKeys.revoke(operator, id);
  await apiKeys.create(operator, { name: 'Loja', expiresAt: new Date(Date.now() + 3_600_000) });
}

const paymentPath = (id: string) => `/payments/${id}`;

/** Payments in every state, in the sandbox. */
async function addTestPayments(client: Client, ruleSetId: string): Promise<Places> {
  const create = async (input: object = {}) => {
    const { body } = await client.post('/v1/payments', { amount: largestAmount, payer, ...input });
    return String(body.id);
  };
  const sandbox = (id: string, step: string, body?: object) =>
    client.post(`/v1/sandbox/payments/${id}/${step}`, body);
  const createPaid = async (input?: object) => {
    const id = await create(input);
    await sandbox(id, 'pay');
    return id;
  };
  const cancelled = await create({ externalId: 'pedido-1' });
  await client.post(`/v1/payments/${cancelled}/cancel`);
  const expired = await create({ externalId: 'pedido-2', payer: { ...payer, name: rightToLeft } });
  await sandbox(expired, 'expire');
  const late = await create({ externalId: 'pedido-3' });
  for (const step of ['expire', 'pay', 'pay']) await sandbox(late, step);
  const failed = await client.post('/v1/payments', { amount: 5, metadata: { sandbox: 'unavailable' } });
  if (failed.status !== 500) throw new Error(`the sandbox answered ${failed.status}`);
  const refunded = await createPaid({ description: 'Vaso de flores' });
  await client.post(`/v1/payments/${refunded}/refunds`, { amount: 1_234_567.89, reason: unbroken(247) });
  await client.post(`/v1/payments/${refunded}/refunds`);
  const partly = await createPaid({ amount: 149.9 });
  await client.post(`/v1/payments/${partly}/refunds`, { amount: 49.9, reason: 'Tamanho errado' });
  const disputed = await createPaid();
  await sandbox(disputed, 'dispute', { amount: 1_000_000.5 });
  const lost = await createPaid();
  await sandbox(lost, 'dispute');
  await sandbox(lost, 'dispute/close', { outcome: 'lost' });
  const reversed = await createPaid();
  await sandbox(reversed, 'reverse', { amount: 5, reason: 'med_fraud' });
  const routed = await createPaid({ ruleSetId, metadata: { ...metadata, sandbox: ['reject'] } });
  const pending = await create({ externalId: 'x'.repeat(247), description: unbroken(500), metadata });
  const plain = await create({ amount: 19.9, externalId: `${family} ${rightToLeft}`, payer: undefined });
  const paths = {
    cancelled,
    expired,
    late,
    refunded,
    partly,
    disputed,
    lost,
    reversed,
    routed,
    pending,
    plain,
  };
  return Object.fromEntries(Object.entries(paths).map(([name, id]) => [`payment-${name}`, paymentPath(id)]));
}

/** One that says everything, and one that has ended. */
async function addPaymentLinks(client: Client, ruleSetId: string): Promise<Places> {
  const create = async (input: object) => String((await client.post('/v1/payment-links', input)).body.id);
  const link = await create({
    minimumAmount: 1_000_000,
    maximumAmount: largestAmount,
    description: unbroken(500),
    returnUrl: `https://shop.example.com${longPath}`,
    ruleSetId,
  });
  const ended = await create({ amount: largestAmount, singleUse: true, description: rightToLeft });
  await client.post(`/v1/payment-links/${ended}/deactivate`);
  return {
    'payment-links': '/payment-links',
    'payment-link': `/payment-links/${link}`,
    'payment-link-ended': `/payment-links/${ended}`,
  };
}

async function addRuleSet(app: TestApp, organizationId: string, credentialIds: string[]): Promise<string> {
  const [first = '', second = ''] = credentialIds;
  const { id } = await app.services.ruleSets.create(operatorFor(organizationId), unbroken(120), {
    ranges: [
      { from: 0.01, to: 1_000.5, credentialId: second },
      { from: 5_000, to: largestAmount, credentialId: first },
    ],
    fallbackCredentialIds: [second],
  });
  return id;
}

/** The service needs `ROLE: 'api'` and the receivers' host allowed: what workers do is done here, once. */
export async function openHostileOrganization(app: TestApp): Promise<HostileOrganization> {
  const books = await openPastBooks(app);
  const { organizationId, credentialId } = books;
  const { credentials } = app.services;
  const operator = operatorFor(organizationId);
  const owner = await createPerson(app, { organizationId });
  await rename(app, organizationId, owner.userId);
  await credentials.update(operator, credentialId, { name: unbroken(120), fees: { percent: 1.55 } });
  // They count from the day on which they were given.
  await query(
    app.databaseUrl,
    `UPDATE credential SET fees = fees || '{"since": "2020-01-01"}' WHERE id = $1`,
    [credentialId],
  );
  const failing = await openAccount(app, {
    organizationId,
    provider: 'woovi',
    name: `Conta ${rightToLeft} ${family}`,
    define: woovi,
    isDefault: false,
  });
  const bank = await startEmulator(defineBacen('banco-do-brasil'));
  const endsSoon = { from: new Date(Date.now() - 9e9), until: new Date(Date.now() + 8e8) };
  const certified = await credentials.create(operator, {
    provider: 'bacen',
    name: 'Banco do Brasil, conta da matriz',
    settings: { ...bank.settings, ...createAuthority('Bank').issue('client', endsSoon) },
    isDefault: false,
  });
  await credentials.check(operator, certified.id);

  const closed = books.goBack(5);
  await books.createPaid(largestAmount);
  await books.read(closed);
  const unavailable = books.goBack(4);
  books.emulator.faults.add({ kind: 'error', operation: 'list' });
  await books.read(unavailable);
  const open = books.goBack(1);
  for (const amount of [1_234_567.89, 11]) await books.createPaid(amount);
  for (const cents of [777, 999_999_999_999]) books.receiveElsewhere(cents);
  await books.read(open);

  const unneeded = await openAccount(app, {
    organizationId,
    provider: 'woovi',
    name: 'Antiga',
    define: woovi,
    isDefault: false,
  });
  await books.client.post('/v1/payments', { amount: 10, payer, credentialId: unneeded.credentialId });

  await failing.emulator.refuseConnections();
  for (let count = 0; count < 6; count++)
    await books.client.post('/v1/payments', { amount: 10, payer, credentialId: failing.credentialId });
  await credentials.check(operator, failing.credentialId);
  await app.services.callRecorder.flush();
  const paid = await books.createPaid(12_345_678.9);

  const { key } = await createKey(app.services, { organizationId, mode: 'test' });
  const client = createClient(app.baseUrl, key);
  const endpoints = await addEndpoints(app, organizationId);
  const ruleSetId = await addRuleSet(app, organizationId, [credentialId, failing.credentialId]);
  // Moves the clock, which would expire the payments.
  const recurrences = await addRecurrences(client);
  const payments = await addTestPayments(client, ruleSetId);
  const paymentLinks = await addPaymentLinks(client, ruleSetId);
  const batches = await addBatches(client);
  const { body: disputes } = await client.get('/v1/disputes');
  await app.services.ruleSets.setDefault(operatorFor(organizationId, 'test'), ruleSetId);
  await endpoints.deliver();
  await query(
    app.databaseUrl,
    "UPDATE webhook_endpoint SET failing_since = failing_since - interval '1 day' WHERE failing_since IS NOT NULL",
  );
  await client.post('/v1/sandbox/pix', { amount: largestAmount });
  await addPeople(app, organizationId);
  await addKeys(app, organizationId, 'test');
  await addKeys(app, organizationId, 'live');
  const requester = await addRequests(app, organizationId, {
    paymentId: paid,
    credentialId,
    ruleSetId,
  });

  const month = (day: string) => `/books?month=${day.slice(0, 7)}`;
  return {
    organizationId,
    owner,
    requester,
    test: {
      overview: '/',
      payments: '/payments',
      refunds: '/refunds',
      disputes: '/disputes',
      dispute: `/disputes/${disputes.data[0]?.id}`,
      receipts: '/receipts',
      books: '/books',
      webhooks: '/webhooks',
      webhook: `/webhooks/${endpoints.well}`,
      'webhook-failing': `/webhooks/${endpoints.failing}`,
      'webhook-gone': `/webhooks/${endpoints.gone}`,
      'api-keys': '/api-keys',
      requests: '/requests',
      'first-steps': '/first-steps',
      ...payments,
      ...paymentLinks,
      ...batches,
      ...recurrences,
    },
    live: {
      overview: '/',
      payments: '/payments',
      payment: paymentPath(paid),
      'batch-new': '/payments/batches/new',
      'payment-links': '/payment-links',
      recurrences: '/recurrences',
      'recurrences-upcoming': '/recurrences/upcoming',
      'recurrences-failed': '/recurrences/failed',
      refunds: '/refunds',
      disputes: '/disputes',
      receipts: '/receipts',
      books: month(open),
      'books-closed': `/books/${credentialId}/${closed}`,
      'books-open': `/books/${credentialId}/${open}`,
      'books-unavailable': `/books/${credentialId}/${unavailable}`,
      health: '/health',
      'health-failing': `/health/${failing.credentialId}`,
      webhooks: '/webhooks',
      'api-keys': '/api-keys',
      requests: '/requests',
      credentials: '/credentials',
      'rule-sets': '/rule-sets',
      members: '/members',
      security: '/security',
      organization: '/organization',
      approvals: '/approvals',
      'audit-log': '/audit-log',
      profile: '/profile',
      'first-steps': '/first-steps',
      missing: '/nowhere',
    },
    async stop() {
      await Promise.all(
        [books, failing.emulator, unneeded.emulator, bank, endpoints].map((each) => each.stop()),
      );
    },
  };
}
