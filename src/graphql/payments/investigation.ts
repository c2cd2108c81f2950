import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../context.ts';
import { PaymentDetail, Statistics } from './investigation-types.ts';
import { PaymentType } from './payment-types.ts';

const forPeople = 'For people who are signed in.';

@Resolver()
export class InvestigationResolver {
  @Query(() => PaymentDetail, {
    nullable: true,
    description: `One payment with all that happened to it. ${forPeople}`,
  })
  paymentDetail(
    @Arg('id', () => ID, { description: 'Payment id.' }) id: string,
    @Ctx() { answer, caller, investigation }: GraphqlContext,
  ): Promise<PaymentDetail> {
    return answer.read(
      undefined,
      () => investigation.detail(caller, id),
      (detail) => [detail],
    );
  }

  @Query(() => [PaymentType], {
    description: `The latest payments with an id, external id, end-to-end id, payer's document or amount. ${forPeople}`,
  })
  searchPayments(
    @Arg('text', () => String, { description: 'What to look for, whole.' }) text: string,
    @Arg('first', () => Int, { defaultValue: 20, description: 'How many: 1 to 100.' }) first: number,
    @Ctx() { answer, caller, investigation }: GraphqlContext,
  ): Promise<PaymentType[]> {
    return answer.read(
      'first',
      () => investigation.search(caller, text, first),
      (payments) => payments,
    );
  }

  @Query(() => Statistics, {
    description: `Of the payments created in a time of at most 92 days. ${forPeople}`,
  })
  statistics(
    @Arg('from', () => GraphQLDateTime, { description: 'From this instant on.' }) from: Date,
    @Arg('to', () => GraphQLDateTime, { description: 'Before this instant.' }) to: Date,
    @Ctx() { caller, statistics }: GraphqlContext,
  ): Promise<Statistics> {
    return statistics.of(caller, from, to);
  }
}
