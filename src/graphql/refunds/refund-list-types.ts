import { Field, Float, InputType } from 'type-graphql';
import type { RefundStatus } from '../../core/refunds/rules/refund.ts';
import { listAllRefundsSchema } from '../../core/refunds/views/refund-list-input.ts';
import { connectionType } from '../base/connection.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf } from '../base/descriptions.ts';
import { refundStatusEnum } from '../payments/payment-enums.ts';
import { RefundType } from '../payments/refund-types.ts';

const filter = descriptionsOf(listAllRefundsSchema);

@InputType({ description: 'Which refunds to list.' })
export class RefundFilter {
  @Field(() => refundStatusEnum, { nullable: true, description: filter.status })
  status?: RefundStatus;

  @Field(() => Boolean, { nullable: true, description: filter.stuck })
  stuck?: boolean;

  @Field(() => String, { nullable: true, description: filter.search })
  search?: string;

  @Field(() => Float, { nullable: true, description: filter.amountFrom })
  amountFrom?: number;

  @Field(() => Float, { nullable: true, description: filter.amountTo })
  amountTo?: number;

  @Field(() => GraphQLDateTime, { nullable: true, description: filter.createdFrom })
  createdFrom?: Date;

  @Field(() => GraphQLDateTime, { nullable: true, description: filter.createdTo })
  createdTo?: Date;
}

export const RefundConnection = connectionType(RefundType, {
  name: 'Refund',
  nouns: 'refunds',
  order: 'oldest first for one payment, otherwise newest first',
});
