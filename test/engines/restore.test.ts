import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { transactionIdOf } from '../../src/core/base/ids.ts';
import { applyMigrations } from '../../src/database/migrations/migrations.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { pixProcess } from '../support/command-line.ts';
import { query } from '../support/database.ts';
import { describeWith } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { type LiveAccount, type LiveOrganization, openLiveOrganization } from '../support/live.ts';
import { type ArchivingPostgres, startArchivingPostgres } from '../support/postgres-backup.ts';
import { everyPsp } from '../support/psp-emulator/all.ts';
import { returnedInCents } from '../support/psp-emulator/ledger.ts';
import { testKeys } from '../support/test-keys.ts';
import { receiverHost, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const payer = {
  name: 'João Ferreira',
  document: '11144477735',
  email: 'joao@example.com',
  phone: '+5511987654321',
};

const lostActions = 200;

interface Seen {
  id: string;
  sequence: number;
  epoch: number;
  type: string;
  data: { id: string };
}

describeWith(['pg_basebackup'], 'after a point-in-time recovery', () => {
  let postgres: ArchivingPostgres;
  let app: TestApp | undefined;
  let live: LiveOrganization;
  let accounts: readonly LiveAccount[] = [];
  const closers: (() => Promise<void>)[] = [];
  let receiver: WebhookReceiver;
  let client: Client;
  const env = { WEBHOOK_ALLOWED_HOSTS: receiverHost, ENCRYPTION_KEYS: testKeys };
  /** The keys are the ids that the client was given. */
  const known = new Map<string, { account: LiveAccount; transactionId: string }>();

  const seen = () => receiver.requests.map(({ body }) => JSON.parse(body) as Seen);
  const oneOf = <Item>(items: readonly Item[]): Item | undefined =>
    items[randomInt(Math.max(items.length, 1))];

  async function start(): Promise<void> {
    app = await startTestApp({ ...env, DATABASE_URL: postgres.url });
    if (accounts.length > 0) client = createClient(app.baseUrl, live.key);
    for (const { emulator } of accounts) {
      const { notifier } = emulator;
      notifier.address = new URL(new URL(notifier.address ?? '').pathname, app.baseUrl).href;
    }
  }

  async function stop(): Promise<void> {
    await app?.stop();
    app = undefined;
  }

  async function create(): Promise<void> {
    const account = oneOf(accounts);
    if (!account) throw new Error('there is no account');
    const { credentialId, emulator } = account;
    const amount = randomInt(500, 10_000) / 100;
    const { status, body } = await client.post('/v1/payments', { amount, credentialId, payer });
    if (status !== 201) throw new Error(JSON.stringify(body));
    const transactionId = emulator.ledger.charges.at(-1)?.transactionId ?? '';
    known.set(String(body.id), { account, transactionId });
  }

  const chargeOf = ({
    account: { emulator },
    transactionId,
  }: {
    account: LiveAccount;
    transactionId: string;
  }) => {
    const charge = emulator.ledger.find(transactionId);
    if (!charge) throw new Error(`no charge ${transactionId}`);
    return charge;
  };

  const withStatus = (status: string) =>
    [...known].filter(([, each]) => each.account.emulator.ledger.statusOf(chargeOf(each)) === status);

  async function pay(notify?: 'never'): Promise<void> {
    const [, unpaid] = oneOf(withStatus('active')) ?? [];
    await unpaid?.account.emulator.pay(unpaid.transactionId, notify && { notify });
  }

  async function act(): Promise<void> {
    const chance = randomInt(100);
    if (chance < 45) return create();
    if (chance < 80) return pay(chance < 55 ? 'never' : undefined);
    if (chance < 88) {
      const [id] = oneOf(withStatus('active')) ?? [];
      if (id) await client.post(`/v1/payments/${id}/cancel`);
      return undefined;
    }
    const [id] = oneOf(withStatus('paid')) ?? [];
    const amount = randomInt(2) === 0 ? {} : { amount: 1 };
    if (id) await client.post(`/v1/payments/${id}/refunds`, amount);
    return undefined;
  }

  const statusOf = async (id: string) => String((await client.get(`/v1/payments/${id}`)).body.status);

  /** Until every payment is as its provider has it. */
  const settled = () =>
    eventually(async () => {
      for (const [id, each] of known) {
        const charge = chargeOf(each);
        const status = each.account.emulator.ledger.statusOf(charge);
        const isReturned = returnedInCents(charge) >= charge.amountInCents;
        const expected = { active: 'pending', cancelled: 'cancelled', expired: 'expired' };
        const wanted = status === 'paid' ? (isReturned ? 'refunded' : 'completed') : expected[status];
        const { name } = each.account.emulator.psp;
        expect([name, id, await statusOf(id)]).toEqual([name, id, wanted]);
      }
    }, 60_000);

  const allDelivered = () =>
    eventually(async () => {
      const left = `SELECT FROM webhook_delivery WHERE status = 'pending'`;
      expect(await query(postgres.url, left)).toEqual([]);
    }, 60_000);

  beforeAll(async () => {
    postgres = await startArchivingPostgres();
    closers.push(() => postgres.stop());
    await applyMigrations(postgres.url);
    receiver = await startWebhookReceiver();
    closers.push(() => receiver.stop());
    await start();
    if (!app) throw new Error('it has not started');
    live = await openLiveOrganization(
      app,
      () => new Date(),
      // PagBank lists no charges.
      ...everyPsp.filter(([provider]) => provider !== 'pagbank'),
    );
    closers.push(() => live.stop());
    ({ client, accounts } = live);
    await app.services.webhookEndpoints.create(operatorFor(live.organizationId, 'live'), {
      url: receiver.url,
    });
  });

  afterAll(async () => {
    await stop();
    for (const close of closers.reverse()) await close();
  });

  async function check(): Promise<{
    code: number | null;
    report: { payments: object[]; accounts: object[] };
  }> {
    const args = ['restore', 'check', '--json'];
    const { code, stdout, stderr } = await pixProcess(args, { ...env, DATABASE_URL: postgres.url });
    if (!stdout) throw new Error(stderr);
    return { code, report: JSON.parse(stdout) as never };
  }

  /** The command dies in the middle of its work. */
  async function killAfter(paymentCount: number): Promise<void> {
    const args = ['dist/cli.js', 'restore', 'check'];
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'], ...env, DATABASE_URL: postgres.url },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await eventually(async () => {
      const payments = await query(postgres.url, 'SELECT FROM payment');
      if (payments.length < paymentCount) throw new Error('it has not begun');
    });
    child.kill('SIGKILL');
    await ended;
  }

  const sumsOf = async () => {
    const [row] = await query<{ received: string; returned: string }>(
      postgres.url,
      `SELECT (SELECT coalesce(sum(amount_in_cents), 0) FROM received_pix)::text AS received,
         (SELECT coalesce(sum(refunded_in_cents), 0) FROM payment)::text AS returned`,
    );
    return row;
  };

  test('every charge and Pix is found again, and no event number is used for two events', async () => {
    for (let index = 0; index < 20; index++) await create();
    await postgres.backUp();
    for (let index = 0; index < 30; index++) await act();
    await allDelivered();
    const moment = await postgres.moment();
    const knownBefore = known.size;

    for (let index = 0; index < lostActions; index++) await act();
    await allDelivered();
    await stop();
    for (let index = 0; index < 10; index++) await pay('never');
    // Banks decide about returns minutes later.
    for (const { emulator } of accounts)
      for (const { refunds } of emulator.ledger.charges)
        for (const each of refunds) each.status = 'completed';
    let nextMinuteMs = 0;
    for (let lives = 1; lives <= 2; lives++) {
      // When a backup is restored twice, the second life has numbers of its own from the next minute on.
      if (lives > 1) await eventually(() => expect(Date.now()).toBeGreaterThan(nextMinuteMs), 70_000);
      await postgres.restoreTo(moment);
      expect(await query(postgres.url, 'SELECT FROM payment')).toHaveLength(knownBefore);
      await killAfter(knownBefore + 5);
      const { code, report } = await check();
      expect(await query(postgres.url, 'SELECT FROM payment')).toHaveLength(known.size);
      expect(report.accounts).toMatchObject(accounts.map(() => ({ problem: null, unnamed: [] })));
      expect(code).toBe(0);
      expect((await check()).report.payments).toEqual([]);
      nextMinuteMs = Date.now() + 60_000;

      await start();
      await settled();
      const charges = accounts.flatMap(({ emulator }) => emulator.ledger.charges);
      const received = charges.flatMap(({ pix }) => pix).reduce((sum, pix) => sum + pix.amountInCents, 0n);
      const returned = charges.reduce((sum, charge) => sum + returnedInCents(charge), 0n);
      await eventually(
        async () =>
          expect(await sumsOf()).toEqual({ received: String(received), returned: String(returned) }),
        60_000,
      );
      await allDelivered();
      await stop();
      process.stdout.write(`${known.size - knownBefore} payments recovered, ${seen().length} events seen\n`);
    }

    const idsOf = new Map<number, Set<string>>();
    for (const { sequence, id } of seen()) idsOf.set(sequence, (idsOf.get(sequence) ?? new Set()).add(id));
    expect([...idsOf].filter(([, ids]) => ids.size > 1)).toEqual([]);
    for (const [id, { transactionId }] of known)
      expect(transactionIdOf(id).slice(0, 14)).toBe(transactionId.slice(0, 14));
  }, 600_000);
});
