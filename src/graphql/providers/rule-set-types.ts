import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Mode } from '../../core/base/mode.ts';
import { type Preference, preferences } from '../../core/routing/rules/routing.ts';
import { type Weekday, weekdays } from '../../core/routing/rules/time-window.ts';
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

const weekdayEnum = Object.fromEntries(weekdays.map((day) => [day, day]));
registerEnumType(weekdayEnum, {
  name: 'Weekday',
  description: 'A day of the week.',
  valuesConfig: {
    sun: { description: 'Sunday.' },
    mon: { description: 'Monday.' },
    tue: { description: 'Tuesday.' },
    wed: { description: 'Wednesday.' },
    thu: { description: 'Thursday.' },
    fri: { description: 'Friday.' },
    sat: { description: 'Saturday.' },
  },
});

const preferenceEnum = Object.fromEntries(preferences.map((preference) => [preference, preference]));
registerEnumType(preferenceEnum, {
  name: 'RoutingPreference',
  description: 'What decides between credentials of equal standing.',
  valuesConfig: { cheapest: { description: 'The lowest fee for the amount.' } },
});

@ObjectType({ description: 'Routes the payments of some hours to a credential.', simpleResolvers: true })
class RuleSetWindow {
  @Field(() => String, { description: 'Where it begins, as HH:MM in Brasília.' })
  from!: string;

  @Field(() => String, {
    description: 'Where it ends, excluded; on the next day if it is not later than `from`.',
  })
  to!: string;

  @Field(() => [weekdayEnum], { description: 'Days on which it begins.' })
  days!: readonly Weekday[];

  @Field(() => ID, { description: 'The credential that gets the payments.' })
  credentialId!: string;
}

@ObjectType({ description: 'A share of the payments that no range takes.', simpleResolvers: true })
class RuleSetShare {
  @Field(() => ID, { description: 'The credential that gets the share.' })
  credentialId!: string;

  @Field(() => Int, { description: 'How many of a hundred payments it gets.' })
  percent!: number;
}

@ObjectType({ description: 'Rules that select credentials for a payment.', simpleResolvers: true })
export class RuleSetInfo {
  @Field(() => ID, { description: 'Unique rule set id.' })
  id!: string;

  @Field(() => String, { description: 'Name of the rule set.' })
  name!: string;

  @Field(() => [RuleSetWindow], {
    description: 'Tried before all others: the first that includes the moment of the payment.',
  })
  when!: readonly RuleSetWindow[];

  @Field(() => [RuleSetRange], { description: 'Tried next: ranges that contain the amount, in order.' })
  ranges!: RuleSetRange[];

  @Field(() => [RuleSetShare], {
    description:
      'Shares of the payments that no range takes. What they leave of 100 goes to the default; where one fails, the others stand in.',
  })
  split!: readonly RuleSetShare[];

  @Field(() => ID, {
    nullable: true,
    description: 'Tried after ranges and split; null means the default of the organization.',
  })
  defaultCredentialId!: string | null;

  @Field(() => [ID], { description: 'Tried last, in order.' })
  fallbackCredentialIds!: string[];

  @Field(() => preferenceEnum, {
    nullable: true,
    description:
      'Which of the ranges that contain the amount comes first, and which of the fallbacks; `null` means as listed.',
  })
  prefer!: Preference | null;

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

  @Field(() => Int, {
    nullable: true,
    description: 'How many of a hundred payments try it first, where a split decides; null otherwise.',
  })
  percent!: number | null;
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

@InputType({ description: 'Hours whose payments go to a credential.' })
class RuleSetWindowInput {
  @Field(() => String, { description: 'Beginning, as HH:MM in Brasília.' })
  from!: string;

  @Field(() => String, {
    description:
      'Where it ends, excluded. One that is not later than `from` is on the next day, so equal ones are a whole day.',
  })
  to!: string;

  @Field(() => [weekdayEnum], {
    nullable: true,
    description: 'Days on which it begins. Defaults to every day.',
  })
  days?: Weekday[] | null;

  @Field(() => ID, { description: 'Credential for these hours.' })
  credentialId!: string;
}

@InputType({ description: 'A share to give to a credential.' })
class RuleSetShareInput {
  @Field(() => ID, { description: 'Credential for the share.' })
  credentialId!: string;

  @Field(() => Int, { description: 'From 1 to 100; together at most 100.' })
  percent!: number;
}

@InputType({ description: 'Rules to route payments by.' })
export class RoutingRulesInput {
  @Field(() => [RuleSetWindowInput], {
    nullable: true,
    description: 'Hours that go before everything else, in the order in which they are looked at.',
  })
  when?: RuleSetWindowInput[] | null;

  @Field(() => [RuleSetRangeInput], { description: 'Ranges in the order in which they are tried.' })
  ranges!: RuleSetRangeInput[];

  @Field(() => [RuleSetShareInput], {
    nullable: true,
    description: 'Shares of the payments that no range takes. What they leave of 100 goes to the default.',
  })
  split?: RuleSetShareInput[] | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Tried after ranges and split. Defaults to the default of the organization.',
  })
  defaultCredentialId?: string | null;

  @Field(() => [ID], { nullable: true, description: 'Tried after the default, in order.' })
  fallbackCredentialIds?: string[] | null;

  @Field(() => preferenceEnum, {
    nullable: true,
    description:
      'Puts ranges that contain the amount in another order than listed, and fallbacks, as far as their fees are known.',
  })
  prefer?: Preference | null;
}

@InputType({ description: 'A rule set to create.' })
export class CreateRuleSetInput extends RoutingRulesInput {
  @Field(() => String, { description: 'Name for the rule set.' })
  name!: string;
}

@InputType({ description: 'The complete new rule set.' })
export class UpdateRuleSetInput extends CreateRuleSetInput {}
