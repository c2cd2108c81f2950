import { z } from 'zod';
import { dueAgain, lostRequestMs, nextUnknownCheck } from '../settlement/rules/check-schedule.ts';
import { notFound } from '../base/errors.ts';
import { isUuid, newId } from '../base/ids.ts';
import { centsFromReais, maximumAmountInReais, minimumAmountInReais } from '../base/money.ts';
import { breaks, broken } from '../base/problems/rules.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import { isOverdue, refundStartedAt, refundFailureOf } from './rules/refund.ts';
import type { Logger } from '../../observability/logger.ts';
import type { IdempotentOutcome } from '../idempotency/rules/key-holder.ts';
import type { Database } from '../../database/database.ts';
import { storeIdempotentOutcome } from '../idempotency/store/idempotency-keys.ts';
import { findPayments } from '../payments/store/payments.ts';
import { findRefund, listWholeRefunds, type RefundChange, type RefundRow } from './store/refunds.ts';
import type { ApprovalGate, GuardedChange } from '../people/approvals/approval-gate.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { createBeginRefund, type RequestedRefund } from './begin-refund.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import type { ChangePayments } from '../events/change-payments.ts';
import type { Idempotency, IdempotentWork, Replayable } from '../idempotency/idempotency.ts';
import {
  textSchema,
  type FieldNames,
  parse,
  reaisSchema,
  withKnownMembers,
  withoutNulls,
} from '../base/parsing/parse.ts';
import { decodeCursor, encodeCursor } from '../payments/views/payment-cursor.ts';
import { createInTurn } from '../base/pacing/in-turn.ts';
import { createRefundApproval, type RefundToApprove } from './refund-approval.ts';
import {
  listRefundsSchema,
  type RefundPage,
  refundView,
  type RefundView,
  withoutReason,
} from './views/refund-view.ts';
import type { RefundSender } from './send-refund.ts';
import { createSettleByHand, type SeenOutcome } from './settle-by-hand.ts';
import { settleRefund } from './settle-refund.ts';

/** Has no maximum: more than is left fails as `refund_exceeds_amount`, however much it is. JSON's 1e400 is no amount at all. */
const amountSchema = reaisSchema(minimumAmountInReais, Infinity).refine(
  Number.isFinite,
  breaks(`must be at most ${maximumAmountInReais}`, broken('maximum', { maximum: maximumAmountInReais })),
);

/** Strict, because with a misspelt `amount` everything would be refunded. */
export const createRefundSchema = z.strictObject(
  {
    amount: amountSchema.optional().meta({
      ...amountSchema.meta(),
      maximum: undefined,
      description: 'Amount in BRL, with at most two decimals. Defaults to the remaining refundable amount.',
    }),
    reason: textSchema(255).optional().meta({
      description:
        'Why the payment is refunded, for the payer and your own records: banks of the API Pix show the first 140 characters to the payer, so does Woovi as a comment. Other providers are not told.',
    }),
    force: z.boolean({ error: 'must be true or false' }).optional().meta({
      description: 'Refund although a dispute is open, so that the money may leave twice. For owners.',
    }),
  },
  withKnownMembers,
);

export interface RefundService {
  guarded: {
    'payment.refund': GuardedChange<RefundToApprove, RefundRow>;
    'payment.settle_refund': GuardedChange<SeenOutcome, RefundRow>;
  };
  /**
   * Refunds `amount`, by default what is left. Fails with `payment_not_refundable` when the payment is not
   * completed. A refund that needs approval stays pending and `awaitingApproval`.
   */
  create(
    caller: Caller,
    paymentId: string,
    body: unknown,
    idempotencyKey: string | undefined,
  ): Promise<Replayable<RefundView>>;
  /** Refunds of a payment, oldest first. `names` maps query fields to the transport's names. */
  list(caller: Caller, paymentId: string, query: unknown, names?: FieldNames): Promise<RefundPage>;
  /** Records what somebody saw of a refund that is pending with `no_outcome_from_provider`. */
  settleByHand(caller: Caller, outcome: SeenOutcome): Promise<RefundView>;
  /** Looks up a refund whose outcome is unknown at the provider, or sends it again. */
  check(refundId: string): Promise<void>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  changePayments: ChangePayments;
  gate: Pick<ApprovalGate, 'ask' | 'pass'>;
  refundSender: RefundSender;
  idempotency: Idempotency;
  now: () => Date;
  logger: Logger;
}

export function createRefundService(dependencies: Dependencies): RefundService {
  const { db, audit, changePayments, gate, refundSender, idempotency, now, logger } = dependencies;
  const approval = createRefundApproval({ audit, now });
  const begin = createBeginRefund({ db, audit, gate, approval, now });
  const byHand = createSettleByHand({ audit, now });
  const inTurn = createInTurn();

  async function existingPayment({ organizationId, mode }: Caller, id: string): Promise<string> {
    const [payment] = isUuid(id)
      ? await findPayments(db, [{ organizationId, mode, id: id.toLowerCase() }])
      : [];
    if (!payment) throw notFound('Payment', id);
    return payment.id;
  }

  /** An unknown outcome leaves the refund pending. Only a definite refusal is a failure, which is final. */
  async function outcomeOf(refund: RefundRow, isNew: boolean): Promise<RefundChange> {
    const tryLater = (retryAfterMs: number | null): RefundChange => {
      const next = nextUnknownCheck(refundStartedAt(refund), now());
      // From then on, a refusal is definite.
      const certainAt = new Date(refund.sentAt.getTime() + lostRequestMs);
      const scheduled = certainAt > now() && certainAt < next ? certainAt : next;
      return {
        status: 'pending',
        nextCheckAt: dueAgain(scheduled, retryAfterMs, now()),
        ...(isOverdue(refund, now()) && { pendingReason: 'no_outcome_from_provider' }),
      };
    };
    try {
      const sent = await refundSender.refund(refund, isNew ? null : refund.sentAt);
      const { status, reference, needsAuthorization = false } = sent;
      const isOpen = status === 'pending' || status === 'unrecognised';
      return {
        pendingReason: null,
        ...(isOpen ? tryLater(null) : { status, nextCheckAt: null }),
        ...(isOpen && needsAuthorization && { pendingReason: 'authorization_at_provider' as const }),
        ...(status === 'failed' && { failureReason: refundFailureOf(undefined) }),
        ...(reference !== null && { pspReference: reference }),
      };
    } catch (error) {
      if (!(error instanceof PspError)) throw error;
      logger.warn({ refundId: refund.id, outcome: error.failure, reason: error.message }, 'refund failed');
      const isDefinite = error.failure === 'rejected' || error.failure === 'rejected_payer';
      if (!isDefinite) return tryLater(error.retryAfterMs);
      return {
        status: 'failed',
        failureReason: refundFailureOf(error.message),
        pendingReason: null,
        nextCheckAt: null,
      };
    }
  }

  /** Sends the refund if that is due, and records the outcome. */
  async function sendAndRecord(
    begun: RefundRow,
    isNew: boolean,
    idempotent: (view: RefundView) => IdempotentOutcome | null,
  ): Promise<RefundView> {
    const isDue = begun.status === 'pending' && !begun.awaitingApproval;
    const outcome = isDue ? await outcomeOf(begun, isNew) : undefined;
    const record = () =>
      changePayments(async (tx, change) => {
        const { refund, isSettled } = await settleRefund(tx, change, begun, outcome, now());
        const { id: refundId, paymentId, status } = refund;
        if (isSettled) logger.info({ paymentId, refundId, status }, 'refund settled');
        const view = refundView(refund);
        const stored = idempotent(view);
        if (stored) await storeIdempotentOutcome(tx, stored);
        return view;
      });
    return inTurn(begun.paymentId, record);
  }

  async function createOrResume(
    caller: Caller,
    paymentId: string,
    requested: RequestedRefund,
    claim: IdempotentWork,
  ) {
    const { refund, isNew } = await inTurn(paymentId, () => begin(caller, claim, paymentId, requested));
    if (isNew && refund.awaitingApproval) return refundView(refund);
    return sendAndRecord(refund, isNew, (view) => claim.outcomeOf(withoutReason(view)));
  }

  return {
    guarded: {
      'payment.settle_refund': byHand,
      'payment.refund': {
        ...approval,
        // On failure, the refund worker takes over.
        follow: (approved) =>
          sendAndRecord(approved, true, () => null).then(
            () => undefined,
            (error: unknown) => {
              logger.error({ refundId: approved.id, error }, 'approved refund not sent yet');
            },
          ),
      },
    },

    async create(caller, id, body, idempotencyKey) {
      assertMay(caller, 'payments:refund');
      const { amount, reason, force = false } = parse(createRefundSchema, withoutNulls(body ?? {}));
      if (force) assertMay(caller, 'refunds:force');
      const paymentId = await existingPayment(caller, id);
      // Keys of an earlier release have an input without it.
      const input = { paymentId, amount, reason, ...(force && { force }) };
      const request = { operation: 'refund', input, subjectId: newId(now()) };
      const amountInCents = amount === undefined ? undefined : centsFromReais(amount);
      const requested = { amountInCents, reason: reason?.trim() || null, forced: force };
      const { view, replayed } = await idempotency.run(caller, idempotencyKey, request, (claim) =>
        createOrResume(caller, paymentId, requested, claim),
      );
      // Not the stored response: a pending refund may have been settled since.
      const current = replayed ? await findRefund(db, view.id) : undefined;
      return { view: current ? refundView(current) : view, replayed };
    },

    async list(caller, id, query, names = {}) {
      assertMay(caller, 'payments:read');
      const { limit, cursor } = parse(listRefundsSchema, withoutNulls(query), names);
      const afterId = cursor === undefined ? undefined : decodeCursor(cursor, names['cursor'] ?? 'cursor');
      const paymentId = await existingPayment(caller, id);
      const found = await listWholeRefunds(db, paymentId, { afterId, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        data: page.map(refundView),
        ...(found.length > limit && last && { nextCursor: encodeCursor(last.id) }),
      };
    },

    async settleByHand(caller, outcome) {
      assertMay(caller, 'refunds:settle');
      return refundView(await gate.pass(caller, byHand, outcome));
    },

    async check(refundId) {
      const refund = await findRefund(db, refundId);
      if (refund?.status === 'pending') await sendAndRecord(refund, false, () => null);
    },
  };
}
