import { GraphQLSafeInt } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { EndpointEventType } from '../../core/events/rules/events.ts';
import type { DeliveryState } from '../../core/webhooks/rules/webhook.ts';
import { eventSchema } from '../../core/events/events.ts';
import {
  endpointChangeSchema,
  endpointTestSchema,
  endpointWithSecretSchema,
  newEndpointSchema,
} from '../../core/webhooks/views/webhook-endpoint-view.ts';
import { connectionType } from '../base/connection.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf } from '../base/descriptions.ts';
import { eventTypeEnum } from '../payments/events.ts';
import { OutcomeFields } from './webhook-health-types.ts';

const event = descriptionsOf(eventSchema);
const endpoint = descriptionsOf(endpointWithSecretSchema);
const attempt = descriptionsOf(endpointTestSchema);
const newEndpoint = descriptionsOf(newEndpointSchema);
const changed = descriptionsOf(endpointChangeSchema);

const deliveryStatusEnum = { pending: 'pending', delivered: 'delivered', exhausted: 'exhausted' } as const;

registerEnumType(deliveryStatusEnum, {
  name: 'WebhookDeliveryStatus',
  description: 'Status of a webhook delivery.',
  valuesConfig: {
    pending: { description: 'Scheduled, for the first time or for a retry.' },
    delivered: { description: 'The endpoint returned 2xx.' },
    exhausted: { description: 'Every attempt failed; there are no more retries.' },
  },
});

const deliveryStateEnum = {
  queued: 'queued',
  retrying: 'retrying',
  exhausted: 'exhausted',
  undelivered: 'undelivered',
  delivered: 'delivered',
} as const satisfies Record<DeliveryState, DeliveryState>;

registerEnumType(deliveryStateEnum, {
  name: 'WebhookDeliveryState',
  description: 'Where a webhook delivery stands.',
  valuesConfig: {
    queued: { description: 'Not tried yet.' },
    retrying: { description: 'Tried without success; it is tried again.' },
    exhausted: { description: 'Tried without success; it is not tried again.' },
    undelivered: { description: '`retrying` or `exhausted`.' },
    delivered: { description: 'Accepted with 2xx.' },
  },
});

@InputType({ description: 'Which webhook deliveries to list.' })
export class WebhookDeliveryFilter {
  @Field(() => deliveryStateEnum, { nullable: true, description: 'Only deliveries in this state.' })
  state?: DeliveryState;

  @Field(() => eventTypeEnum, { nullable: true, description: 'Only events of this type.' })
  eventType?: EndpointEventType;

  @Field(() => Int, {
    nullable: true,
    description: 'Only undelivered ones whose last attempt got a response with this status.',
  })
  statusCode?: number;

  @Field(() => String, {
    nullable: true,
    description: 'Only undelivered ones whose last attempt got no response for this reason.',
  })
  error?: string;
}

@ObjectType({ description: 'An endpoint that webhooks are sent to.', simpleResolvers: true })
export class WebhookEndpoint {
  @Field(() => ID, { description: endpoint.id })
  id!: string;

  @Field(() => String, { nullable: true, description: endpoint.name })
  name?: string | undefined;

  @Field(() => String, { description: endpoint.url })
  url!: string;

  @Field(() => [eventTypeEnum], { description: endpoint.events })
  events!: EndpointEventType[];

  @Field(() => Boolean, { description: endpoint.enabled })
  enabled!: boolean;

  @Field(() => String, { nullable: true, description: endpoint.disabledReason })
  disabledReason?: string | undefined;

  @Field(() => GraphQLDateTime, { nullable: true, description: endpoint.failingSince })
  failingSince?: string | undefined;

  @Field(() => GraphQLDateTime, { nullable: true, description: endpoint.rotatingUntil })
  rotatingUntil?: string | undefined;

  @Field(() => Boolean, { description: endpoint.isTest })
  isTest!: boolean;

  @Field(() => GraphQLDateTime, { description: endpoint.createdAt })
  createdAt!: string;
}

@ObjectType({ description: 'A webhook endpoint with its new signing secret.', simpleResolvers: true })
export class WebhookEndpointWithSecret {
  @Field(() => WebhookEndpoint, { description: 'The endpoint.' })
  endpoint!: WebhookEndpoint;

  @Field(() => String, { description: endpoint.secret })
  secret!: string;
}

@InputType({ description: 'A webhook endpoint to create.' })
export class CreateWebhookEndpointInput {
  @Field(() => String, { nullable: true, description: newEndpoint.name })
  name?: string;

  @Field(() => String, { description: newEndpoint.url })
  url!: string;

  @Field(() => [eventTypeEnum], { nullable: true, description: newEndpoint.events })
  events?: EndpointEventType[];
}

@InputType({ description: 'Changes to a webhook endpoint; omitted fields keep their value.' })
export class UpdateWebhookEndpointInput {
  @Field(() => String, { nullable: true, description: changed.name })
  name?: string;

  @Field(() => String, { nullable: true, description: changed.url })
  url?: string;

  @Field(() => [eventTypeEnum], { nullable: true, description: changed.events })
  events?: EndpointEventType[];
}

@ObjectType({ description: 'A header of a request or a response.', simpleResolvers: true })
export class HttpHeader {
  @Field(() => String, { description: 'Name in lower case.' })
  name!: string;

  @Field(() => String, { description: 'Value.' })
  value!: string;
}

@ObjectType({ description: 'A request to a webhook endpoint.', simpleResolvers: true })
export class WebhookAttempt extends OutcomeFields {
  @Field(() => String, {
    nullable: true,
    description: 'First two kilobytes of the response; null for members who may not see payers.',
  })
  answer!: string | null;

  @Field(() => [HttpHeader], {
    nullable: true,
    description:
      'Headers of the response that tell who responded and why; null without any, and for members who may not see payers.',
  })
  responseHeaders!: HttpHeader[] | null;

  @Field(() => Int, { description: attempt.latencyMs })
  latencyMs!: number;

  @Field(() => GraphQLDateTime, { description: 'When the request was sent.' })
  startedAt!: Date;
}

@ObjectType({ description: 'The delivery of an event to a webhook endpoint.', simpleResolvers: true })
export class WebhookDelivery {
  @Field(() => ID, { description: 'Unique delivery id.' })
  id!: string;

  @Field(() => ID, { description: 'The receiving endpoint.' })
  endpointId!: string;

  @Field(() => ID, { description: event.id })
  eventId!: string;

  @Field(() => eventTypeEnum, { description: event.type })
  eventType!: EndpointEventType;

  @Field(() => GraphQLSafeInt, { description: event.sequence })
  eventSequence!: number;

  @Field(() => String, {
    description: event.sequence,
    deprecationReason: 'Use eventSequence: it is a number, as in events.',
  })
  sequence!: string;

  @Field(() => ID, {
    description: 'The payment that the event is about; of an event of operations, its alert.',
  })
  paymentId!: string;

  @Field(() => deliveryStatusEnum, { description: 'Delivery status.' })
  status!: keyof typeof deliveryStatusEnum;

  @Field(() => Int, { description: 'Number of scheduled attempts so far.' })
  attemptCount!: number;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'Next attempt; null if there will be none.' })
  nextAttemptAt!: Date | null;

  @Field(() => GraphQLDateTime, { description: 'When the delivery was created.' })
  createdAt!: Date;

  @Field(() => [WebhookAttempt], { description: 'Latest attempts, at most 50, oldest first.' })
  attempts!: WebhookAttempt[];
}

@ObjectType({
  description: 'The request that would be sent for a delivery now, to repeat it by hand.',
  simpleResolvers: true,
})
export class WebhookRequest {
  @Field(() => String, { description: 'Method: POST.' })
  method!: string;

  @Field(() => String, { description: 'Current URL of the endpoint.' })
  url!: string;

  @Field(() => [HttpHeader], {
    description: 'Headers, with a signature made now for members who may manage webhooks.',
  })
  headers!: HttpHeader[];

  @Field(() => String, { description: 'Body; without payer data for members who may not see payers.' })
  body!: string;
}

export const WebhookDeliveryConnection = connectionType(WebhookDelivery, {
  name: 'WebhookDelivery',
  nouns: 'webhook deliveries',
  order: 'latest events first',
});
