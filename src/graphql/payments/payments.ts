import { Arg, Ctx, Float, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { parseIdempotencyKey } from '../../services/idempotency.ts';
import { encodeCursor } from '../../services/payments/list-payments-input.ts';
import type { GraphqlContext } from '../context.ts';
import {
  CreatePaymentInput,
  PaymentConnection,
  PaymentFilter,
  PaymentType,
  RefundConnection,
  RefundType,
} from './payment-types.ts';

const idempotencyKeyDescription = 'As the Idempotency-Key header, before which it goes.';

/** An argument that is null counts as absent. */
const keyOf = (argument: string | null | undefined, context: GraphqlContext): string | undefined =>
  typeof argument === 'string' ? parseIdempotencyKey(argument) : context.idempotencyKey;

@Resolver()
export class PaymentResolver {
  @Query(() => PaymentType, {
    nullable: true,
    description: 'One payment of the caller; null with a NOT_FOUND error when there is none.',
  })
  payment(
    @Arg('id', () => ID, { description: 'Payment id.' }) id: string,
    @Ctx() context: GraphqlContext,
  ): Promise<PaymentType> {
    return context.payments.get(context.caller, id);
  }

  @Query(() => PaymentConnection, { description: 'The payments of the caller, newest first.' })
  async payments(
    @Arg('filter', () => PaymentFilter, { nullable: true, description: 'Which payments.' })
    filter: PaymentFilter | null | undefined,
    @Arg('first', () => Int, { defaultValue: 20, description: 'How many: 1 to 100.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: 'A cursor: the page starts after it.' })
    after: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<PaymentConnection> {
    const query = {
      status: filter?.status,
      externalId: filter?.externalId,
      concern: filter?.concern,
      createdFrom: filter?.createdFrom?.toISOString(),
      createdTo: filter?.createdTo?.toISOString(),
      limit: first,
      cursor: after,
    };
    const names = { limit: 'first', cursor: 'after' };
    const page = await context.answer.read(
      'first',
      () => context.payments.list(context.caller, query, names),
      ({ data }) => data,
    );
    const edges = page.data.map((node) => ({ node, cursor: encodeCursor(node.id) }));
    return {
      edges,
      pageInfo: {
        hasNextPage: page.nextCursor !== undefined,
        hasPreviousPage: typeof after === 'string',
        startCursor: edges.at(0)?.cursor,
        endCursor: edges.at(-1)?.cursor,
      },
    };
  }

  @Query(() => RefundConnection, { description: 'The refunds of a payment in the order of creation.' })
  async refunds(
    @Arg('paymentId', () => ID, { description: 'Payment id.' }) paymentId: string,
    @Arg('first', () => Int, { defaultValue: 20, description: 'How many: 1 to 100.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: 'A cursor: the page starts after it.' })
    after: string | null | undefined,
    @Ctx() { caller, refunds }: GraphqlContext,
  ): Promise<RefundConnection> {
    const names = { limit: 'first', cursor: 'after' };
    const page = await refunds.list(caller, paymentId, { limit: first, cursor: after }, names);
    const edges = page.data.map((node) => ({ node, cursor: encodeCursor(node.id) }));
    return {
      edges,
      pageInfo: {
        hasNextPage: page.nextCursor !== undefined,
        hasPreviousPage: typeof after === 'string',
        startCursor: edges.at(0)?.cursor,
        endCursor: edges.at(-1)?.cursor,
      },
    };
  }

  @Mutation(() => PaymentType, { description: 'Creates a PIX payment.' })
  async createPayment(
    @Arg('input', () => CreatePaymentInput, { description: 'The payment to create.' })
    input: CreatePaymentInput,
    @Arg('idempotencyKey', () => String, { nullable: true, description: idempotencyKeyDescription })
    idempotencyKey: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<PaymentType> {
    const created = await context.payments.create(context.caller, input, keyOf(idempotencyKey, context));
    return created.view;
  }

  @Mutation(() => PaymentType, { description: 'Cancels a pending payment.' })
  async cancelPayment(
    @Arg('id', () => ID, { description: 'Payment id.' }) id: string,
    @Arg('idempotencyKey', () => String, { nullable: true, description: idempotencyKeyDescription })
    idempotencyKey: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<PaymentType> {
    const cancelled = await context.payments.cancel(context.caller, id, keyOf(idempotencyKey, context));
    return cancelled.view;
  }

  @Mutation(() => RefundType, {
    description: 'Gives back the amount of a completed payment, or a part of it.',
  })
  async refundPayment(
    @Arg('id', () => ID, { description: 'Payment id.' }) id: string,
    @Arg('amount', () => Float, { nullable: true, description: 'In BRL; what is left when left out.' })
    amount: number | null | undefined,
    @Arg('idempotencyKey', () => String, { nullable: true, description: idempotencyKeyDescription })
    idempotencyKey: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<RefundType> {
    const { caller, refunds } = context;
    const refund = await refunds.create(caller, id, { amount }, keyOf(idempotencyKey, context));
    return refund.view;
  }
}
