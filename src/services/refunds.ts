import { z } from 'zod';
import { nextUnknownCheck } from '../domain/check-schedule.ts';
import { badRequest, conflict, notFound } from '../domain/errors.ts';
import { isUuid, newId } from '../domain/ids.ts';
import { type Cents, centsFromReais, minimumAmountInReais, reaisFromCents } from '../domain/money.ts';
import { PspError } from '../domain/psp.ts';
import { type Refund, refundable, refunded } from '../domain/refund.ts';
import type { Logger } from '../observability/logger.ts';
import type { IdempotentOutcome } from '../persistence/charging.ts';
import type { Database } from '../persistence/database.ts';
import { settleIdempotencyKey } from '../persistence/idempotency-keys.ts';
import { findPayments } from '../persistence/payments.ts';
import {
  changePendingRefund,
  findRefund,
  insertRefund,
  listRefunds,
  type RefundChange,
  type RefundRow,
} from '../persistence/refunds.ts';
import { changePayment, findFirstReceivedPix, lockPayment } from '../persistence/settlement.ts';
import type { RecordAudit } from './audit.ts';
import { assertMay, type Caller } from './caller.ts';
import type { EventService } from './events.ts';
import type { Idempotency, IdempotentWork, Replayable } from './idempotency.ts';
import { parse, withoutNulls } from './parse.ts';
import { type Refunding, refundingTimeoutMs } from './refunding.ts';

/** As every interface shows it. */
export const refundViewSchema = z.object({
  id: z.uuid().meta({ description: 'Unique refund id.' }),
  paymentId: z.uuid().meta({ description: 'The payment that is refunded.' }),
  amount: z.number().meta({ description: 'Amount given back, in BRL.' }),
  status: z.enum(['pending', 'completed', 'failed']).meta({ description: 'What the provider says.' }),
  createdAt: z.iso.datetime().meta({ description: 'Creation instant.' }),
});

export type RefundView = z.output<typeof refundViewSchema>;

export const createRefundSchema = z.object(
  {
    amount: z
      .number({ error: 'must be a number' })
      .min(minimumAmountInReais, `must be at least ${minimumAmountInReais}`)
      .refine((value) => centsFromReais(value) !== undefined, 'must have at most two decimals')
      .optional()
      .meta({
        description: 'In BRL, with at most two decimals; what is left of the payment when left out.',
      }),
  },
  { error: 'must be a JSON object' },
);

export interface RefundService {
  /** Gives back `amount`, or what is left. Fails with a 409 when the payment is not completed. */
  create(
    caller: Caller,
    paymentId: string,
    body: unknown,
    idempotencyKey: string | undefined,
  ): Promise<Replayable<RefundView>>;
  /** Asks the provider about a refund whose outcome is not known, or sends it again. */
  settle(refundId: string): Promise<void>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  events: Pick<EventService, 'transact'>;
  refunding: Refunding;
  idempotency: Idempotency;
  now: () => Date;
  logger: Logger;
}

export const refundView = ({ id, paymentId, amountInCents, status, createdAt }: Refund): RefundView => ({
  id,
  paymentId,
  amount: reaisFromCents(amountInCents),
  status,
  createdAt: createdAt.toISOString(),
});

export function createRefundService(dependencies: Dependencies): RefundService {
  const { db, audit, events, refunding, idempotency, now, logger } = dependencies;

  async function existingPayment({ organizationId, mode }: Caller, id: string): Promise<string> {
    const [payment] = isUuid(id)
      ? await findPayments(db, [{ organizationId, mode, id: id.toLowerCase() }])
      : [];
    if (!payment) throw notFound('Payment', id);
    return payment.id;
  }

  /**
   * Decided and stored under the lock of the payment, before the provider is asked. A refund that another
   * holder of the key has begun stays as it is.
   */
  function begin(
    caller: Caller,
    refundId: string,
    paymentId: string,
    requested: Cents | undefined,
  ): Promise<{ refund: RefundRow; isNew: boolean }> {
    return db.$transaction(async (tx) => {
      const payment = await lockPayment(tx, paymentId);
      const begun = await findRefund(tx, refundId);
      if (begun) return { refund: begun, isNew: false };
      const received = payment && (await findFirstReceivedPix(tx, payment));
      if (payment?.status !== 'completed' || !received) {
        throw conflict(`A payment that is ${payment?.status ?? 'unknown'} cannot be refunded`);
      }
      const left = refundable(payment.amountInCents, await listRefunds(tx, paymentId));
      const amountInCents = requested ?? left;
      if (left === 0n) throw conflict('The whole amount is being refunded already');
      if (amountInCents > left) {
        throw badRequest(`amount must be at most ${reaisFromCents(left)}, which is what is left`);
      }
      const createdAt = now();
      const refund: RefundRow = {
        id: refundId,
        paymentId,
        ...received,
        amountInCents,
        status: 'pending',
        createdAt,
        sentAt: createdAt,
        pspReference: null,
        nextCheckAt: new Date(createdAt.getTime() + refundingTimeoutMs * 2),
      };
      await insertRefund(tx, refund);
      const amount = reaisFromCents(amountInCents);
      await audit.record(tx, caller, 'payment.refund', paymentId, { refundId, amount });
      return { refund, isNew: true };
    });
  }

  /** Not to know is to stay pending; only a definite no is a failure, and final. */
  async function outcomeOf(refund: RefundRow, isNew: boolean): Promise<RefundChange> {
    const again: RefundChange = { status: 'pending', nextCheckAt: nextUnknownCheck(refund.createdAt, now()) };
    try {
      const { status, reference } = await refunding.refund(refund, isNew ? null : refund.sentAt);
      const isOpen = status === 'pending' || status === 'unrecognised';
      return {
        ...(isOpen ? again : { status, nextCheckAt: null }),
        ...(reference !== null && { pspReference: reference }),
      };
    } catch (error) {
      if (!(error instanceof PspError)) throw error;
      logger.warn({ refundId: refund.id, outcome: error.failure, reason: error.message }, 'refund not done');
      const isDefinite = error.failure === 'rejected' || error.failure === 'rejected_payer';
      return isDefinite ? { status: 'failed', nextCheckAt: null } : again;
    }
  }

  async function work(
    refund: RefundRow,
    isNew: boolean,
    idempotent: (view: RefundView) => IdempotentOutcome | null,
  ): Promise<RefundView> {
    const outcome = refund.status === 'pending' ? await outcomeOf(refund, isNew) : undefined;
    return events.transact(async (tx, change) => {
      const payment = await lockPayment(tx, refund.paymentId);
      if (outcome) await changePendingRefund(tx, refund.id, outcome);
      const refunds = await listRefunds(tx, refund.paymentId);
      const status = refunds.find(({ id }) => id === refund.id)?.status ?? refund.status;
      const refundedInCents = refunded(refunds);
      // Not by `change`: subscribers would be shown the payment as they know it.
      if (status === 'completed') await changePayment(tx, refund.paymentId, { refundedInCents });
      if (payment?.status === 'completed' && refundedInCents >= payment.amountInCents) {
        await change(payment, { status: 'refunded' });
        logger.info({ paymentId: payment.id, from: 'completed', to: 'refunded' }, 'payment settled');
      }
      const view = refundView({ ...refund, status });
      const stored = idempotent(view);
      if (stored) await settleIdempotencyKey(tx, stored);
      return view;
    });
  }

  async function createOrResume(
    caller: Caller,
    paymentId: string,
    requested: Cents | undefined,
    claim: IdempotentWork,
  ) {
    const { refund, isNew } = await begin(caller, claim.subjectId, paymentId, requested);
    return work(refund, isNew, (view) => claim.succeeded(view));
  }

  return {
    async create(caller, id, body, idempotencyKey) {
      assertMay(caller, 'payments:refund');
      const { amount } = parse(createRefundSchema, withoutNulls(body ?? {}));
      const paymentId = await existingPayment(caller, id);
      const request = { operation: 'refund', input: { paymentId, amount }, subjectId: newId(now()) };
      const requested = amount === undefined ? undefined : centsFromReais(amount);
      return idempotency.run(caller, idempotencyKey, request, (claim) =>
        createOrResume(caller, paymentId, requested, claim),
      );
    },

    async settle(refundId) {
      const refund = await findRefund(db, refundId);
      if (refund?.status === 'pending') await work(refund, false, () => null);
    },
  };
}
