import { Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import {
  type AlertKind,
  type Condition,
  type ConditionKind,
  conditionKinds,
  type Severity,
} from '../../core/health/rules/conditions.ts';
import { GraphQLDateTime } from '../base/date-time.ts';

export const conditionKindEnum = Object.fromEntries(conditionKinds.map((kind) => [kind, kind])) as {
  [Kind in ConditionKind]: Kind;
};

registerEnumType(conditionKindEnum, {
  name: 'ConditionKind',
  description: 'What somebody should look at.',
  valuesConfig: {
    provider_outage: { description: 'The provider of a credential does not respond.' },
    credential_refused: { description: 'The provider does not accept a credential.' },
    creations_failing: { description: 'Payments fail: no provider creates their charges.' },
    notifications_missing: { description: "A provider's notifications no longer arrive." },
    webhook_failing: { description: 'A webhook endpoint fails, or was disabled because it did.' },
    deliveries_waiting: { description: 'Webhooks are due and nobody sends them.' },
    books_open: { description: 'Books have open differences.' },
    books_unavailable: { description: 'Statements could not be read.' },
    certificate_expiring: { description: 'A client certificate expires soon, or has expired.' },
    refunds_stuck: { description: 'Refunds wait for somebody to look at the provider.' },
    disputes_due: { description: 'Disputes without an answer are near their deadline.' },
    debits_our_fault: { description: 'Debits of recurrences were not sent in time, or against the rules.' },
    no_default_credential: {
      description: 'No credential is the default, so payments without a rule are refused.',
    },
    credential_diverted: { description: 'Another credential takes the turn of one until that is ended.' },
    payments_disputed: { description: 'Payments have open disputes.' },
    payments_duplicated: {
      description: 'Payments were paid more than once, or another amount, and not refunded.',
    },
    payments_other_payer: {
      description: 'Payments were paid by somebody else than the payer asked for, and not refunded.',
    },
  },
});

const severityEnum = { critical: 'critical', warning: 'warning' } as const;

registerEnumType(severityEnum, {
  name: 'Severity',
  description: 'How bad it is.',
  valuesConfig: {
    critical: { description: 'Payments, confirmations or webhooks fail now.' },
    warning: { description: 'Somebody should look at it.' },
  },
});

@ObjectType({ description: 'The credential or webhook endpoint in question.', simpleResolvers: true })
class ConditionSubject {
  @Field(() => ID, { description: 'Its id.' })
  id!: string;

  @Field(() => String, { description: "The credential's name, or the endpoint's URL." })
  name!: string;
}

@ObjectType('Condition', { description: 'Something that somebody should look at.', simpleResolvers: true })
export class ConditionObject implements Condition {
  @Field(() => conditionKindEnum, { description: 'What it is.' })
  kind!: ConditionKind;

  @Field(() => severityEnum, { description: 'Whether something fails now.' })
  severity!: Severity;

  @Field(() => ConditionSubject, {
    nullable: true,
    description: 'The credential or webhook endpoint in question; null where it is the organization.',
  })
  subject!: { id: string; name: string } | null;

  @Field(() => ConditionSubject, {
    nullable: true,
    description: 'Credential that takes the turn of a diverted one.',
  })
  divertedTo?: { id: string; name: string };

  @Field(() => GraphQLDateTime, { nullable: true, description: 'Since when, where that is known.' })
  since!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why: a `CheckReason`, or why the service disabled the endpoint.',
  })
  reason?: string;

  @Field(() => Int, { nullable: true, description: 'How many.' })
  count?: number;

  @Field(() => Boolean, { nullable: true, description: 'Whether there may be more.' })
  isAtLeast?: boolean;

  @Field(() => Float, { nullable: true, description: 'How many of all, from 0 to 1.' })
  share?: number;

  @Field(() => String, {
    nullable: true,
    description: 'First day of the books in question, as `YYYY-MM-DD`.',
  })
  day?: string;

  @Field(() => ID, { nullable: true, description: 'Credential of that day; null for the sandbox.' })
  credentialId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Payment of the oldest refund that is stuck.' })
  paymentId?: string;

  @Field(() => Int, { nullable: true, description: 'Days until it expires; negative once it has.' })
  daysLeft?: number;
}

@ObjectType('Alert', {
  description: 'A condition from when it was found until it was gone.',
  simpleResolvers: true,
})
export class AlertObject {
  @Field(() => ID, { description: 'Unique alert id.' })
  id!: string;

  @Field(() => conditionKindEnum, { description: 'What it is about.' })
  kind!: AlertKind;

  @Field(() => severityEnum, { description: 'How bad it was when it was opened.' })
  severity!: Severity;

  @Field(() => ConditionObject, { description: 'What was found when it was opened.' })
  condition!: Condition;

  @Field(() => GraphQLDateTime, { description: 'When it was opened.' })
  openedAt!: Date;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When it was closed; null while it is open.' })
  closedAt!: Date | null;
}
