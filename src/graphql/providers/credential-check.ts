import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { type CheckReason, checkReasons } from '../../core/providers/rules/check-reasons.ts';
import type { CheckStage, StageResult as CheckedStage } from '../../core/providers/check-credential.ts';
import { GraphQLDateTime } from '../base/date-time.ts';

const stageEnum: Record<CheckStage, CheckStage> = {
  certificate: 'certificate',
  sign_in: 'sign_in',
  lookup: 'lookup',
  webhook: 'webhook',
};

registerEnumType(stageEnum, {
  name: 'CheckStage',
  description: 'Part of the check of a credential.',
  valuesConfig: {
    certificate: { description: 'Whether the client certificate is valid now.' },
    sign_in: { description: 'Fetching an access token.' },
    lookup: { description: 'Looking up a charge that cannot exist.' },
    webhook: { description: 'Comparing the webhook that the provider has with ours.' },
  },
});

type Outcome = CheckedStage['outcome'];

const outcomeEnum: Record<Outcome, Outcome> = { ok: 'ok', failed: 'failed', skipped: 'skipped' };

registerEnumType(outcomeEnum, {
  name: 'CheckOutcome',
  description: 'Outcome of a part of the check of a credential.',
  valuesConfig: {
    ok: { description: 'Nothing is wrong.' },
    failed: { description: '`reason` says what is wrong.' },
    skipped: { description: '`reason` says why it was not tried.' },
  },
});

export const checkReasonEnum = Object.fromEntries(
  Object.keys(checkReasons).map((reason) => [reason, reason]),
) as Record<CheckReason, CheckReason>;

registerEnumType(checkReasonEnum, {
  name: 'CheckReason',
  description: 'Why a part of the check of a credential failed or was skipped.',
  valuesConfig: Object.fromEntries(
    Object.entries(checkReasons).map(([reason, { en }]) => [reason, { description: en }]),
  ),
});

/** The fields that stages and registrations share. */
@ObjectType({ simpleResolvers: true })
class FindingFields {
  @Field(() => checkReasonEnum, { nullable: true, description: 'Why it failed or was skipped.' })
  reason!: CheckReason | null;

  @Field(() => String, {
    nullable: true,
    description: "What happened in technical terms, for the provider's support.",
  })
  detail!: string | null;
}

@ObjectType({ description: 'Result of a part of the check of a credential.', simpleResolvers: true })
class StageResult extends FindingFields {
  @Field(() => stageEnum, { description: 'Part of the check.' })
  stage!: CheckStage;

  @Field(() => outcomeEnum, { description: 'Its outcome.' })
  outcome!: Outcome;
}

@ObjectType({ description: 'What came of registering a webhook.', simpleResolvers: true })
export class WebhookRegistration extends FindingFields {
  @Field(() => outcomeEnum, { description: '`skipped` where the provider has no API for it.' })
  outcome!: Outcome;

  @Field(() => String, { description: 'The URL that the provider should notify.' })
  notificationUrl!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The URL that the provider has on record afterwards; `null` unless it was asked.',
  })
  registeredUrl!: string | null;
}

/** The fields that a new check and an earlier one share. */
@ObjectType({ simpleResolvers: true })
class CheckFields {
  @Field(() => Boolean, { description: 'Whether no stage failed.' })
  ok!: boolean;

  @Field(() => String, { nullable: true, description: 'What the first failed stage found, in English.' })
  problem!: string | null;

  @Field(() => [StageResult], { description: 'Every stage, in order; those after a failure are skipped.' })
  stages!: StageResult[];
}

@ObjectType({ description: 'Result of checking a credential.', simpleResolvers: true })
export class CredentialCheck extends CheckFields {}

@ObjectType({ description: 'What the last check of a credential found.', simpleResolvers: true })
export class LastCheck extends CheckFields {
  @Field(() => GraphQLDateTime, { description: 'When it was checked.' })
  checkedAt!: Date;
}
