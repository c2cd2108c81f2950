import { GraphQLDateTime, GraphQLSafeInt } from 'graphql-scalars';
import { Arg, Ctx, Field, ID, Int, ObjectType, Query, registerEnumType, Resolver } from 'type-graphql';
import { eventTypes, type EventType } from '../domain/events.ts';
import type { EventView } from '../services/events.ts';
import type { GraphqlContext } from './context.ts';
import { PageInfo, PaymentType } from './payment-types.ts';

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

  @Field(() => PaymentType, { description: 'The payment as it was then.' })
  data!: PaymentType;
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

@Resolver()
export class EventResolver {
  @Query(() => EventConnection, { description: 'The events of the caller in their order.' })
  async events(
    @Arg('first', () => Int, { defaultValue: 20, description: 'How many: 1 to 100.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: 'A cursor: the page starts after it.' })
    after: string | null | undefined,
    @Ctx() { caller, events }: GraphqlContext,
  ): Promise<EventConnection> {
    const page = await events.list(caller, { after, limit: first }, { limit: 'first' });
    const edges = page.bodies.map((body, index) => ({
      node: JSON.parse(body) as EventView,
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
