import { Field, Float, ID, ObjectType } from 'type-graphql';
import type { DisputeAnswer, DisputeState } from '../../core/disputes/rules/dispute.ts';
import type { RefundFailure, RefundPendingReason, RefundStatus } from '../../core/refunds/rules/refund.ts';
import type { ReversalReason, ReversalStatus } from '../../core/payments/rules/reversal.ts';
import { disputeViewSchema } from '../../core/disputes/views/dispute-view.ts';
import { reversalViewSchema } from '../../core/refunds/views/reversal-view.ts';
import { refundViewSchema } from '../../core/refunds/views/refund-view.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf } from '../base/descriptions.ts';
import {
  answerStatusEnum,
  disputeAnswerEnum,
  disputeStateEnum,
  refundFailureEnum,
  refundPendingReasonEnum,
  refundStatusEnum,
  reversalReasonEnum,
  reversalStatusEnum,
} from './payment-enums.ts';

const refund = descriptionsOf(refundViewSchema);
const reversal = descriptionsOf(reversalViewSchema);
const dispute = descriptionsOf(disputeViewSchema);

@ObjectType('Refund', { description: 'A refund of a payment, in full or in part.', simpleResolvers: true })
export class RefundType {
  @Field(() => ID, { description: refund.id })
  id!: string;

  @Field(() => ID, { description: refund.paymentId })
  paymentId!: string;

  @Field(() => Float, { description: refund.amount })
  amount!: number;

  @Field(() => refundStatusEnum, { description: refund.status })
  status!: RefundStatus;

  @Field(() => refundFailureEnum, { nullable: true, description: refund.failureReason })
  failureReason?: RefundFailure;

  @Field(() => refundPendingReasonEnum, { nullable: true, description: refund.pendingReason })
  pendingReason?: RefundPendingReason;

  @Field(() => String, { nullable: true, description: refund.reason })
  reason?: string;

  @Field(() => Boolean, { nullable: true, description: refund.awaitingApproval })
  awaitingApproval?: true;

  @Field(() => GraphQLDateTime, { description: refund.createdAt })
  createdAt!: string;
}

@ObjectType('Reversal', {
  description: 'Money of a received Pix that left again other than through a refund made here.',
  simpleResolvers: true,
})
export class ReversalType {
  @Field(() => ID, { description: reversal.id })
  id!: string;

  @Field(() => ID, { description: reversal.paymentId })
  paymentId!: string;

  @Field(() => String, { nullable: true, description: reversal.endToEndId })
  endToEndId?: string;

  @Field(() => Float, { description: reversal.amount })
  amount!: number;

  @Field(() => reversalReasonEnum, { description: reversal.reason })
  reason!: ReversalReason;

  @Field(() => reversalStatusEnum, { description: reversal.status })
  status!: ReversalStatus;

  @Field(() => GraphQLDateTime, { nullable: true, description: reversal.reversedAt })
  reversedAt?: string;

  @Field(() => GraphQLDateTime, { description: reversal.createdAt })
  createdAt!: string;
}

@ObjectType('Dispute', {
  description: 'A claim on the money of a payment, as its provider reports it.',
  simpleResolvers: true,
})
export class DisputeType {
  @Field(() => ID, { description: dispute.id })
  id!: string;

  @Field(() => ID, { description: dispute.paymentId })
  paymentId!: string;

  @Field(() => Float, { description: dispute.amount })
  amount!: number;

  @Field(() => disputeStateEnum, { description: dispute.state })
  state!: DisputeState;

  @Field(() => String, { nullable: true, description: dispute.reason })
  reason?: string;

  @Field(() => GraphQLDateTime, { nullable: true, description: dispute.defenceUntil })
  defenceUntil?: string;

  @Field(() => GraphQLDateTime, { nullable: true, description: dispute.openedAt })
  openedAt?: string;

  @Field(() => GraphQLDateTime, { nullable: true, description: dispute.closedAt })
  closedAt?: string;

  @Field(() => GraphQLDateTime, { description: dispute.createdAt })
  createdAt!: string;

  @Field(() => disputeAnswerEnum, { nullable: true, description: dispute.answer })
  answer?: DisputeAnswer;

  @Field(() => answerStatusEnum, { nullable: true, description: dispute.answerStatus })
  answerStatus?: 'sending' | 'sent';

  @Field(() => GraphQLDateTime, { nullable: true, description: dispute.answeredAt })
  answeredAt?: string;

  @Field(() => GraphQLDateTime, { nullable: true, description: dispute.answerRefusedAt })
  answerRefusedAt?: string;
}
