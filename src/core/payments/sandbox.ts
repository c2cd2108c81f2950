import { badRequest, notFound, ServiceError } from '../base/errors.ts';
import { isUuid, transactionIdOf } from '../base/ids.ts';
import { pixPayerOf } from './rules/pix-payer.ts';
import { type Payment, receivedOf } from './rules/payment.ts';
import { problem } from '../base/problems/rules.ts';
import { throwProviderError } from '../providers/psps.ts';
import type { SandboxAccount } from '../sandbox/rules/sandbox-account.ts';
import { type Cents, cents, centsFromReais, reaisFromCents } from '../base/money.ts';
import {
  sandboxCloseDisputeSchema,
  sandboxDebitSchema,
  sandboxDisputeSchema,
  sandboxPaySchema,
  type SandboxPix,
  sandboxPixSchema,
  sandboxReverseSchema,
} from './rules/sandbox-inputs.ts';
import type { Database } from '../../database/database.ts';
import { findPayments } from './store/payments.ts';
import { findChosenAttempt } from './store/charge-attempts.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { allWithoutNulls, parse, withoutNulls } from '../base/parsing/parse.ts';
import type { NotificationService } from '../settlement/notifications/psp-notifications.ts';
import type { PayerViews } from '../audit/payer-views.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { CheckoutLinks } from '../checkout/links/checkout-links.ts';
import { paymentView, type PaymentView } from './views/payment-view.ts';
import type { UnmatchedPix } from '../settlement/recording/unmatched-pix.ts';
import type { Settlement } from '../settlement/settlement.ts';

/** Simulates the payer at the built-in PSP. Test mode only. */
export interface SandboxService {
  /** Pays what is owed today or another amount, possibly late or twice; the notification takes the same path as any PSP's. */
  pay(caller: Caller, id: string, body: unknown): Promise<PaymentView>;
  /** Sets the expiry of a pending payment to now. */
  expire(caller: Caller, id: string): Promise<PaymentView>;
  /** Takes money from a paid payment, by default all that is left, as the special refund mechanism would. */
  reverse(caller: Caller, id: string, body: unknown): Promise<PaymentView>;
  /** Disputes money of a paid payment, by default all that is left. */
  dispute(caller: Caller, id: string, body: unknown): Promise<PaymentView>;
  closeDispute(caller: Caller, id: string, body: unknown): Promise<PaymentView>;
  /** Receives money that belongs to no payment, as when somebody pays the key directly. */
  receive(caller: Caller, body: unknown): Promise<SandboxPix>;
  /** Has the payer's bank answer a pending debit at once. */
  answerDebit(caller: Caller, id: string, body: unknown): Promise<PaymentView>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  payerViews: Pick<PayerViews, 'show'>;
  links: Pick<CheckoutLinks, 'withCheckout'>;
  sandbox: Omit<SandboxAccount, 'adapter' | 'statementOf'>;
  notifications: Pick<NotificationService, 'receiveFromSandbox'>;
  settlement: Settlement;
  unmatchedPix: Pick<UnmatchedPix, 'tellOfSandbox'>;
  testClocks: Pick<TestClocks, 'nowIn'>;
}

export function createSandboxService({
  db,
  audit,
  payerViews,
  links,
  sandbox,
  notifications,
  settlement,
  unmatchedPix,
  testClocks,
}: Dependencies): SandboxService {
  function assertInSandbox(caller: Caller): void {
    assertMay(caller, 'payments:simulate');
    if (caller.mode !== 'test')
      throw new ServiceError('test_mode_only', 'The sandbox accepts test keys only');
  }

  async function testPayment(caller: Caller, id: string): Promise<Payment> {
    assertInSandbox(caller);
    const { organizationId, mode } = caller;
    const [payment] = isUuid(id)
      ? await findPayments(db, [{ organizationId, mode, id: id.toLowerCase() }])
      : [];
    if (!payment) throw notFound('Payment', id);
    return payment;
  }

  async function transactionOf({ id, status }: Payment, verb: string): Promise<string> {
    const attempt = await findChosenAttempt(db, id);
    if (!attempt)
      throw new ServiceError('payment_not_payable', `A payment that is ${status} cannot be ${verb}`);
    return transactionIdOf(attempt.id);
  }

  async function shown(caller: Caller, id: string): Promise<PaymentView> {
    const view = paymentView(await testPayment(caller, id));
    return payerViews.show(caller, links.withCheckout(view, caller.organizationId));
  }

  /** Does at the PSP what somebody else would do, then processes the PSP's notification. */
  async function simulate(
    caller: Caller,
    payment: Payment,
    transactionId: string,
    act: () => Promise<string>,
  ): Promise<PaymentView> {
    // Recorded first, because no transaction of ours covers what happens at a PSP.
    await audit.record(db, caller, 'payment.simulate', payment.id);
    await notifications.receiveFromSandbox(await act(), [transactionId], caller.traceparent);
    return shown(caller, payment.id);
  }

  async function paidPayment(caller: Caller, id: string, verb: string) {
    const payment = await testPayment(caller, id);
    if (payment.status !== 'completed') {
      throw new ServiceError(
        'payment_not_reversible',
        `A payment that is ${payment.status} cannot be ${verb}`,
      );
    }
    return { payment, transactionId: await transactionOf(payment, verb) };
  }

  /** `amount` in BRL, by default what is left. */
  function amountOf(payment: Payment, amount: number | undefined): Cents {
    const left = cents(receivedOf(payment) - payment.refundedInCents);
    const chosen = (amount !== undefined && centsFromReais(amount)) || left;
    if (chosen <= left) return chosen;
    throw badRequest(
      `amount must be at most ${reaisFromCents(left)}, what is left of the payment`,
      problem('amount', 'maximum', { maximum: reaisFromCents(left) }),
    );
  }

  return {
    async pay(caller, id, body) {
      const { amount, payer } = parse(sandboxPaySchema, allWithoutNulls(body ?? {}));
      const payment = await testPayment(caller, id);
      const transactionId = await transactionOf(payment, 'paid');
      const amountInCents = amount === undefined ? undefined : centsFromReais(amount);
      return simulate(caller, payment, transactionId, () =>
        sandbox.pay(caller.organizationId, transactionId, {
          amountInCents,
          payer: payer && pixPayerOf(payer),
          at: testClocks.nowIn(caller),
        }),
      );
    },

    async reverse(caller, id, body) {
      const { payment, transactionId } = await paidPayment(caller, id, 'reversed');
      const { amount, reason } = parse(sandboxReverseSchema, withoutNulls(body ?? {}));
      const amountInCents = amountOf(payment, amount);
      return simulate(caller, payment, transactionId, () =>
        sandbox.reverse(transactionId, { amountInCents, reason }),
      );
    },

    async dispute(caller, id, body) {
      const { payment, transactionId } = await paidPayment(caller, id, 'disputed');
      const { amount, defenceHours, afterDefence } = parse(sandboxDisputeSchema, withoutNulls(body ?? {}));
      const amountInCents = amountOf(payment, amount);
      if (payment.disputed)
        throw new ServiceError('dispute_not_open', 'The payment has an open dispute already');
      const hoursMs = (defenceHours ?? 0) * 3_600_000;
      const openedAt = testClocks.nowIn(caller);
      const defenceUntil = hoursMs > 0 ? new Date(openedAt.getTime() + hoursMs) : null;
      const dispute = { amountInCents, openedAt, defenceUntil, afterDefence: afterDefence ?? null };
      return simulate(caller, payment, transactionId, () => sandbox.dispute(transactionId, dispute));
    },

    async closeDispute(caller, id, body) {
      const payment = await testPayment(caller, id);
      const { outcome } = parse(sandboxCloseDisputeSchema, withoutNulls(body ?? {}));
      const noneIsOpen = () => new ServiceError('dispute_not_open', 'The payment has no open dispute');
      if (!payment.disputed) throw noneIsOpen();
      const transactionId = await transactionOf(payment, 'disputed');
      return simulate(caller, payment, transactionId, async () => {
        const notification = await sandbox.closeDispute(transactionId, outcome);
        if (notification === undefined) throw noneIsOpen();
        return notification;
      });
    },

    async answerDebit(caller, id, body) {
      const payment = await testPayment(caller, id);
      const { outcome } = parse(sandboxDebitSchema, withoutNulls(body));
      if (!payment.debit || payment.status !== 'pending')
        throw new ServiceError('payment_not_pending', 'Only a pending debit of a recurrence can be answered');
      const transactionId = await transactionOf(payment, 'debited');
      return simulate(caller, payment, transactionId, () =>
        sandbox.answerDebit(transactionId, outcome, testClocks.nowIn(caller)).catch(throwProviderError),
      );
    },

    async receive(caller, body) {
      assertInSandbox(caller);
      const { amount } = parse(sandboxPixSchema, withoutNulls(body ?? {}));
      const amountInCents = centsFromReais(amount) ?? cents(0);
      const pix = await sandbox.receive(caller.organizationId, amountInCents);
      await unmatchedPix.tellOfSandbox(caller.organizationId, pix);
      return { endToEndId: pix.endToEndId, amount, receivedAt: pix.receivedAt.toISOString() };
    },

    async expire(caller, id) {
      const notPending = (status: string) =>
        new ServiceError('payment_not_pending', `A payment that is ${status} cannot be expired`);
      const payment = await testPayment(caller, id);
      if (payment.status !== 'pending') throw notPending(payment.status);
      await sandbox.expire(await transactionOf(payment, 'expired'), testClocks.nowIn(caller));
      await settlement.checkPayment(payment.id);
      const view = await shown(caller, id);
      // Somebody has paid or cancelled it meanwhile.
      if (view.status !== 'expired') throw notPending(view.status);
      return view;
    },
  };
}
