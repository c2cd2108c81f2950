import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { CreatePaymentInput } from './payment-inputs.ts';
import { PaymentType } from './payment-types.ts';

@Resolver()
export class SandboxResolver {
  @Mutation(() => PaymentType, { description: 'Pays a test payment as its payer would. Test mode only.' })
  simulatePayment(
    @IdOf('Payment') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<PaymentType> {
    return services.sandbox.pay(caller, id);
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
