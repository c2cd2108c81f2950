import { Field, Int, ObjectType } from 'type-graphql';
import { GraphQLDateTime } from '../base/date-time.ts';

/** Fields shared by a period and its hours. */
@ObjectType({ simpleResolvers: true })
class AttemptSums {
  @Field(() => Int, { description: 'Number of requests, retries included.' })
  attempts!: number;

  @Field(() => Int, { description: 'Number of these that the endpoint answered with 2xx.' })
  succeeded!: number;

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
