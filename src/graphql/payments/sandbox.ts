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
    @Ctx() { caller, sandbox }: GraphqlContext,
  ): Promise<PaymentType> {
    return sandbox.pay(caller, id);
  }

  @Mutation(() => PaymentType, {
    description: 'Creates a test payment from the dashboard. Signed-in users only, in test mode only.',
  })
  async createTestPayment(
    @Arg('input', () => CreatePaymentInput, { description: 'The test payment to create.' })
    input: CreatePaymentInput,
    @Ctx() { caller, payments, idempotencyKey }: GraphqlContext,
  ): Promise<PaymentType> {
    return (await payments.createTest(caller, input, idempotencyKey)).view;
  }
}
