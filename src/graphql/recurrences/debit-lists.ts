import { Arg, Ctx, Field, Float, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { encodeCursor } from '../../core/payments/views/payment-cursor.ts';
import type { UpcomingDebitView } from '../../core/recurrences/debit-lists.ts';
import { After, type Connection, connectionOf, connectionType, First } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { forSignedInUsers } from '../base/descriptions.ts';
import { PaymentConnection, PaymentType } from '../payments/payment-types.ts';
import { Recurrence } from './recurrence-types.ts';

const names = { limit: 'first', cursor: 'after' };

@ObjectType({ description: 'The debits of a day that is to come.', simpleResolvers: true })
class DebitDay {
  @Field(() => String, { description: 'The day, `YYYY-MM-DD`, in São Paulo.' })
  on!: string;

  @Field(() => Int, { description: 'How many there are.' })
  count!: number;

  @Field(() => Float, { description: 'What they come to, in BRL.' })
  amount!: number;

  @Field(() => Boolean, { description: 'Whether there may be more than are counted.' })
  isAtLeast!: boolean;
}

@ObjectType({ description: 'A debit that is to come.', simpleResolvers: true })
class UpcomingDebit {
  @Field(() => Float, { description: 'What it comes to, in BRL.' })
  amount!: number;

  @Field(() => Recurrence, { description: 'What the payer has permitted.' })
  recurrence!: Recurrence;

  @Field(() => PaymentType, {
    nullable: true,
    description: 'The payment; null until the service has sent it.',
  })
  payment?: PaymentType | undefined;
}

const UpcomingDebitConnection = connectionType(UpcomingDebit, {
  name: 'UpcomingDebit',
  nouns: 'debits that are to come',
  order: 'those of the newest recurrences first',
});

@Resolver()
export class DebitListResolver {
  @Query(() => [DebitDay], {
    description: `The days of the next four weeks on which recurrences are debited, in order. Debits that you make yourself are known once you have. ${forSignedInUsers}`,
  })
  upcomingDebitDays(@Ctx() { caller, services }: GraphqlContext): Promise<DebitDay[]> {
    return services.debitLists.days(caller);
  }

  @Query(() => UpcomingDebitConnection, {
    description: `The debits of one of these days, those of the newest recurrences first. ${forSignedInUsers}`,
  })
  async upcomingDebits(
    @Arg('on', () => String, { description: 'The day, `YYYY-MM-DD`.' }) on: string,
    @First() first: number,
    @After() after: string | null | undefined,
    @Ctx() { reader, caller, services }: GraphqlContext,
  ): Promise<Connection<UpcomingDebit>> {
    const page = await reader.read(
      'first',
      () => services.debitLists.upcoming(caller, { on, limit: first, cursor: after }, names),
      ({ data }) => data,
    );
    const edges = page.data.map((node: UpcomingDebitView) => ({
      node,
      cursor: encodeCursor(node.recurrence.id),
    }));
    return connectionOf<UpcomingDebit>(edges, { after, hasNextPage: page.nextCursor !== undefined });
  }

  @Query(() => PaymentConnection, {
    description: `Debits of recurrences that failed, for good or until they are tried again, newest first. ${forSignedInUsers}`,
  })
  async failedDebits(
    @First() first: number,
    @After() after: string | null | undefined,
    @Arg('ourFault', () => Boolean, {
      nullable: true,
      description: 'Only those that were sent too late, or not as the scheme asks.',
    })
    ourFault: boolean | null | undefined,
    @Ctx() { reader, caller, services }: GraphqlContext,
  ): Promise<Connection<PaymentType>> {
    const page = await reader.read(
      'first',
      () => services.debitLists.failed(caller, { limit: first, cursor: after, ourFault }, names),
      ({ data }) => data,
    );
    const edges = page.data.map((node) => ({ node, cursor: encodeCursor(node.id) }));
    return connectionOf<PaymentType>(edges, { after, hasNextPage: page.nextCursor !== undefined });
  }
}
