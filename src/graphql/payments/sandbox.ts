import { Arg, Ctx, Float, Mutation, Resolver } from 'type-graphql';
import { IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { CreatePaymentInput } from './payment-inputs.ts';
import { PaymentType } from './payment-types.ts';

@Resolver()
export class SandboxResolver {
  @Mutation(() => PaymentType, { description: 'Pays a test payment as its payer would. Test mode only.' })
  simulatePayment(
    @IdOf('Payment') id: string,
    @Arg('amount', () => Float, {
      nullable: true,
      description: 'Amount in BRL; defaults to what is owed today.',
    })
    amount: number | undefined,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<PaymentType> {
    return services.sandbox.pay(caller, id, { amount });
  }

  @Mutation(() => PaymentType, {
    description: 'Creates a test payment from the dashboard. Signed-in users only, in test mode only.',
  })
  async createTestPayment(
    @Arg('input', () => CreatePaymentInput, { description: 'The test payment to create.' })
    input: CreatePaymentInput,
    @Ctx() { caller, idempotencyKey, services }: GraphqlContext,
  ): Promise<PaymentType> {
    return (await services.payments.createTest(caller, input, idempotencyKey)).view;
  }
}
