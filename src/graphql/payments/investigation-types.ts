import { GraphQLDateTime } from 'graphql-scalars';
import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { EventObject } from './events.ts';
import { PaymentType, RefundType } from './payment-types.ts';
import { WebhookDelivery } from '../webhooks/webhook-types.ts';

@ObjectType({ description: 'One try at one account.', simpleResolvers: true })
class PaymentAttempt {
  @Field(() => ID, { description: 'Unique attempt id; also the transaction id at the PSP.' })
  id!: string;

  @Field(() => Int, { description: 'Place in the routing order, from 0.' })
  position!: number;

  @Field(() => String, { description: 'The PSP.' })
  provider!: string;

  @Field(() => ID, { nullable: true, description: 'The account; null for the sandbox itself.' })
  credentialId!: string | null;

  @Field(() => String, { description: 'Why routing chose it.' })
  reason!: string;

  @Field(() => String, { description: 'How it ended.' })
  outcome!: string;

  @Field(() => String, { nullable: true, description: 'What went wrong, or why it was skipped.' })
  error!: string | null;

  @Field(() => String, { nullable: true, description: "The PSP's own name for the charge." })
  pspReference!: string | null;

  @Field(() => Int, { nullable: true, description: 'How long the PSP took, in milliseconds.' })
  latencyMs!: number | null;

  @Field(() => GraphQLDateTime, { description: 'When the order was decided.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A payment with all that happened to it.', simpleResolvers: true })
export class PaymentDetail {
  @Field(() => PaymentType, { description: 'The payment as it is now.' })
  payment!: PaymentType;

  @Field(() => Boolean, { description: 'Whether the money came after it had expired or was cancelled.' })
  paidLate!: boolean;

  @Field(() => Boolean, { description: 'Whether more than one Pix was received: one is to be refunded.' })
  duplicatePayment!: boolean;

  @Field(() => [PaymentAttempt], { description: 'In routing order.' })
  attempts!: PaymentAttempt[];

  @Field(() => [EventObject], { description: 'In their order.' })
  events!: EventObject[];

  @Field(() => [WebhookDelivery], { description: 'In the order of creation.' })
  deliveries!: WebhookDelivery[];

  @Field(() => [RefundType], { description: 'In the order of creation.' })
  refunds!: RefundType[];
}

@ObjectType({ description: 'An hour or a day.', simpleResolvers: true })
class StatisticsBucket {
  @Field(() => GraphQLDateTime, { description: 'When it begins.' })
  start!: Date;

  @Field(() => Int, { description: 'Payments created in it that somebody could pay.' })
  created!: number;

  @Field(() => Int, { description: 'How many of them were paid, whenever that was.' })
  completed!: number;

  @Field(() => Float, { description: 'What was paid, in BRL, also what was given back later.' })
  volume!: number;

  @Field(() => Float, { description: 'What was given back of it, in BRL.' })
  refunded!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'From creation to payment, within 4.5 %; null when none was paid.',
  })
  medianSecondsToPay!: number | null;
}

@ObjectType({ description: 'Payments created in a time.', simpleResolvers: true })
export class Statistics {
  @Field(() => Int, { description: 'Payments that somebody could pay.' })
  created!: number;

  @Field(() => Int, { description: 'How many of them were paid.' })
  completed!: number;

  @Field(() => Float, { description: 'What was paid, in BRL, also what was given back later.' })
  volume!: number;

  @Field(() => Float, { description: 'What was given back of it, in BRL.' })
  refunded!: number;

  @Field(() => Float, { description: 'Paid of created, 0 to 1.' })
  conversion!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'From creation to payment, within 4.5 %; null when none was paid.',
  })
  medianSecondsToPay!: number | null;

  @Field(() => [StatisticsBucket], {
    description: 'Counted from `from`, without gaps: hours up to two days, else days.',
  })
  buckets!: StatisticsBucket[];
}
