import { Arg, Ctx, Float, Mutation, Query, Resolver } from 'type-graphql';
import type { PaymentSort, SortOrder } from '../../core/payments/rules/payment.ts';
import { listPaymentsSchema } from '../../core/payments/views/list-payments-input.ts';
import { encodePlace, placeOf } from '../../core/payments/views/payment-cursor.ts';
import { createRefundSchema } from '../../core/refunds/refunds.ts';
import { After, type Connection, connectionOf, First, IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { descriptionsOf, forSignedInUsers } from '../base/descriptions.ts';
import { IdempotencyKey, keyOf, viewOf } from '../base/idempotency-key.ts';
import { CreatePaymentInput, PaymentFilter, UpdatePaymentInput } from './payment-inputs.ts';
import { orderEnum, sortEnum } from './payment-enums.ts';
import { PaymentConnection, PaymentTotals, PaymentType } from './payment-types.ts';
import { RefundType } from './refund-types.ts';

const lists = descriptionsOf(listPaymentsSchema);
const newRefund = descriptionsOf(createRefundSchema);

function conditionsOf(filter: PaymentFilter | null | undefined) {
  const { createdFrom, createdTo, paidFrom, paidTo, ...rest } = filter ?? {};
  const times = Object.entries({ createdFrom, createdTo, paidFrom, paidTo });
  return { ...rest, ...Object.fromEntries(times.map(([name, at]) => [name, at?.toISOString()])) };
}

@Resolver()
export class PaymentResolver {
  @Query(() => PaymentType, {
    nullable: true,
    description: 'A payment by id; null with a NOT_FOUND error if it does not exist.',
  })
  payment(@IdOf('Payment') id: string, @Ctx() context: GraphqlContext): Promise<PaymentType> {
    return context.services.payments.get(context.caller, id);
  }

  @Query(() => PaymentConnection, {
    description: 'Payments, newest first unless `sort` or `order` says otherwise.',
  })
  async payments(
    @Arg('filter', () => PaymentFilter, { nullable: true, description: 'Which payments to list.' })
    filter: PaymentFilter | null | undefined,
    @Arg('sort', () => sortEnum, { defaultValue: 'created', description: lists.sort })
    sort: PaymentSort,
    @Arg('order', () => orderEnum, { defaultValue: 'desc', description: lists.order })
    order: SortOrder,
    @First() first: number,
    @After() after: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<Connection<PaymentType>> {
    const query = { ...conditionsOf(filter), sort, order, limit: first, cursor: after };
    const names = { limit: 'first', cursor: 'after' };
    const page = await context.reader.read(
      'first',
      () => context.services.payments.list(context.caller, query, names),
      ({ data }) => data,
    );
    const edges = page.data.map((node) => {
      const place = placeOf(node, { sort, order });
      return { node, cursor: encodePlace(place, { sort, order }) };
    });
    return connectionOf<PaymentType>(edges, {
      after,
      hasNextPage: page.nextCursor !== undefined,
      endCursor: page.nextCursor,
    });
  }

  @Query(() => PaymentTotals, {
    description: `Number and amount of the payments that pass a filter. ${forSignedInUsers}`,
  })
  paymentTotals(
    @Arg('filter', () => PaymentFilter, { nullable: true, description: 'Which payments to count.' })
    filter: PaymentFilter | null | undefined,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<PaymentTotals> {
    return services.payments.totals(caller, conditionsOf(filter));
  }

  @Mutation(() => PaymentType, { description: 'Creates a PIX payment.' })
  async createPayment(
    @Arg('input', () => CreatePaymentInput, { description: 'The payment to create.' })
    input: CreatePaymentInput,
    @IdempotencyKey() idempotencyKey: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<PaymentType> {
    const created = await context.services.payments.create(
      context.caller,
      input,
      keyOf(idempotencyKey, context),
    );
    return viewOf(created, context);
  }

  @Mutation(() => PaymentType, {
    description:
      'Changes description and metadata; amount and terms while a payment with a due date is pending, at its provider too.',
  })
  async updatePayment(
    @IdOf('Payment') id: string,
    @Arg('input', () => UpdatePaymentInput, { description: 'What to change of the payment.' })
    input: UpdatePaymentInput,
    @IdempotencyKey() idempotencyKey: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<PaymentType> {
    const { caller, services } = context;
    const updated = await services.payments.update(caller, id, input, keyOf(idempotencyKey, context));
    return viewOf(updated, context);
  }

  @Mutation(() => PaymentType, { description: 'Cancels a pending payment.' })
  async cancelPayment(
    @IdOf('Payment') id: string,
    @IdempotencyKey() idempotencyKey: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<PaymentType> {
    const cancelled = await context.services.payments.cancel(
      context.caller,
      id,
      keyOf(idempotencyKey, context),
    );
    return viewOf(cancelled, context);
  }

  @Mutation(() => RefundType, { description: 'Refunds a completed payment, in full or in part.' })
  async refundPayment(
    @IdOf('Payment') id: string,
    @Arg('amount', () => Float, { nullable: true, description: newRefund.amount })
    amount: number | null | undefined,
    @Arg('reason', () => String, { nullable: true, description: newRefund.reason })
    reason: string | null | undefined,
    @Arg('force', () => Boolean, { nullable: true, description: newRefund.force })
    force: boolean | null | undefined,
    @IdempotencyKey() idempotencyKey: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<RefundType> {
    const { caller, services } = context;
    const refund = await services.refunds.create(
      caller,
      id,
      { amount, reason, force },
      keyOf(idempotencyKey, context),
    );
    return viewOf(refund, context);
  }

  @Mutation(() => RefundType, {
    description:
      'Records what became of a refund that is pending with `no_outcome_from_provider`, as somebody saw at the provider. For owners.',
  })
  settleRefund(
    @IdOf('Refund', 'refundId') refundId: string,
    @Arg('isMade', () => Boolean, {
      description: 'Whether the money left. If not, the refund fails, and its amount can be refunded again.',
    })
    isMade: boolean,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<RefundType> {
    return services.refunds.settleByHand(caller, { refundId, isMade });
  }
}
