import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { First, IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { listPaymentsSchema } from '../../core/payments/views/list-payments-input.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf, forSignedInUsers } from '../base/descriptions.ts';
import { PaymentDetail, Statistics } from './investigation-types.ts';
import { PaymentType } from '../payments/payment-types.ts';

const listDescriptions = descriptionsOf(listPaymentsSchema);

@Resolver()
export class InvestigationResolver {
  @Query(() => PaymentDetail, {
    nullable: true,
    description: `A payment with its full history. ${forSignedInUsers}`,
  })
  paymentDetail(
    @IdOf('Payment') id: string,
    @Ctx() { reader, caller, services }: GraphqlContext,
  ): Promise<PaymentDetail> {
    return reader.read(
      undefined,
      () => services.investigation.detail(caller, id),
      (detail) => [detail],
    );
  }

  @Query(() => [PaymentType], {
    description: `Payments that a search finds, newest first: the first page of \`payments\` with this \`search\`. ${forSignedInUsers}`,
  })
  searchPayments(
    @Arg('text', () => String, { description: listDescriptions.search }) text: string,
    @First() first: number,
    @Ctx() { reader, caller, services }: GraphqlContext,
  ): Promise<PaymentType[]> {
    return reader.read(
      'first',
      () => services.investigation.search(caller, text, first),
      (payments) => payments,
    );
  }

  @Query(() => GraphQLDateTime, {
    nullable: true,
    description: `Older payments are not yet found by name, e-mail address, phone number, code or the beginning of a text; null when there are none. ${forSignedInUsers}`,
  })
  searchableSince(@Ctx() { caller, services }: GraphqlContext): Promise<Date | null> {
    return services.investigation.searchableSince(caller);
  }

  @Query(() => Statistics, {
    description: `Statistics of the payments created in a period of at most 92 days. ${forSignedInUsers}`,
  })
  statistics(
    @Arg('from', () => GraphQLDateTime, { description: 'Start of the period, inclusive.' }) from: Date,
    @Arg('to', () => GraphQLDateTime, { description: 'End of the period, exclusive.' }) to: Date,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<Statistics> {
    return services.statistics.forPeriod(caller, from, to);
  }

  @Query(() => [Int], {
    description: `How many payments that were created in a period of at most 92 days have been paid, by hour: the first is the whole hour, in UTC, in which the period begins. ${forSignedInUsers}`,
  })
  paidByHour(
    @Arg('from', () => GraphQLDateTime, { description: 'Start of the hours, inclusive.' }) from: Date,
    @Arg('to', () => GraphQLDateTime, { description: 'End of the hours, exclusive.' }) to: Date,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<number[]> {
    return services.statistics.paidByHour(caller, from, to);
  }
}
