import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { AttemptOutcome } from '../../core/payments/rules/payment.ts';
import { AssignedPix } from '../books/book-types.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { EventObject } from '../payments/events.ts';
import { attemptOutcomeEnum } from '../payments/payment-enums.ts';
import { Institution, PaidBy, PaymentType } from '../payments/payment-types.ts';
import { DisputeType, RefundType, ReversalType } from '../payments/refund-types.ts';
import { UnreadableResponse } from '../providers/unreadable-response.ts';
import { WebhookDelivery } from '../webhooks/webhook-types.ts';

@ObjectType({ description: 'An attempt to create the charge with one credential.', simpleResolvers: true })
class PaymentAttempt {
  @Field(() => ID, { description: 'Unique attempt id; also the transaction id at the provider.' })
  id!: string;

  @Field(() => String, { description: 'Transaction id (txid) at the provider.' })
  transactionId!: string;

  @Field(() => Int, { description: 'Position in the routing order, from 0.' })
  position!: number;

  @Field(() => String, { description: 'Provider of the credential.' })
  provider!: string;

  @Field(() => ID, { nullable: true, description: 'The credential; null for the built-in sandbox.' })
  credentialId!: string | null;

  @Field(() => String, { description: 'Why routing selected the credential.' })
  reason!: string;

  @Field(() => attemptOutcomeEnum, { description: 'What became of the attempt.' })
  result!: AttemptOutcome;

  @Field(() => String, {
    description: 'Outcome of the attempt.',
    deprecationReason: 'Use result, whose values are in the schema.',
  })
  outcome!: string;

  @Field(() => String, { nullable: true, description: 'What went wrong, or why the credential was skipped.' })
  error!: string | null;

  @Field(() => String, { nullable: true, description: "The provider's own id of the charge." })
  pspReference!: string | null;

  @Field(() => Int, { nullable: true, description: 'Response time of the provider, in milliseconds.' })
  latencyMs!: number | null;

  @Field(() => GraphQLDateTime, { description: 'When the routing order was decided.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A Pix received for a payment.', simpleResolvers: true })
class ReceivedPix {
  @Field(() => String, { nullable: true, description: 'End-to-end id, where the provider reports it.' })
  endToEndId!: string | null;

  @Field(() => String, { description: 'Transaction id (txid) of the charge that it paid.' })
  transactionId!: string;

  @Field(() => Float, { description: 'Amount received, in BRL.' })
  amount!: number;

  @Field(() => GraphQLDateTime, { description: 'When it was paid, as the provider reports it.' })
  paidAt!: Date;

  @Field(() => Float, {
    description: 'What of it left again other than by refunds made here, in BRL, as far as is known.',
  })
  returned!: number;

  @Field(() => Institution, {
    nullable: true,
    description:
      "Whose end-to-end id it has: the payer's institution, or that which initiated the Pix for them.",
  })
  payerInstitution!: Institution | null;

  @Field(() => PaidBy, { nullable: true, description: 'Who paid it, where the provider tells it.' })
  paidBy?: PaidBy;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the document of who paid is that of the payer asked for; null where nothing can be said.',
  })
  payerMatches?: boolean;
}

@ObjectType({ description: 'Who asked for a refund.', simpleResolvers: true })
class RefundRequest {
  @Field(() => ID, { description: 'The refund.' })
  refundId!: string;

  @Field(() => String, { description: "A person's e-mail address, the name of an API key, or `operator`." })
  requestedBy!: string;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When a second person approved it; null if none had to.',
  })
  approvedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'E-mail address of who approved it, or `operator`; null if none had to.',
  })
  approvedBy!: string | null;
}

@ObjectType({ description: 'A payment with its full history.', simpleResolvers: true })
export class PaymentDetail {
  @Field(() => PaymentType, { description: 'Current state of the payment.' })
  payment!: PaymentType;

  @Field(() => Boolean, {
    description: 'Whether the Pix arrived after the payment had expired or been cancelled.',
  })
  paidLate!: boolean;

  @Field(() => Boolean, {
    description: 'Whether more than one Pix was received; the surplus should be refunded.',
  })
  duplicatePayment!: boolean;

  @Field(() => Boolean, {
    description: 'Whether the amount paid is one that the terms of the due date ask for on no day.',
  })
  amountDiffers!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether somebody else than the payer asked for has paid it, and the settings say that it is told.',
  })
  otherPayer!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'Phone number of the payer; null without one, and for members who may not see payers.',
  })
  payerPhone!: string | null;

  @Field(() => [ReceivedPix], { description: 'Received Pix, oldest first.' })
  receivedPix!: ReceivedPix[];

  @Field(() => [RefundRequest], { description: 'Who asked for the refunds, in their order.' })
  refundRequests!: RefundRequest[];

  @Field(() => [PaymentAttempt], { description: 'Attempts in routing order.' })
  attempts!: PaymentAttempt[];

  @Field(() => [EventObject], { description: 'Events of the payment, oldest first.' })
  events!: EventObject[];

  @Field(() => [WebhookDelivery], { description: 'Webhook deliveries, oldest first.' })
  deliveries!: WebhookDelivery[];

  @Field(() => [RefundType], { description: 'Refunds, oldest first.' })
  refunds!: RefundType[];

  @Field(() => [ReversalType], { description: 'Reversals, oldest first.' })
  reversals!: ReversalType[];

  @Field(() => [DisputeType], { description: 'Disputes, oldest first.' })
  disputes!: DisputeType[];

  @Field(() => [AssignedPix], {
    description: 'Money without a charge that was assigned to the payment in the books, oldest first.',
  })
  assignedPix!: AssignedPix[];

  @Field(() => ID, { nullable: true, description: 'Payment link that made the payment; null without one.' })
  paymentLinkId!: string | null;

  @Field(() => ID, { nullable: true, description: 'Batch that made the payment; null without one.' })
  batchId!: string | null;

  @Field(() => [String], {
    description: 'Days, `YYYY-MM-DD`, for which a debit that failed may be tried again.',
  })
  retryDays!: string[];

  @Field(() => [UnreadableResponse], {
    description: 'The latest responses of providers that could not be read or believed, newest first.',
  })
  unreadableResponses!: UnreadableResponse[];
}

/** Fields shared by a period and its buckets. */
@ObjectType({ simpleResolvers: true })
class StatisticsFields {
  @Field(() => Int, { description: 'Number of payments created that could be paid.' })
  created!: number;

  @Field(() => Int, { description: 'Number of payments that failed: no provider made a charge.' })
  failed!: number;

  @Field(() => Int, { description: 'Number of created payments that have been paid, at any time.' })
  completed!: number;

  @Field(() => Float, { description: 'Amount paid, in BRL, including what left again later.' })
  volume!: number;

  @Field(() => Float, { description: 'Amount given back, in BRL.' })
  refunded!: number;

  @Field(() => Float, {
    description: 'Amount taken back by the special refund mechanism or chargebacks, in BRL.',
  })
  reversed!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Median seconds from creation to payment, within 4.5 %; null if none was paid.',
  })
  medianSecondsToPay!: number | null;
}

@ObjectType({ description: 'Statistics of an hour or a day.', simpleResolvers: true })
class StatisticsBucket extends StatisticsFields {
  @Field(() => GraphQLDateTime, { description: 'Start of the hour or day.' })
  start!: Date;
}

@ObjectType({ description: 'Statistics of the payments created in a period.', simpleResolvers: true })
export class Statistics extends StatisticsFields {
  @Field(() => Float, {
    description: 'Share of all payments asked for, failed ones included, that were paid, from 0 to 1.',
  })
  conversion!: number;

  @Field(() => [StatisticsBucket], {
    description: 'Consecutive buckets from `from`: hours for up to two days, days otherwise.',
  })
  buckets!: StatisticsBucket[];
}
