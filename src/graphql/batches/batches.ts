import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { IdempotencyKey, keyOf } from '../base/idempotency-key.ts';
import { CreatePaymentBatchInput, PaymentBatch } from './batch-types.ts';

@Resolver()
export class PaymentBatchResolver {
  @Query(() => PaymentBatch, {
    nullable: true,
    description: 'A batch of payments by id; null with a NOT_FOUND error if it does not exist.',
  })
  paymentBatch(
    @IdOf('Payment batch') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<PaymentBatch> {
    return services.batches.get(caller, id);
  }

  @Mutation(() => PaymentBatch, { description: 'Creates many payments, or instalments of one.' })
  async createPaymentBatch(
    @Arg('input', () => CreatePaymentBatchInput, { description: 'The payments to create.' })
    input: CreatePaymentBatchInput,
    @IdempotencyKey() idempotencyKey: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<PaymentBatch> {
    const { caller, services } = context;
    const { view } = await services.batches.create(caller, input, keyOf(idempotencyKey, context));
    return services.batches.get(caller, view.id);
  }
}
