import { Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { type CallOutcome, callOutcomes } from '../../core/health/rules/calls.ts';
import type { CheckReason } from '../../core/providers/rules/check-reasons.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { checkReasonEnum } from '../providers/credential-check.ts';

const callOutcomeEnum = Object.fromEntries(callOutcomes.map((each) => [each, each])) as {
  [Outcome in CallOutcome]: Outcome;
};

registerEnumType(callOutcomeEnum, {
  name: 'CallOutcome',
  description: 'How a call to a provider ended.',
  valuesConfig: {
    done: { description: 'As it should.' },
    refused: { description: 'The provider does not accept the credential, or it cannot be used.' },
    rejected: { description: 'The provider said no.' },
    rejected_payer: { description: "The provider said no because of the payer's data." },
    rate_limited: { description: 'The provider received too many requests (HTTP 429).' },
    not_yet: { description: 'The provider said no for now.' },
    not_sent: { description: 'The provider could not be reached.' },
    unknown: { description: 'The provider did not respond in time, or not in a way that can be understood.' },
  },
});

export const healthWindowEnum = { hour: 'hour', day: 'day', week: 'week' } as const;

registerEnumType(healthWindowEnum, {
  name: 'HealthWindow',
  description: 'A period that ends now.',
  valuesConfig: {
    hour: { description: 'The last hour.' },
    day: { description: 'The last 24 hours.' },
    week: { description: 'The last 7 days.' },
  },
});

@ObjectType({ description: 'How many calls ended like this.', simpleResolvers: true })
class OutcomeCount {
  @Field(() => callOutcomeEnum, { description: 'How they ended.' })
  outcome!: CallOutcome;

  @Field(() => Int, { description: 'Number of calls.' })
  count!: number;
}

/** Fields shared by every sum of calls. */
@ObjectType({ simpleResolvers: true })
class CallFields {
  @Field(() => Int, { description: 'Calls made, whatever came of them.' })
  calls!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Share of the calls that went as they should, from 0 to 1; null without any.',
  })
  successRate!: number | null;

  @Field(() => [OutcomeCount], {
    description: 'The calls by outcome; those that did not occur are left out.',
  })
  outcomes!: OutcomeCount[];

  @Field(() => Int, {
    nullable: true,
    description: 'Median duration of calls that reached the provider, within 9 %; null without any.',
  })
  p50Ms!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: '95th percentile of the duration of calls that reached the provider; null without any.',
  })
  p95Ms!: number | null;
}

@ObjectType({ description: 'The calls of one operation.', simpleResolvers: true })
class OperationCalls extends CallFields {
  @Field(() => String, { description: 'What the provider was called for, such as `createCharge`.' })
  operation!: string;
}

@ObjectType({ description: 'The calls of a period.', simpleResolvers: true })
class WindowCalls extends CallFields {
  @Field(() => [OperationCalls], { description: 'The same by operation.' })
  operations!: OperationCalls[];
}

@ObjectType({ description: 'The calls of a part of a period.', simpleResolvers: true })
export class CallBucket extends CallFields {
  @Field(() => GraphQLDateTime, { description: 'Start of the part.' })
  start!: Date;
}

@ObjectType({ description: 'The calls of 24 hours.', simpleResolvers: true })
class DayCalls {
  @Field(() => GraphQLDateTime, { description: 'Start of these 24 hours.' })
  start!: Date;

  @Field(() => Int, { description: 'Calls of the 24 hours, whatever came of them.' })
  calls!: number;

  @Field(() => Int, { description: 'Calls that went as they should.' })
  succeeded!: number;
}

@ObjectType({ description: 'A call to a provider that failed.', simpleResolvers: true })
class FailedCall {
  @Field(() => GraphQLDateTime, { description: 'When it failed.' })
  at!: Date;

  @Field(() => String, { description: 'What it was called for.' })
  operation!: string;

  @Field(() => callOutcomeEnum, { description: 'How it ended.' })
  outcome!: CallOutcome;

  @Field(() => checkReasonEnum, {
    nullable: true,
    description: 'Why; null for a reason that only newer versions know.',
  })
  reason!: CheckReason | null;

  @Field(() => String, { description: 'Why, in English, for whoever manages the account.' })
  problem!: string;

  @Field(() => String, { description: "What happened, in technical English, for the provider's support." })
  detail!: string;
}

@ObjectType({ description: "A provider's documented limit on requests.", simpleResolvers: true })
class RequestsLeft {
  @Field(() => Int, { description: 'Requests that it allows in its period.' })
  limit!: number;

  @Field(() => Int, { description: 'What was left when last counted.' })
  left!: number;

  @Field(() => GraphQLDateTime, { description: 'When it was last counted.' })
  at!: Date;
}

@ObjectType({
  description: 'What the calls and notifications of a credential have shown.',
  simpleResolvers: true,
})
export class CredentialHealth {
  @Field(() => ID, { description: 'Whose calls these are.' })
  credentialId!: string;

  @Field(() => String, { description: "The credential's name." })
  name!: string;

  @Field(() => String, { description: 'Its provider.' })
  provider!: string;

  @Field(() => Boolean, { description: 'Whether the credential is enabled.' })
  enabled!: boolean;

  @Field(() => Boolean, { description: "Whether it is the organization's default." })
  isDefault!: boolean;

  @Field(() => WindowCalls, { description: 'Calls of the last hour.' })
  hour!: WindowCalls;

  @Field(() => WindowCalls, { description: 'Calls of the last 24 hours.' })
  day!: WindowCalls;

  @Field(() => WindowCalls, { description: 'Calls of the last 7 days.' })
  week!: WindowCalls;

  @Field(() => [DayCalls], { description: 'The last 7 days, 24 hours each.' })
  days!: DayCalls[];

  @Field(() => Boolean, {
    description:
      'Whether a circuit breaker is open: the provider is not called for now, as calls kept failing.',
  })
  breakerOpen!: boolean;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'Last time that the provider did as asked.' })
  lastSuccessAt!: Date | null;

  @Field(() => FailedCall, { nullable: true, description: 'The last call that failed.' })
  lastFailure!: FailedCall | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'Last time that a notification told of money.',
  })
  lastNotificationAt!: Date | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'Last time that polling found money whose notification had not come.',
  })
  notificationMissedAt!: Date | null;

  @Field(() => RequestsLeft, {
    nullable: true,
    description:
      'What is left of the documented quota; null where the provider has none, or nothing was counted.',
  })
  requests!: RequestsLeft | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'Until then polling leaves the provider alone, after HTTP 429.',
  })
  pausedUntil!: Date | null;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When the client certificate expires.' })
  certificateExpiresAt!: Date | null;

  @Field(() => Int, { nullable: true, description: 'Whole days until then; negative once it has expired.' })
  certificateDaysLeft!: number | null;
}
