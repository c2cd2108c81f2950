import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { Mode } from '../../core/base/mode.ts';
import { modeEnum } from '../people/people-enums.ts';

@ObjectType({ description: 'Routes a range of amounts to a credential.', simpleResolvers: true })
class RuleSetRange {
  @Field(() => Float, { description: 'Lowest amount of the range, in BRL.' })
  from!: number;

  @Field(() => Float, { description: 'Highest amount of the range, in BRL.' })
  to!: number;

  @Field(() => ID, { description: 'The credential that gets the range.' })
  credentialId!: string;
}

@ObjectType({ description: 'Rules that select credentials for a payment.', simpleResolvers: true })
export class RuleSetInfo {
  @Field(() => ID, { description: 'Unique rule set id.' })
  id!: string;

  @Field(() => String, { description: 'Name of the rule set.' })
  name!: string;

  @Field(() => [RuleSetRange], { description: 'Tried first: ranges that contain the amount, in order.' })
  ranges!: RuleSetRange[];

  @Field(() => ID, {
    nullable: true,
    description: 'Tried after the ranges; null means the default of the organization.',
  })
  defaultCredentialId!: string | null;

  @Field(() => [ID], { description: 'Tried last, in order.' })
  fallbackCredentialIds!: string[];

  @Field(() => Boolean, {
    description: 'Whether payments in this mode that name neither credential nor rule set follow it.',
  })
  isDefault!: boolean;

  @Field(() => [String], { description: 'Gaps, overlaps, disabled credentials and the like, as text.' })
  warnings!: string[];

  @Field(() => [String], {
    description: 'Former name of `warnings`.',
    deprecationReason: 'Use warnings, as they are called everywhere else.',
  })
  findings!: string[];
}

@ObjectType({ description: 'A credential that would be tried or skipped.', simpleResolvers: true })
export class RoutingStep {
  @Field(() => ID, { nullable: true, description: 'The credential to try.' })
  credentialId!: string | null;

  @Field(() => String, { description: 'Provider to try.' })
  provider!: string;

  @Field(() => String, { description: 'Why it is a candidate.' })
  reason!: string;

  @Field(() => String, { nullable: true, description: 'Why it would be skipped; null otherwise.' })
  skipped!: string | null;
}

@ObjectType({
  description: 'An active payment link whose payments follow a rule set.',
  simpleResolvers: true,
})
class ReferringPaymentLink {
  @Field(() => ID, { description: 'Id of the link.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'What its payments are for.' })
  description!: string | null;

  @Field(() => Boolean, { description: 'Whether its payments are test payments.' })
  isTest!: boolean;
}

@ObjectType({ description: 'What keeps a rule set from being deleted.', simpleResolvers: true })
export class RuleSetUse {
  @Field(() => [modeEnum], { description: 'Modes of which it is the default.' })
  defaultIn!: Mode[];

  @Field(() => Int, { description: 'How many active payment links name it, at most 1,000.' })
  paymentLinkCount!: number;

  @Field(() => [ReferringPaymentLink], { description: 'The newest ten of them.' })
  paymentLinks!: ReferringPaymentLink[];
}

@InputType({ description: 'A range of amounts to route to a credential.' })
class RuleSetRangeInput {
  @Field(() => Float, { description: 'Lowest amount in BRL, inclusive.' })
  from!: number;

  @Field(() => Float, { description: 'Highest amount in BRL, inclusive.' })
  to!: number;

  @Field(() => ID, { description: 'Credential for these amounts.' })
  credentialId!: string;
}

@InputType({ description: 'A rule set to create.' })
export class CreateRuleSetInput {
  @Field(() => String, { description: 'Name for the rule set.' })
  name!: string;

  @Field(() => [RuleSetRangeInput], { description: 'Ranges in the order in which they are tried.' })
  ranges!: RuleSetRangeInput[];

  @Field(() => ID, {
    nullable: true,
    description: 'Tried after the ranges. Defaults to the default of the organization.',
  })
  defaultCredentialId?: string | null;

  @Field(() => [ID], { nullable: true, description: 'Tried after the default, in order.' })
  fallbackCredentialIds?: string[] | null;
}

@InputType({ description: 'The complete new rule set.' })
export class UpdateRuleSetInput extends CreateRuleSetInput {}
