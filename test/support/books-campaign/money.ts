import { randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import { cents } from '../../../src/core/base/money.ts';
import type { TestApp } from '../app.ts';
import type { Client } from '../client.ts';
import { query } from '../database.ts';
import type { LiveAccount } from '../live.ts';
import { checkAt, endChecks } from '../payment-checks.ts';
import type { EmulatedCharge, EmulatedPix } from '../psp-emulator/ledger.ts';
import type { Fact } from './facts.ts';
import type { Random } from './random.ts';

export interface Stage {
  databaseUrl: string;
  client: Client;
  random: Random;
  nodes(): readonly TestApp[];
  /** Any of them. */
  node(): TestApp;
  now(): Date;
  pass(ms: number): void;
}

const hourMs = 3_600_000;
const payer = { name: 'Maria Silva', document: '12345678909', email: 'maria@example.com' };
const atOnce = 16;

export interface Payable {
  paymentId: string;
  charge: EmulatedCharge;
}

/** What money does at an emulated bank, with and without the service. */
export function createMoney({ databaseUrl, client, random, nodes, node, now, pass }: Stage) {
  async function chargesOf({ emulator }: LiveAccount, paymentIds: readonly string[]): Promise<Payable[]> {
    const rows = await query<{ id: string; attempt_id: string }>(
      databaseUrl,
      'SELECT id, attempt_id FROM payment WHERE id = ANY($1)',
      [paymentIds],
    );
    return rows.map(({ id, attempt_id }) => {
      const charge = emulator.ledger.find(attempt_id.replaceAll('-', ''));
      if (!charge) throw new Error(`the bank has no charge of payment ${id}`);
      return { paymentId: id, charge };
    });
  }

  async function ask(account: LiveAccount, count: number): Promise<Payable[]> {
    const { credentialId } = account;
    const amounts = Array.from({ length: count }, () => random.between(500, 99_999) / 100);
    const made = await Promise.all(
      amounts.map((amount) => client.post('/v1/payments', { amount, credentialId, payer })),
    );
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    return chargesOf(
      account,
      made.map(({ body }) => String(body.id)),
    );
  }

  return {
    /** Until every notification that arrived has been processed. */
    async drain(): Promise<void> {
      await Promise.all(nodes().map(({ services }) => services.notifications.drain()));
    },

    async createPayment(account: LiveAccount): Promise<Payable> {
      const [made] = await ask(account, 1);
      return made as Payable;
    },

    /** Looked up by no timer: what nobody tells of, the statement has to show. */
    async forget({ paymentId }: Pick<Payable, 'paymentId'>): Promise<void> {
      await endChecks(databaseUrl, paymentId);
    },

    /** Payments without a fault, several at a time. */
    async receive(account: LiveAccount, count: number): Promise<(Payable & { pix: EmulatedPix })[]> {
      const received: (Payable & { pix: EmulatedPix })[] = [];
      for (let left = count; left > 0; left -= atOnce) {
        pass(random.between(1, 20) * 1_000);
        const payable = await ask(account, Math.min(left, atOnce));
        received.push(
          ...(await Promise.all(
            payable.map(async (each) => ({
              ...each,
              pix: await account.emulator.pay(each.charge.transactionId),
            })),
          )),
        );
      }
      return received;
    },

    /** Money without a payment. */
    receiveElsewhere({ emulator: { ledger } }: LiveAccount, at = now()) {
      const transactionId = randomBytes(14).toString('hex');
      const reference = String(random.between(1e10, 9e10));
      const expiresAt = new Date(now().getTime() + hourMs);
      const amountInCents = cents(random.between(1, 99_999));
      const charge = ledger.add({ transactionId, reference, amountInCents, expiresAt });
      const pix = ledger.pay(charge);
      pix.paidAt = at;
      return { charge, pix };
    },

    async tell({ account: { emulator }, charge, pix }: Fact, times = 1): Promise<void> {
      const { notifier, psp } = emulator;
      const notifications = Array.from({ length: times }, () => psp.notificationOf(charge, pix));
      await Promise.all(notifications.map((each) => notifier.send(each)));
    },

    async expire({ paymentId }: Payable): Promise<void> {
      pass(32 * 60_000);
      const statusNow = async () => (await client.get(`/v1/payments/${paymentId}`)).body['status'];
      for (let turn = 0; turn < 5 && (await statusNow()) !== 'expired'; turn++) {
        await checkAt(databaseUrl, paymentId, now());
        await node().services.reconciliation.payment(100);
        pass(60_000);
      }
      expect(await statusNow()).toBe('expired');
    },

    /** At most `most`, at least a cent. */
    async refundHere(fact: Fact, most: number): Promise<void> {
      const amount = random.between(1, most);
      const made = await client.post(`/v1/payments/${String(fact.paymentId)}/refunds`, {
        amount: amount / 100,
      });
      expect([made.status, fact.provider, fact.fault, made.body]).toEqual([
        201,
        fact.provider,
        fact.fault,
        made.body,
      ]);
      for (const refund of fact.charge.refunds) refund.status = 'completed';
      await query(databaseUrl, "UPDATE refund SET next_check_at = $1 WHERE status = 'pending'", [now()]);
      await node().services.reconciliation.refund(100);
      fact.returned += amount;
      fact.changedAt = now();
      fact.events.push('refund_completed');
    },

    /** Given back in the bank's panel, or taken by MED. */
    leaveAtBank(fact: Fact, amount: number): void {
      const isMed = fact.provider === 'bacen' && random.happens(0.5);
      const refundId = randomBytes(16).toString('hex');
      const isNamed = fact.provider !== 'asaas';
      fact.charge.refunds.push({
        refundId: isNamed ? refundId : '',
        reference: fact.provider === 'bacen' ? `D${refundId.slice(1)}` : String(random.between(1e9, 9e9)),
        endToEndId: fact.pix.endToEndId,
        amountInCents: cents(amount),
        status: 'completed',
        createdAt: now(),
        ...(isMed && { reason: 'MED_FRAUDE' }),
      });
      fact.returned += amount;
      fact.changedAt = now();
      if (fact.paymentId !== null && fact.fault !== 'amount_given_back') fact.events.push('payment_reversed');
    },
  };
}

export type Money = ReturnType<typeof createMoney>;
