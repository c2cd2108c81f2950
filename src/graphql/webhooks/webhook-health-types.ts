import { Field, ID, Int, ObjectType } from 'type-graphql';
import { countedFailures } from '../../core/webhooks/rules/webhook.ts';
import { endpointTestSchema } from '../../core/webhooks/views/webhook-endpoint-view.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf } from '../base/descriptions.ts';

/** How many requests were accepted. */
@ObjectType({ simpleResolvers: true })
class AttemptCounts {
  @Field(() => Int, { description: 'Number of requests, retries included.' })
  attempts!: number;

  @Field(() => Int, { description: 'Number of these that the endpoint answered with 2xx.' })
  succeeded!: number;
}

/** Fields shared by a period and its hours. */
@ObjectType({ simpleResolvers: true })
class AttemptSums extends AttemptCounts {
  @Field(() => Int, {
    nullable: true,
    description: 'Median duration of the requests in milliseconds, within 19 %; null without any.',
  })
  medianLatencyMs!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Duration in milliseconds that 95 % of the requests kept below, within 19 %; null without any.',
  })
  p95LatencyMs!: number | null;
}

@ObjectType({ description: 'The requests to a webhook endpoint of an hour.', simpleResolvers: true })
class WebhookHour extends AttemptSums {
  @Field(() => GraphQLDateTime, { description: 'Start of the hour.' })
  start!: Date;
}

@ObjectType({ description: 'How the requests to a webhook endpoint went.', simpleResolvers: true })
export class WebhookEndpointHealth extends AttemptSums {
  @Field(() => Int, {
    description: 'Deliveries that were tried and have not arrived, however old; counted up to 1,000.',
  })
  undelivered!: number;

  @Field(() => [WebhookHour], { description: 'Consecutive hours, the last of them the current one.' })
  hours!: WebhookHour[];
}

const outcome = descriptionsOf(endpointTestSchema);

/** How a request went. */
@ObjectType({ simpleResolvers: true })
export class OutcomeFields {
  @Field(() => Int, { nullable: true, description: 'Status of the response; null if there was none.' })
  statusCode!: number | null;

  @Field(() => String, { nullable: true, description: outcome.error })
  error!: string | null;
}

@ObjectType({ description: 'The latest request to a webhook endpoint.', simpleResolvers: true })
class LastWebhookAttempt extends OutcomeFields {
  @Field(() => GraphQLDateTime, { description: 'When it was sent.' })
  startedAt!: Date;
}

@ObjectType({ description: 'Deliveries that failed for the same reason.', simpleResolvers: true })
class WebhookFailureCause extends OutcomeFields {
  @Field(() => Int, { description: 'Number of these deliveries.' })
  count!: number;
}

@ObjectType({ description: 'Requests to a webhook endpoint within 24 hours.', simpleResolvers: true })
class WebhookDay extends AttemptCounts {
  @Field(() => GraphQLDateTime, { description: 'Start of the 24 hours.' })
  start!: Date;
}

@ObjectType({
  description: 'How a webhook endpoint is doing: its requests of the last 24 hours, and what failed.',
  simpleResolvers: true,
})
export class WebhookEndpointSummary extends AttemptCounts {
  @Field(() => ID, { description: 'Which endpoint it is about.' })
  endpointId!: string;

  @Field(() => [WebhookDay], {
    description: 'The last seven times 24 hours, the last of which are those of the summary itself.',
  })
  days!: WebhookDay[];

  @Field(() => LastWebhookAttempt, { nullable: true, description: 'The latest request.' })
  lastAttempt!: LastWebhookAttempt | null;

  @Field(() => [WebhookFailureCause], {
    description: `Why the newest undelivered deliveries failed, by their last attempt, most frequent first; ${countedFailures} are counted.`,
  })
  failures!: WebhookFailureCause[];
}
