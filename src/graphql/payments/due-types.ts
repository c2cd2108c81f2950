import { Field, Float, Int, ObjectType } from 'type-graphql';
import {
  discountSchema,
  earlyDiscountSchema,
  fineSchema,
  interestSchema,
} from '../../core/payments/rules/due/due.ts';
import { amountPartsSchema, dueViewSchema, nextAmountSchema } from '../../core/payments/views/due-view.ts';
import { descriptionsOf } from '../base/descriptions.ts';

const due = descriptionsOf(dueViewSchema);
const share = descriptionsOf(fineSchema);
const interest = descriptionsOf(interestSchema);
const discount = descriptionsOf(discountSchema);
const earlyDiscount = descriptionsOf(earlyDiscountSchema);
const next = descriptionsOf(nextAmountSchema);
const parts = descriptionsOf(amountPartsSchema);

@ObjectType({ description: 'A part of an amount: a percent or an amount.', simpleResolvers: true })
export class DueShare {
  @Field(() => Float, { nullable: true, description: share.percent })
  percent?: number;

  @Field(() => Float, { nullable: true, description: share.amount })
  amount?: number;
}

@ObjectType({ description: 'Interest: a percent or an amount.', simpleResolvers: true })
export class Interest {
  @Field(() => Float, { nullable: true, description: interest.percentPerDay })
  percentPerDay?: number;

  @Field(() => Float, { nullable: true, description: interest.percentPerMonth })
  percentPerMonth?: number;

  @Field(() => Float, { nullable: true, description: interest.percentPerYear })
  percentPerYear?: number;

  @Field(() => Float, { nullable: true, description: interest.amountPerDay })
  amountPerDay?: number;

  @Field(() => Boolean, { description: interest.businessDays })
  businessDays!: boolean;
}

@ObjectType({ description: 'A discount: a percent or an amount.', simpleResolvers: true })
class Discount {
  @Field(() => String, { description: discount.until })
  until!: string;

  @Field(() => Float, { nullable: true, description: discount.percent })
  percent?: number;

  @Field(() => Float, { nullable: true, description: discount.amount })
  amount?: number;
}

@ObjectType({
  description: 'A discount for each day before the due date: a percent or an amount.',
  simpleResolvers: true,
})
export class EarlyDiscount {
  @Field(() => Float, { nullable: true, description: earlyDiscount.percentPerDay })
  percentPerDay?: number;

  @Field(() => Float, { nullable: true, description: earlyDiscount.amountPerDay })
  amountPerDay?: number;

  @Field(() => Boolean, { description: earlyDiscount.businessDays })
  businessDays!: boolean;
}

@ObjectType({ description: 'When the amount of today changes, and to what.', simpleResolvers: true })
class NextAmount {
  @Field(() => String, { description: next.until })
  until!: string;

  @Field(() => Float, { description: next.amount })
  amount!: number;
}

@ObjectType({ description: 'What a due date asks for, and what follows from it.', simpleResolvers: true })
export class Due {
  @Field(() => String, { description: due.date })
  date!: string;

  @Field(() => Int, { description: due.payableDaysAfter })
  payableDaysAfter!: number;

  @Field(() => DueShare, { nullable: true, description: due.fine })
  fine?: DueShare;

  @Field(() => Interest, { nullable: true, description: due.interest })
  interest?: Interest;

  @Field(() => [Discount], { nullable: true, description: due.discounts })
  discounts?: Discount[];

  @Field(() => EarlyDiscount, { nullable: true, description: due.earlyDiscount })
  earlyDiscount?: EarlyDiscount;

  @Field(() => DueShare, { nullable: true, description: due.rebate })
  rebate?: DueShare;

  @Field(() => String, { description: due.adjustedDate })
  adjustedDate!: string;

  @Field(() => String, { description: due.lastPayableOn })
  lastPayableOn!: string;

  @Field(() => Float, { nullable: true, description: due.amountToday })
  amountToday?: number;

  @Field(() => NextAmount, { nullable: true, description: due.next })
  next?: NextAmount;
}

@ObjectType({ description: 'What was paid consists of these, in BRL.', simpleResolvers: true })
export class AmountParts {
  @Field(() => Float, { description: parts.original })
  original!: number;

  @Field(() => Float, { description: parts.rebate })
  rebate!: number;

  @Field(() => Float, { description: parts.discount })
  discount!: number;

  @Field(() => Float, { description: parts.fine })
  fine!: number;

  @Field(() => Float, { description: parts.interest })
  interest!: number;

  @Field(() => Boolean, { nullable: true, description: parts.computed })
  computed?: true;
}
