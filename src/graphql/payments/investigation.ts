import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { First, IdOf } from '../connection.ts';
import type { GraphqlContext } from '../context.ts';
import { forSignedInUsers } from '../descriptions.ts';
import { PaymentDetail, Statistics } from './investigation-types.ts';
import { PaymentType } from './payment-types.ts';

@Resolver()
export class InvestigationResolver {
  @Query(() => PaymentDetail, {
    nullable: true,
    description: `A payment with its full history. ${forSignedInUsers}`,
  })
  paymentDetail(
    @IdOf('Payment') id: string,
    @Ctx() { reader, caller, investigation }: GraphqlContext,
  ): Promise<PaymentDetail> {
    return reader.read(
      undefined,
      () => investigation.detail(caller, id),
      (detail) => [detail],
    );
  }

  @Query(() => [PaymentType], {
    description: `Payments by id, external id, end-to-end id, payer document or amount, newest first. ${forSignedInUsers}`,
  })
  searchPayments(
    @Arg('text', () => String, { description: 'Search text; must match exactly.' }) text: string,
    @First() first: number,
    @Ctx() { reader, caller, investigation }: GraphqlContext,
  ): Promise<PaymentType[]> {
    return reader.read(
      'first',
      () => investigation.search(caller, text, first),
      (payments) => payments,
    );
  }

  @Query(() => Statistics, {
    description: `Statistics of the payments created in a period of at most 92 days. ${forSignedInUsers}`,
  })
  statistics(
    @Arg('from', () => GraphQLDateTime, { description: 'Start of the period, inclusive.' }) from: Date,
    @Arg('to', () => GraphQLDateTime, { description: 'End of the period, exclusive.' }) to: Date,
    @Ctx() { caller, statistics }: GraphqlContext,
  ): Promise<Statistics> {
    return statistics.of(caller, from, to);
  }
}
