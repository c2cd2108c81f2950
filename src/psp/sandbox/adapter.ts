import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Cents, cents } from '../../core/base/money.ts';
import { endOfBrasiliaDay } from '../../core/base/time/brasilia.ts';
import { closingDayOf } from '../../core/payments/rules/due/due-terms.ts';
import { authorizations } from '../../core/recurrences/rules/recurrence.ts';
import type { ReversalReason } from '../../core/payments/rules/reversal.ts';
import type { ChargeRequest } from '../../core/providers/rules/charge.ts';
import { allTerms } from '../../core/providers/rules/due-support.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import type { SandboxAccount } from '../../core/sandbox/rules/sandbox-account.ts';
import type {
  NewSandboxCharge,
  SandboxCharge,
  SandboxPosition,
  SandboxStore,
} from '../../core/sandbox/rules/sandbox-store.ts';
import type { PspProvider } from '../kit/provider.ts';
import {
  chargeOf,
  cursorOf,
  newEndToEndId,
  notificationOf,
  owedAt,
  positionOf,
  statementPixOf,
} from './mapping.ts';
import { createSandboxRecurrences, debitChargeOf, mayCancelDebit } from './recurrences.ts';
import { createSandboxDisputes } from './disputes.ts';
import { sandboxScript } from './script.ts';

const statementPageSize = 500;

export const sandbox: PspProvider = {
  name: 'sandbox',
  about: { displayName: 'Sandbox', settings: {} },
  capabilities: {
    needsPayer: [],
    expiryMinutes: { minimum: 5, maximum: 43_200 },
    cancel: 'unpaid',
    refund: 'partial',
    refundIdRetentionHours: Infinity,
    webhookRegistration: 'none',
    due: allTerms,
    recurrences: authorizations,
    answers: { documents: 'optional', acceptance: true },
  },
  settingsSchema: z.strictObject({}, 'must be an object'),
  // Its codes cannot be paid, so a live payment would stay pending forever.
  connect() {
    throw new PspError('rejected', 'the sandbox accepts test keys only');
  },
  // The sandbox notifies within the process.
  notifications: { verify: () => false, charges: () => [] },
};

/** The built-in PSP for test keys. Nothing is paid automatically and nothing leaves the process. */
export function createSandbox({ store, now }: { store: SandboxStore; now: () => Date }): SandboxAccount {
  async function existing(transactionId: string): Promise<SandboxCharge> {
    const charge = await store.find(transactionId);
    if (!charge) throw new PspError('rejected', 'the sandbox has no such charge');
    return charge;
  }

  async function paidBy(transactionId: string) {
    const charge = await existing(transactionId);
    const [pix] = charge.pix;
    if (!pix) throw new PspError('rejected', 'the sandbox has no Pix of this charge');
    return { charge, notification: notificationOf(charge, pix) };
  }

  function newPosition(paidAt = now()): SandboxPosition {
    return { endToEndId: newEndToEndId(paidAt), paidAt };
  }

  const takeBack = (transactionId: string, reversal: { amountInCents: Cents; reason: ReversalReason }) =>
    store.reverse({ ...reversal, transactionId, reference: `D${randomUUID()}`, reversedAt: now() });

  const disputes = createSandboxDisputes(store, {
    takeBack: (transactionId, amountInCents) =>
      takeBack(transactionId, { amountInCents, reason: 'chargeback' }),
  });

  async function createCharge(request: ChargeRequest) {
    const { transactionId, amountInCents, expiresAt, createdAt, due } = request;
    // Like a bank, it takes a late Pix a business day longer than the terms say.
    const endsAt = due ? endOfBrasiliaDay(closingDayOf(due)) : expiresAt;
    const debit = request.debit
      ? { recurrence: request.debit.recurrence, days: [{ on: request.debit.dueOn }] }
      : null;
    const charge: NewSandboxCharge = {
      transactionId,
      amountInCents,
      expiresAt: endsAt,
      createdAt,
      due,
      debit,
    };
    const script = sandboxScript(request.metadata, request.position);
    if (script === 'reject') throw new PspError('rejected', 'the sandbox was scripted to reject');
    if (script === 'unavailable')
      throw new PspError('not_sent', 'the sandbox was scripted to be unavailable');
    if (script === 'timeout') throw new PspError('unknown', 'the sandbox was scripted to time out');
    await store.insert(charge);
    if (script === 'timeout_then_created') {
      throw new PspError('unknown', 'the sandbox was scripted to time out after it had created the charge');
    }
    const created = { cancelledAt: null, pix: [], reversals: [], disputes: [], ...charge };
    if (debit) return debitChargeOf({ ...created, debit }, now());
    return chargeOf({ cancelledAt: null, pix: [], reversals: [], disputes: [], ...charge }, now());
  }

  const recurrences = createSandboxRecurrences(store, { createCharge, now });
  const { createRecurrence, findRecurrence, cancelRecurrence, retryDebit } = recurrences;

  return {
    adapter: {
      capabilities: sandbox.capabilities,
      createCharge,
      createRecurrence,
      findRecurrence,
      cancelRecurrence,
      retryDebit,

      async findCharge({ transactionId, asOf = now() }) {
        const found = await store.find(transactionId);
        const charge =
          found && (await disputes.endOverdue(found, asOf)) ? await store.find(transactionId) : found;
        if (!charge?.debit) return charge && chargeOf(charge, asOf);
        const { debit } = charge;
        return debitChargeOf({ ...(await recurrences.settleDebit({ ...charge, debit }, asOf)), debit }, asOf);
      },

      async reviseCharge({ transactionId, amountInCents, due, asOf = now() }) {
        const charge = await existing(transactionId);
        if (chargeOf(charge, asOf).status !== 'active')
          throw new PspError('rejected', 'the sandbox changes no charge that has ended');
        const change = { amountInCents, due, expiresAt: endOfBrasiliaDay(closingDayOf(due)) };
        await store.change(transactionId, change);
        return chargeOf({ ...charge, ...change }, asOf);
      },

      async cancelCharge({ transactionId, asOf = now() }) {
        const charge = await existing(transactionId);
        const current = chargeOf(charge, asOf);
        if (current.status !== 'active') return current;
        if (charge.debit && !mayCancelDebit(charge.debit, asOf))
          throw new PspError('rejected', 'the debit can be cancelled until 22:00 of the day before');
        const cancelledAt = asOf;
        await store.change(transactionId, { cancelledAt });
        return chargeOf({ ...charge, cancelledAt }, asOf);
      },

      async refundCharge({ refundId, transactionId, endToEndId, amountInCents }) {
        if (!(await store.refund({ refundId, transactionId, endToEndId, amountInCents })))
          throw new PspError('rejected', 'the sandbox has less than that left');
        return { reference: refundId, status: 'completed' };
      },

      async findRefund({ refundId }) {
        const isThere = await store.hasRefund(refundId);
        return isThere ? { reference: refundId, status: 'completed' } : undefined;
      },

      async answerDispute(request) {
        await disputes.answer(await existing(request.transactionId), request);
      },
    },

    async pay(organizationId, transactionId, { amountInCents: amount, payer, at }) {
      const charge = await existing(transactionId);
      // What left is of the first Pix, before which no later one may come, whatever the clock of this node says.
      const laterMs = charge.pix.map(({ paidAt }) => paidAt.getTime() + 1);
      const position = newPosition(new Date(Math.max(at.getTime(), ...laterMs)));
      const pix = { ...position, amountInCents: amount ?? owedAt(charge, position.paidAt) };
      await store.pay({ organizationId, transactionId, ...pix, payer });
      return notificationOf(charge, pix);
    },

    approveRecurrence: recurrences.approve,
    endRecurrence: recurrences.end,

    async answerDebit(transactionId, outcome, at) {
      await recurrences.answer(transactionId, outcome, at);
      const charge = await existing(transactionId);
      return notificationOf(
        charge,
        charge.pix[0] ?? { ...newPosition(at), amountInCents: charge.amountInCents },
      );
    },

    async receive(organizationId, amountInCents) {
      const pix = { ...newPosition(), amountInCents };
      await store.payKey({ organizationId, ...pix });
      const sums = { returnedInCents: cents(0), reversedInCents: cents(0) };
      return { ...statementPixOf({ ...pix, ...sums, transactionId: null }), endToEndId: pix.endToEndId };
    },

    statementOf: (organizationId) => async (window, cursor) => {
      const page = { after: positionOf(cursor), limit: statementPageSize };
      const entries = await store.list(organizationId, window, page);
      const last = entries.length < statementPageSize ? undefined : entries.at(-1);
      return {
        pix: entries.map(statementPixOf),
        nextCursor: last ? cursorOf(last) : null,
        hasChanged: false,
      };
    },

    async expire(transactionId, expiresAt) {
      await existing(transactionId);
      await store.change(transactionId, { expiresAt });
    },

    async reverse(transactionId, reversal) {
      const { notification } = await paidBy(transactionId);
      await takeBack(transactionId, reversal);
      return notification;
    },

    async dispute(transactionId, dispute) {
      const { notification } = await paidBy(transactionId);
      await disputes.open(transactionId, dispute);
      return notification;
    },

    async closeDispute(transactionId, outcome) {
      const { charge, notification } = await paidBy(transactionId);
      return (await disputes.close(charge, outcome)) ? notification : undefined;
    },
  };
}
