import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '../support/client.ts';
import { query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { cookiesOf } from '../support/people.ts';
import { startEmulator } from '../support/psp-emulator/core.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { woovi } from '../support/psp-emulator/woovi.ts';
import type { Attackers } from './attacks.ts';
import { startHostilePsp } from './hostile-psp.ts';
import type { Stage } from './stage.ts';

const keysEach = 10;
const fatPayments = 100;
const pendingPayments = 2_000;
const refundablePayments = 5;
const slowAnswerMs = 1_500;

interface Credential {
  id: string;
  notificationUrl: string;
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

export async function createKeys(
  stage: Stage,
  organizationId: string,
  mode: string,
  count = keysEach,
): Promise<string[]> {
  const keys: string[] = [];
  for (const _ of times(count)) {
    const { key } = await stage.pix<{ key: string }>(
      'key',
      'create',
      '--org',
      organizationId,
      '--mode',
      mode,
    );
    keys.push(key);
  }
  return keys;
}

export async function createCredential(
  stage: Stage,
  organizationId: string,
  provider: string,
  settings: object,
  ...options: string[]
): Promise<Credential> {
  const config = await stage.file(`${randomUUID()}.json`, settings);
  const named = ['--org', organizationId, '--provider', provider, '--name', provider];
  return stage.pix<Credential>('credential', 'create', ...named, '--config', config, ...options);
}

/** Signs in with a first password, and sets another, as everybody must. */
async function openSession(stage: Stage, organizationId: string, role: string): Promise<string> {
  const email = `${role}@attackers.example`;
  const args = ['--org', organizationId, '--email', email, '--role', role];
  const { temporaryPassword } = await stage.pix<{ temporaryPassword: string }>('user', 'create', ...args);
  const client = createClient(stage.baseUrl);
  const post = async (path: string, body: object, cookie = '') => {
    const { status, headers } = await client.post(`/auth${path}`, body, {
      Origin: stage.baseUrl,
      Cookie: cookie,
    });
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    return cookiesOf(headers) || cookie;
  };
  const cookie = await post('/sign-in/email', { email, password: temporaryPassword });
  const newPassword = randomUUID();
  return post('/change-password', { currentPassword: temporaryPassword, newPassword }, cookie);
}

/** Payments of the attackers' organization over 90 days, as its statistics would read them. */
async function seedPayments({ postgres }: Stage, organizationId: string, count: number): Promise<void> {
  await query(
    postgres.url,
    `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, created_at, expires_at, confirmed_at)
     SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3)
         || '8' || substr(md5(n::text), 4, 15))::uuid,
       $1::uuid, 'test', CASE WHEN n % 3 = 0 THEN 'expired' ELSE 'completed' END::"PaymentStatus", 1000 + n % 5000, 'sandbox',
       at, at + interval '30 minutes', CASE WHEN n % 3 = 0 THEN NULL ELSE at + interval '40 seconds' END
     FROM generate_series(1, $2::int) AS n, LATERAL (SELECT now() - interval '90 days' * n / $2::int AS at) AS t`,
    [organizationId, count],
  );
  await query(postgres.url, 'ANALYZE payment');
}

/** An organization with everything that the attacks need, made while a generous node runs. */
export async function setScene(stage: Stage, seededPayments: number): Promise<Attackers> {
  const { id: organizationId } = await stage.pix<{ id: string }>('org', 'create', '--name', 'Attackers');
  const testKeys = await createKeys(stage, organizationId, 'test');
  const liveKeys = await createKeys(stage, organizationId, 'live');
  const ownerCookie = await openSession(stage, organizationId, 'owner');
  const viewerCookie = await openSession(stage, organizationId, 'viewer');
  await seedPayments(stage, organizationId, seededPayments);

  const tester = createClient(stage.baseUrl, testKeys[0]);
  const metadata = { members: Array.from({ length: 900 }, () => ({})), text: 'x'.repeat(12_000) };
  for (const _ of times(fatPayments)) await tester.post('/v1/payments', { amount: 1, metadata });

  const live = createClient(stage.baseUrl, liveKeys[0]);
  const hostile = await startHostilePsp();
  const asaas = await createCredential(stage, organizationId, 'asaas', hostile.settings);
  hostile.setNotificationAddress(asaas.notificationUrl);
  const payer = { name: 'Fulano de Tal', document: '529.982.247-25' };
  const refundable: string[] = [];
  for (const _ of times(refundablePayments)) {
    const { body } = await live.post('/v1/payments', { amount: 50, payer, credentialId: asaas.id });
    refundable.push(body.id);
  }
  for (const { transactionId } of hostile.charges) await hostile.pay(transactionId);
  await eventually(async () => {
    for (const id of refundable) {
      const { body } = await live.get(`/v1/payments/${id}`);
      if (body.status !== 'completed') throw new Error(`the payment at the hostile PSP is ${body.status}`);
    }
  }, 60_000);
  hostile.turnHostile();

  const slow = await startEmulator(woovi);
  const slowCredential = await createCredential(stage, organizationId, 'woovi', slow.settings);
  for (let made = 0; made < pendingPayments; made += 20) {
    const body = { amount: 1, credentialId: slowCredential.id, expirationMinutes: 600 };
    await Promise.all(times(20).map(() => live.post('/v1/payments', body)));
  }
  slow.faults.add({ kind: 'slow', milliseconds: slowAnswerMs, times: 1_000_000_000 });

  const bank = await startEmulator(defineBacen('standard'));
  const settings = { ...bank.settings, notificationAuth: 'urlToken' };
  const { notificationUrl } = await createCredential(stage, organizationId, 'bacen', settings);

  const endpoint = ['--org', organizationId, '--mode', 'test', '--url', 'https://example.com/hook'];
  const { id: endpointId } = await stage.pix<{ id: string }>('webhook', 'create', ...endpoint);
  // Statements of the set-up end before anything is measured.
  await delay(1_000);
  return {
    baseUrl: stage.baseUrl,
    ports: stage.ports,
    organizationId,
    testKeys,
    liveKeys,
    ownerCookie,
    viewerCookie,
    credentialId: slowCredential.id,
    endpointId,
    notificationUrl,
    refundable,
  };
}
