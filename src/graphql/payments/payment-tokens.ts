import { Ctx, Field, ObjectType, Query, Resolver } from 'type-graphql';
import { paymentTokenSchema } from '../../core/live/payment-tokens.ts';
import { IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf } from '../base/descriptions.ts';

const token = descriptionsOf(paymentTokenSchema);

@ObjectType('PaymentToken', {
  description: "Gives a payer's browser access to a single payment.",
  simpleResolvers: true,
})
class PaymentTokenType {
  @Field(() => String, { description: token.token })
  token!: string;

  @Field(() => GraphQLDateTime, { description: token.expiresAt })
  expiresAt!: string;
}

@Resolver()
export class PaymentTokenResolver {
  @Query(() => PaymentTokenType, { description: "A token for the payer's browser." })
  paymentToken(
    @IdOf('Payment') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<PaymentTokenType> {
    return services.paymentTokens.create(caller, id);
  }
}
