import { Field, Float, ID, InputType, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Amounts that go to one account; both ends are in it.', simpleResolvers: true })
class RuleSetRange {
  @Field(() => Float, { description: 'From this amount, in BRL.' })
  from!: number;

  @Field(() => Float, { description: 'Up to this amount, in BRL.' })
  to!: number;

  @Field(() => ID, { description: 'The account.' })
  credentialId!: string;
}

@ObjectType({ description: 'Rules that choose among accounts.', simpleResolvers: true })
export class RuleSetInfo {
  @Field(() => ID, { description: 'Unique rule set id.' })
  id!: string;

  @Field(() => String, { description: 'What people call it.' })
  name!: string;

  @Field(() => [RuleSetRange], { description: 'The first range that holds the amount is tried first.' })
  ranges!: RuleSetRange[];

  @Field(() => ID, { nullable: true, description: 'Tried next; the default of the organization when null.' })
  defaultCredentialId!: string | null;

  @Field(() => [ID], { description: 'Tried last, in this order.' })
  fallbackCredentialIds!: string[];

  @Field(() => [String], { description: 'Gaps, overlaps, disabled accounts and the like, in words.' })
  findings!: string[];
}

@ObjectType({ description: 'An account that would be tried, or skipped.', simpleResolvers: true })
export class RoutingStep {
  @Field(() => ID, { nullable: true, description: 'The account.' })
  credentialId!: string | null;

  @Field(() => String, { description: 'The PSP.' })
  provider!: string;

  @Field(() => String, { description: 'Why it stands here.' })
  reason!: string;

  @Field(() => String, { nullable: true, description: 'Why it would not be tried.' })
  skipped!: string | null;
}

@InputType({ description: 'Amounts that go to one account; both ends are in it.' })
class RuleSetRangeInput {
  @Field(() => Float, { description: 'From this amount, in BRL.' })
  from!: number;

  @Field(() => Float, { description: 'Up to this amount, in BRL.' })
  to!: number;

  @Field(() => ID, { description: 'The account.' })
  credentialId!: string;
}

@InputType({ description: 'A new rule set.' })
export class CreateRuleSetInput {
  @Field(() => String, { description: 'What people call it.' })
  name!: string;

  @Field(() => [RuleSetRangeInput], { description: 'The first range that holds the amount is tried first.' })
  ranges!: RuleSetRangeInput[];

  @Field(() => ID, { nullable: true, description: 'Tried next; the default of the organization if none.' })
  defaultCredentialId?: string | null;

  @Field(() => [ID], { nullable: true, description: 'Tried last, in this order.' })
  fallbackCredentialIds?: string[] | null;
}

@InputType({ description: 'What a rule set becomes, as a whole.' })
export class UpdateRuleSetInput extends CreateRuleSetInput {}
