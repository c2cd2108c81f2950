import { notFound, ServiceError } from '../../domain/errors.ts';
import { isUuid, transactionIdOf } from '../../domain/ids.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { PspAdapter } from '../../domain/providers/psp.ts';
import type { Database } from '../../persistence/database.ts';
import { findPayments } from '../../persistence/payments/payments.ts';
import { findChosenAttempt } from '../../persistence/payments/settlement.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { NotificationService } from '../providers/psp-notifications.ts';
import type { PayerViews } from '../audit/payer-views.ts';
import { paymentView, type PaymentView } from './payment-view.ts';
import type { Settlement } from './settlement.ts';

/** Simulates the payer at the built-in PSP. Test mode only. */
export interface SandboxService {
  /** Pays, possibly late or twice; the notification takes the same path as any PSP's. */
  pay(caller: Caller, id: string): Promise<PaymentView>;
  /** Sets the expiry of a pending payment to now. */
  expire(caller: Caller, id: string): Promise<PaymentView>;
}

/** The built-in PSP, as seen by adapters and by its payer. */
export interface SandboxAccount {
  adapter: PspAdapter;
  /** Returns the notification that a PSP would send. */
  pay(transactionId: string): Promise<string>;
  expire(transactionId: string): Promise<void>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  payerViews: Pick<PayerViews, 'shown'>;
  sandbox: Pick<SandboxAccount, 'pay' | 'expire'>;
  notifications: Pick<NotificationService, 'receiveFromSandbox'>;
  settlement: Settlement;
}

export function createSandboxService({
  db,
  audit,
  payerViews,
  sandbox,
  notifications,
  settlement,
}: Dependencies): SandboxService {
  async function testPayment(caller: Caller, id: string): Promise<Payment> {
    assertMay(caller, 'payments:simulate');
    if (caller.mode !== 'test')
      throw new ServiceError('test_mode_only', 'The sandbox accepts test keys only');
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

  return {
    async pay(caller, id) {
      const payment = await testPayment(caller, id);
      const transactionId = await transactionOf(payment, 'paid');
      // Recorded first: what the payer does at a PSP is outside our transactions.
      await audit.record(db, caller, 'payment.simulate', payment.id);
      const body = await sandbox.pay(transactionId);
      await notifications.receiveFromSandbox(body, [transactionId]);
      return payerViews.shown(caller, paymentView(await testPayment(caller, id)));
    },

    async expire(caller, id) {
      const payment = await testPayment(caller, id);
      if (payment.status !== 'pending') {
        throw new ServiceError(
          'payment_not_pending',
          `A payment that is ${payment.status} cannot be expired`,
        );
      }
      await sandbox.expire(await transactionOf(payment, 'expired'));
      await settlement.refresh(payment.id);
      return payerViews.shown(caller, paymentView(await testPayment(caller, id)));
    },
  };
}
