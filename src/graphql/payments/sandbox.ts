import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../context.ts';
import { CreatePaymentInput, PaymentType } from './payment-types.ts';

@Resolver()
export class SandboxResolver {
  @Mutation(() => PaymentType, { description: 'The payer pays. In test mode only.' })
  simulatePayment(
    @Arg('id', () => ID, { description: 'Payment id.' }) id: string,
    @Ctx() { caller, sandbox }: GraphqlContext,
  ): Promise<PaymentType> {
    return sandbox.pay(caller, id);
  }

  @Mutation(() => PaymentType, {
    description:
      'Creates a PIX payment to try the service out. For people who are signed in, in test mode only.',
  })
  async createTestPayment(
    @Arg('input', () => CreatePaymentInput, { description: 'The payment to create.' })
    input: CreatePaymentInput,
    @Ctx() { caller, payments, idempotencyKey }: GraphqlContext,
  ): Promise<PaymentType> {
    return (await payments.createTest(caller, input, idempotencyKey)).view;
  }
}
