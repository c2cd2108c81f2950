import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import {
  createLinkSchema,
  type LinkState,
  linkStates,
  type LinkStatus,
  linkStatuses,
  listLinksSchema,
  paymentLinkSchema,
} from '../../core/checkout/payment-link-view.ts';
import { linkDiscountSchema } from '../../core/checkout/rules/link-due.ts';
import { connectionType } from '../base/connection.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf } from '../base/descriptions.ts';
import { DueShareInput, EarlyDiscountInput, InterestInput } from '../payments/due-inputs.ts';
import { DueShare, EarlyDiscount, Interest } from '../payments/due-types.ts';
import { Node } from '../base/node.ts';

const link = descriptionsOf(paymentLinkSchema);
const newLink = descriptionsOf(createLinkSchema);
const discount = descriptionsOf(linkDiscountSchema);
const lists = descriptionsOf(listLinksSchema);

const linkStatusEnum = Object.fromEntries(linkStatuses.map((status) => [status, status]));
registerEnumType(linkStatusEnum, {
  name: 'PaymentLinkStatus',
  description: 'State of a payment link.',
  valuesConfig: {
    active: { description: 'Payers can pay by it.' },
    used: { description: 'For a single payment, which has been paid.' },
    expired: { description: 'Its time is over.' },
    deactivated: { description: 'Somebody deactivated it.' },
  },
});

const linkStateEnum = Object.fromEntries(linkStates.map((state) => [state, state]));
registerEnumType(linkStateEnum, {
  name: 'PaymentLinkState',
  description: 'Whether payers can pay by a link.',
  valuesConfig: {
    open: { description: 'They can.' },
    ended: { description: 'It was used, has expired or was deactivated.' },
  },
});

@ObjectType({
  description: 'A discount, by the days before the due date: a percent or an amount.',
  simpleResolvers: true,
})
class LinkDiscount {
  @Field(() => Int, { description: discount.daysBefore })
  daysBefore!: number;

  @Field(() => Float, { nullable: true, description: discount.percent })
  percent?: number | undefined;

  @Field(() => Float, { nullable: true, description: discount.amount })
  amount?: number | undefined;
}

@ObjectType({
  description: 'Makes a payment for each payer who opens it.',
  implements: Node,
  simpleResolvers: true,
})
export class PaymentLink {
  @Field(() => ID, { description: link.id })
  id!: string;

  @Field(() => String, { description: link.url })
  url!: string;

  @Field(() => linkStatusEnum, { description: link.status })
  status!: LinkStatus;

  @Field(() => Float, { nullable: true, description: link.amount })
  amount?: number | undefined;

  @Field(() => Float, { nullable: true, description: link.minimumAmount })
  minimumAmount?: number | undefined;

  @Field(() => Float, { nullable: true, description: link.maximumAmount })
  maximumAmount?: number | undefined;

  @Field(() => String, { description: link.currency })
  currency!: string;

  @Field(() => String, { nullable: true, description: link.description })
  description?: string | undefined;

  @Field(() => Boolean, { description: link.singleUse })
  singleUse!: boolean;

  @Field(() => GraphQLDateTime, { nullable: true, description: link.expiresAt })
  expiresAt?: string | undefined;

  @Field(() => String, { nullable: true, description: link.returnUrl })
  returnUrl?: string | undefined;

  @Field(() => String, { nullable: true, description: link.credentialId })
  credentialId?: string | undefined;

  @Field(() => String, { nullable: true, description: link.ruleSetId })
  ruleSetId?: string | undefined;

  @Field(() => Int, { nullable: true, description: link.dueInDays })
  dueInDays?: number | undefined;

  @Field(() => Int, { nullable: true, description: link.payableDaysAfter })
  payableDaysAfter?: number | undefined;

  @Field(() => DueShare, { nullable: true, description: link.fine })
  fine?: DueShare | undefined;

  @Field(() => Interest, { nullable: true, description: link.interest })
  interest?: Interest | undefined;

  @Field(() => [LinkDiscount], { nullable: true, description: link.discounts })
  discounts?: LinkDiscount[] | undefined;

  @Field(() => EarlyDiscount, { nullable: true, description: link.earlyDiscount })
  earlyDiscount?: EarlyDiscount | undefined;

  @Field(() => DueShare, { nullable: true, description: link.rebate })
  rebate?: DueShare | undefined;

  @Field(() => Boolean, { description: link.isTest })
  isTest!: boolean;

  @Field(() => GraphQLDateTime, { description: link.createdAt })
  createdAt!: string;
}

export const PaymentLinkConnection = connectionType(PaymentLink, {
  name: 'PaymentLink',
  nouns: 'payment links',
  order: 'newest first',
});

@ObjectType({ description: 'What has come of a payment link.', simpleResolvers: true })
export class PaymentLinkTotals {
  @Field(() => Int, { description: 'Number of payments that the link has made.' })
  payments!: number;

  @Field(() => Int, { description: 'How many of them were paid.' })
  paid!: number;

  @Field(() => Float, {
    description: 'Amount of those that were paid, in BRL, with what was refunded later.',
  })
  amountPaid!: number;

  @Field(() => Boolean, { description: 'Whether only the newest 1,000 payments are counted.' })
  isAtLeast!: boolean;
}

@InputType({ description: 'Which payment links to list.' })
export class PaymentLinkFilter {
  @Field(() => linkStateEnum, { nullable: true, description: lists.state })
  state?: LinkState;

  @Field(() => String, { nullable: true, description: lists.search })
  search?: string;
}

@InputType({ description: 'A discount, by the days before the due date: exactly one of percent and amount.' })
class LinkDiscountInput {
  @Field(() => Int, { description: discount.daysBefore })
  daysBefore!: number;

  @Field(() => Float, { nullable: true, description: discount.percent })
  percent?: number;

  @Field(() => Float, { nullable: true, description: discount.amount })
  amount?: number;
}

@InputType({ description: 'A payment link to create.' })
export class CreatePaymentLinkInput {
  @Field(() => Float, { nullable: true, description: newLink.amount })
  amount?: number;

  @Field(() => Float, { nullable: true, description: newLink.minimumAmount })
  minimumAmount?: number;

  @Field(() => Float, { nullable: true, description: newLink.maximumAmount })
  maximumAmount?: number;

  @Field(() => String, { nullable: true, description: newLink.description })
  description?: string;

  @Field(() => Boolean, { nullable: true, description: newLink.singleUse })
  singleUse?: boolean;

  @Field(() => GraphQLDateTime, { nullable: true, description: newLink.expiresAt })
  expiresAt?: Date;

  @Field(() => String, { nullable: true, description: newLink.returnUrl })
  returnUrl?: string;

  @Field(() => String, { nullable: true, description: newLink.credentialId })
  credentialId?: string;

  @Field(() => String, { nullable: true, description: newLink.ruleSetId })
  ruleSetId?: string;

  @Field(() => Int, { nullable: true, description: newLink.dueInDays })
  dueInDays?: number;

  @Field(() => Int, { nullable: true, description: newLink.payableDaysAfter })
  payableDaysAfter?: number;

  @Field(() => DueShareInput, { nullable: true, description: newLink.fine })
  fine?: DueShareInput;

  @Field(() => InterestInput, { nullable: true, description: newLink.interest })
  interest?: InterestInput;

  @Field(() => [LinkDiscountInput], { nullable: true, description: newLink.discounts })
  discounts?: LinkDiscountInput[];

  @Field(() => EarlyDiscountInput, { nullable: true, description: newLink.earlyDiscount })
  earlyDiscount?: EarlyDiscountInput;

  @Field(() => DueShareInput, { nullable: true, description: newLink.rebate })
  rebate?: DueShareInput;
}
