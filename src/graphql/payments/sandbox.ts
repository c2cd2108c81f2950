import { Arg, Ctx, Field, Float, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { advanceClockSchema } from '../../core/clock/rules/advance.ts';
import { testClockSchema } from '../../core/settlement/reconciliation/advance-clock.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf } from '../base/descriptions.ts';
import { IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { CreatePaymentInput } from './payment-inputs.ts';
import { PaymentType } from './payment-types.ts';

const clock = descriptionsOf(testClockSchema);
const advance = descriptionsOf(advanceClockSchema);

@ObjectType({ description: 'The clock that test payments go by.', simpleResolvers: true })
class TestClock {
  @Field(() => GraphQLDateTime, { description: clock.now })
  now!: string;

  @Field(() => Boolean, { description: clock.isMoved })
  isMoved!: boolean;
}

@Resolver()
export class SandboxResolver {
  @Query(() => TestClock, { description: 'The clock of test mode. Test mode only.' })
  testClock(@Ctx() { caller, services }: GraphqlContext): Promise<TestClock> {
    return services.testClock.get(caller);
  }

  @Mutation(() => TestClock, {
    description:
      'Moves the clock of test mode forward: exactly one of advance and to. What falls due on the way happens first, in its order.',
  })
  advanceTestClock(
    @Arg('advance', () => String, { nullable: true, description: advance.advance })
    duration: string | undefined,
    @Arg('to', () => GraphQLDateTime, { nullable: true, description: advance.to })
    to: Date | undefined,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<TestClock> {
    return services.testClock.advance(caller, { advance: duration, to: to?.toISOString() });
  }

  @Mutation(() => TestClock, { description: 'Returns the clock of test mode to real time.' })
  resetTestClock(@Ctx() { caller, services }: GraphqlContext): Promise<TestClock> {
    return services.testClock.remove(caller);
  }

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
