import { Field, Float, InputType, Int } from 'type-graphql';
import {
  discountSchema,
  dueSchema,
  earlyDiscountSchema,
  fineSchema,
  interestSchema,
} from '../../core/payments/rules/due/due.ts';
import { descriptionsOf } from '../base/descriptions.ts';

const due = descriptionsOf(dueSchema);
const share = descriptionsOf(fineSchema);
const interest = descriptionsOf(interestSchema);
const discount = descriptionsOf(discountSchema);
const earlyDiscount = descriptionsOf(earlyDiscountSchema);

@InputType({ description: 'A part of an amount: exactly one of percent and amount.' })
export class DueShareInput {
  @Field(() => Float, { nullable: true, description: share.percent })
  percent?: number;

  @Field(() => Float, { nullable: true, description: share.amount })
  amount?: number;
}

@InputType({ description: 'Interest: exactly one of a percent and an amount.' })
export class InterestInput {
  @Field(() => Float, { nullable: true, description: interest.percentPerDay })
  percentPerDay?: number;

  @Field(() => Float, { nullable: true, description: interest.percentPerMonth })
  percentPerMonth?: number;

  @Field(() => Float, { nullable: true, description: interest.percentPerYear })
  percentPerYear?: number;

  @Field(() => Float, { nullable: true, description: interest.amountPerDay })
  amountPerDay?: number;

  @Field(() => Boolean, { nullable: true, description: interest.businessDays })
  businessDays?: boolean;
}

@InputType({ description: 'A discount: exactly one of percent and amount.' })
class DiscountInput {
  @Field(() => String, { description: discount.until })
  until!: string;

  @Field(() => Float, { nullable: true, description: discount.percent })
  percent?: number;

  @Field(() => Float, { nullable: true, description: discount.amount })
  amount?: number;
}

@InputType({
  description: 'A discount for each day before the due date: exactly one of a percent and an amount.',
})
export class EarlyDiscountInput {
  @Field(() => Float, { nullable: true, description: earlyDiscount.percentPerDay })
  percentPerDay?: number;

  @Field(() => Float, { nullable: true, description: earlyDiscount.amountPerDay })
  amountPerDay?: number;

  @Field(() => Boolean, { nullable: true, description: earlyDiscount.businessDays })
  businessDays?: boolean;
}

@InputType({ description: 'What a due date asks for.' })
export class DueInput {
  @Field(() => String, { description: due.date })
  date!: string;

  @Field(() => Int, { nullable: true, description: due.payableDaysAfter })
  payableDaysAfter?: number;

  @Field(() => DueShareInput, { nullable: true, description: due.fine })
  fine?: DueShareInput;

  @Field(() => InterestInput, { nullable: true, description: due.interest })
  interest?: InterestInput;

  @Field(() => [DiscountInput], { nullable: true, description: due.discounts })
  discounts?: DiscountInput[];

  @Field(() => EarlyDiscountInput, { nullable: true, description: due.earlyDiscount })
  earlyDiscount?: EarlyDiscountInput;

  @Field(() => DueShareInput, { nullable: true, description: due.rebate })
  rebate?: DueShareInput;
}
