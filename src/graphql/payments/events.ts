import { GraphQLDateTime, GraphQLSafeInt } from 'graphql-scalars';
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { eventTypes, type EventType } from '../../domain/events.ts';
import type { GraphqlContext } from '../context.ts';
import { PageInfo, PaymentSnapshot, RefundType } from './payment-types.ts';

export const eventTypeEnum = Object.fromEntries(eventTypes.map((type) => [type, type]));

registerEnumType(eventTypeEnum, {
  name: 'EventType',
  description: 'What happens to payments, in the words of webhooks.',
  valuesConfig: {
    payment_completed: { description: 'The provider confirmed the Pix.' },
    payment_expired: { description: 'Nobody paid in time.' },
    payment_cancelled: { description: 'Cancelled by the caller.' },
    payment_refunded: { description: 'The whole amount was given back.' },
    payment_duplicated: { description: 'More than one Pix was received: one is to be refunded.' },
    refund_completed: { description: 'The money of a refund, in part or whole, was given back.' },
    refund_failed: { description: 'The money of a refund stayed: nothing was given back.' },
  },
});

@ObjectType('Event', { description: 'What happened to a payment.', simpleResolvers: true })
export class EventObject {
  @Field(() => ID, { description: 'Unique event id, also the `webhook-id`.' })
  id!: string;

  @Field(() => eventTypeEnum, { description: 'What happened.' })
  type!: EventType;

  @Field(() => GraphQLDateTime, { description: 'When it became true.' })
  createdAt!: string;

  @Field(() => GraphQLSafeInt, { description: 'Counts the events of the caller from 1, without gaps.' })
  sequence!: number;

  @Field(() => PaymentSnapshot, { description: 'The payment as it was then.' })
  data!: PaymentSnapshot;

  @Field(() => RefundType, { nullable: true, description: 'Of the events of refunds: the refund.' })
  refund?: RefundType;
}

@ObjectType({ description: 'An event in a list.', simpleResolvers: true })
class EventEdge {
  @Field(() => EventObject, { description: 'The event.' })
  node!: EventObject;

  @Field(() => String, { description: 'Place in the list: the sequence.' })
  cursor!: string;
}

@ObjectType({ description: 'A page of events, the oldest first.', simpleResolvers: true })
class EventConnection {
  @Field(() => [EventEdge], { description: 'The events with their cursors.' })
  edges!: EventEdge[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;
}

@Resolver(() => PaymentSnapshot)
export class PaymentSnapshotResolver {
  @FieldResolver(() => ID, { description: 'Unique payment id.' })
  paymentId(@Root() { id }: PaymentSnapshot): string {
    return id;
  }
}

@Resolver()
export class EventResolver {
  @Query(() => EventConnection, { description: 'The events of the caller in their order.' })
  async events(
    @Arg('first', () => Int, { defaultValue: 20, description: 'How many: 1 to 100.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: 'A cursor: the page starts after it.' })
    after: string | null | undefined,
    @Ctx() { answer, caller, events }: GraphqlContext,
  ): Promise<EventConnection> {
    const page = await answer.read(
      'first',
      () => events.list(caller, { after, limit: first }, { limit: 'first' }),
      ({ bodies }) => bodies,
    );
    const edges = page.bodies.map((body, index) => ({
      node: events.read(caller, body),
      cursor: page.sequences[index] ?? '',
    }));
    return {
      edges,
      pageInfo: {
        hasNextPage: page.nextCursor !== undefined,
        hasPreviousPage: typeof after === 'string',
        startCursor: edges.at(0)?.cursor,
        endCursor: edges.at(-1)?.cursor,
      },
    };
  }
}
