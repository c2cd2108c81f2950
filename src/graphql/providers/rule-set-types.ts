import { Field, Float, ID, InputType, ObjectType } from 'type-graphql';

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
