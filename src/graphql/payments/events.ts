import { GraphQLSafeInt } from 'graphql-scalars';
import {
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
import { endpointEventTypes, type EventType } from '../../core/events/rules/events.ts';
import { paymentViewSchema } from '../../core/payments/views/payment-view.ts';
import { eventSchema } from '../../core/events/events.ts';
import { After, type Connection, connectionOf, connectionType, First } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf } from '../base/descriptions.ts';
import { PaymentSnapshot, PreviousTerms } from './payment-types.ts';
import { DisputeType, RefundType, ReversalType } from './refund-types.ts';

const event = descriptionsOf(eventSchema);

export const eventTypeEnum = Object.fromEntries(endpointEventTypes.map((type) => [type, type]));

registerEnumType(eventTypeEnum, {
  name: 'EventType',
  description: 'Type of an event, the same as in webhooks.',
  valuesConfig: {
    payment_updated: {
      description: 'Amount, terms, description or metadata were changed.',
    },
    payment_scheduled: { description: 'The payer’s bank has taken the debit of a recurrence, for its day.' },
    payment_debit_failed: {
      description: 'A debit of a recurrence failed on its day; `debit` says why and what follows.',
    },
    recurrence_activated: {
      description: 'A payer has permitted the recurrence; only for endpoints that list it.',
    },
    recurrence_rejected: {
      description: 'The payer has refused the recurrence; only for endpoints that list it.',
    },
    recurrence_cancelled: {
      description: 'The recurrence was ended by the payer, a bank or you; only for endpoints that list it.',
    },
    recurrence_expired: {
      description:
        'Nobody permitted the recurrence in time, or its last day has passed; only for endpoints that list it.',
    },
    unmatched_pix_received: {
      description: 'A Pix that belongs to no payment was received; only for endpoints that list it.',
    },
    payment_completed: { description: 'The payment was paid.' },
    payment_overdue: {
      description: 'Its due date has passed, and its provider knew of no Pix. It can still be paid.',
    },
    payment_expired: { description: 'The payment expired unpaid.' },
    payment_cancelled: { description: 'The payment was cancelled.' },
    payment_refunded: { description: 'The payment was refunded in full.' },
    payment_duplicated: {
      description:
        'More than one Pix was received, or one of another amount; the surplus should be refunded.',
    },
    refund_completed: { description: 'A refund, full or partial, reached the payer.' },
    refund_failed: { description: 'A refund failed; no money was returned.' },
    payment_reversed: {
      description: 'Money of the payment left again other than through a refund made here.',
    },
    payment_disputed: { description: 'A dispute about the payment was opened.' },
    payment_dispute_deadline: { description: 'The deadline of an open dispute is near.' },
    payment_dispute_closed: { description: 'A dispute about the payment was decided.' },
    ops_alert_opened: { description: 'Something needs attention; only for endpoints that list it.' },
    ops_alert_closed: { description: 'What needed attention is over; only for endpoints that list it.' },
  },
});

@ObjectType('Event', { description: 'Something that happened to a payment.', simpleResolvers: true })
export class EventObject {
  @Field(() => ID, { description: event.id })
  id!: string;

  @Field(() => eventTypeEnum, { description: event.type })
  type!: EventType;

  @Field(() => GraphQLDateTime, { description: event.createdAt })
  createdAt!: string;

  @Field(() => GraphQLSafeInt, { description: event.sequence })
  sequence!: number;

  @Field(() => Int, { description: event.epoch })
  epoch!: number;

  @Field(() => PaymentSnapshot, { description: event.data })
  data!: PaymentSnapshot;

  @Field(() => RefundType, { nullable: true, description: event.refund })
  refund?: RefundType;

  @Field(() => ReversalType, { nullable: true, description: event.reversal })
  reversal?: ReversalType;

  @Field(() => DisputeType, { nullable: true, description: event.dispute })
  dispute?: DisputeType;

  @Field(() => PreviousTerms, { nullable: true, description: event.previous })
  previous?: PreviousTerms;
}

const EventConnection = connectionType(EventObject, {
  name: 'Event',
  nouns: 'events',
  order: 'oldest first',
  cursor: 'Sequence of the event.',
});

@Resolver(() => PaymentSnapshot)
export class PaymentSnapshotResolver {
  @FieldResolver(() => ID, { description: descriptionsOf(paymentViewSchema).id })
  paymentId(@Root() { id }: PaymentSnapshot): string {
    return id;
  }
}

@Resolver()
export class EventResolver {
  @Query(() => EventConnection, {
    description: 'Events, oldest first.',
  })
  async events(
    @First() first: number,
    @After() after: string | null | undefined,
    @Ctx() { reader, caller, services }: GraphqlContext,
  ): Promise<Connection<EventObject>> {
    const page = await reader.read(
      'first',
      () => services.events.list(caller, { after, limit: first }, { limit: 'first' }),
      ({ bodies }) => bodies,
    );
    const edges = page.bodies.map((body, index) => ({
      node: services.events.read(caller, body),
      cursor: page.sequences[index] ?? '',
    }));
    return connectionOf<EventObject>(edges, { after, hasNextPage: page.nextCursor !== undefined });
  }
}
