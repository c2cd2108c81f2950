import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../context.ts';

@ObjectType('PaymentToken', { description: "For a payer's browser.", simpleResolvers: true })
class PaymentTokenType {
  @Field(() => String, { description: 'For `Authorization: Bearer`.' })
  token!: string;

  @Field(() => GraphQLDateTime, { description: 'Ten minutes after the payment can be paid.' })
  expiresAt!: string;
}

@Resolver()
export class PaymentTokenResolver {
  @Query(() => PaymentTokenType, {
    description: "A token with which the payer's browser reads this payment and nothing else.",
  })
  paymentToken(
    @Arg('id', () => ID, { description: 'Payment id.' }) id: string,
    @Ctx() { caller, paymentTokens }: GraphqlContext,
  ): Promise<PaymentTokenType> {
    return paymentTokens.create(caller, id);
  }
}
