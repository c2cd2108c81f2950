import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { EventType } from '../../domain/events.ts';
import { eventTypeEnum } from '../payments/events.ts';
import { PageInfo } from '../payments/payment-types.ts';

const deliveryStatusEnum = { pending: 'pending', delivered: 'delivered', exhausted: 'exhausted' } as const;

registerEnumType(deliveryStatusEnum, {
  name: 'WebhookDeliveryStatus',
  description: 'The states of a delivery.',
  valuesConfig: {
    pending: { description: 'Will be sent, or sent again.' },
    delivered: { description: 'The endpoint answered 2xx.' },
    exhausted: { description: 'Every attempt failed.' },
  },
});

@ObjectType({ description: 'Where webhooks are sent.', simpleResolvers: true })
export class WebhookEndpoint {
  @Field(() => ID, { description: 'Unique endpoint id.' })
  id!: string;

  @Field(() => String, { description: 'Where it is reached.' })
  url!: string;

  @Field(() => [eventTypeEnum], { description: 'The events that it gets; none: all of them.' })
  events!: EventType[];

  @Field(() => Boolean, { description: 'Whether webhooks are sent to it.' })
  enabled!: boolean;

  @Field(() => String, { nullable: true, description: 'Why the service disabled it.' })
  disabledReason!: string | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'The first failure since the last success.',
  })
  failingSince!: Date | null;

  @Field(() => GraphQLDateTime, { description: 'Creation instant.' })
  createdAt!: Date;
}

@ObjectType({ description: 'An endpoint with its new secret.', simpleResolvers: true })
export class WebhookEndpointWithSecret {
  @Field(() => WebhookEndpoint, { description: 'The endpoint.' })
  endpoint!: WebhookEndpoint;

  @Field(() => String, { description: 'What its webhooks are signed with: shown this once.' })
  secret!: string;
}

@InputType({ description: 'A new endpoint.' })
export class CreateWebhookEndpointInput {
  @Field(() => String, { description: 'An https URL on the public internet; http too in test mode.' })
  url!: string;

  @Field(() => [eventTypeEnum], { nullable: true, description: 'All of them when left out.' })
  events?: EventType[];
}

@InputType({ description: 'What is left out stays as it is.' })
export class UpdateWebhookEndpointInput {
  @Field(() => String, { nullable: true, description: 'Where it is reached.' })
  url?: string;

  @Field(() => [eventTypeEnum], { nullable: true, description: 'The events that it gets; none: all.' })
  events?: EventType[];
}

@ObjectType({ description: 'One request to an endpoint.', simpleResolvers: true })
export class WebhookAttempt {
  @Field(() => Int, { nullable: true, description: 'Null when there was no answer.' })
  statusCode!: number | null;

  @Field(() => String, { nullable: true, description: 'Why there was no answer.' })
  error!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The first kilobyte of the answer, for who may see payers.',
  })
  answer!: string | null;

  @Field(() => Int, { description: 'How long it took, in milliseconds.' })
  latencyMs!: number;

  @Field(() => GraphQLDateTime, { description: 'When it was sent.' })
  startedAt!: Date;
}

@ObjectType({ description: 'An event on its way to an endpoint.', simpleResolvers: true })
export class WebhookDelivery {
  @Field(() => ID, { description: 'Unique delivery id.' })
  id!: string;

  @Field(() => ID, { description: 'Where it goes.' })
  endpointId!: string;

  @Field(() => ID, { description: 'The event, also the `webhook-id`.' })
  eventId!: string;

  @Field(() => eventTypeEnum, { description: 'What happened.' })
  eventType!: EventType;

  @Field(() => String, { description: 'The sequence of the event.' })
  sequence!: string;

  @Field(() => ID, { description: 'The payment that it is about.' })
  paymentId!: string;

  @Field(() => deliveryStatusEnum, { description: 'What became of it.' })
  status!: keyof typeof deliveryStatusEnum;

  @Field(() => Int, { description: 'Attempts of its schedule so far.' })
  attemptCount!: number;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'Null when nothing more will be sent.' })
  nextAttemptAt!: Date | null;

  @Field(() => GraphQLDateTime, { description: 'Creation instant.' })
  createdAt!: Date;

  @Field(() => [WebhookAttempt], { description: 'The latest attempts, at most 50, the first one first.' })
  attempts!: WebhookAttempt[];
}

@ObjectType({ description: 'A delivery in a list.', simpleResolvers: true })
class WebhookDeliveryEdge {
  @Field(() => WebhookDelivery, { description: 'The delivery.' })
  node!: WebhookDelivery;

  @Field(() => String, { description: 'Opaque place in the list.' })
  cursor!: string;
}

@ObjectType({ description: 'A page of deliveries, the latest events first.', simpleResolvers: true })
export class WebhookDeliveryConnection {
  @Field(() => [WebhookDeliveryEdge], { description: 'The deliveries with their cursors.' })
  edges!: WebhookDeliveryEdge[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;
}
