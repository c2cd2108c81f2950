import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { type Period, periods } from '../../core/batches/rules/instalments.ts';
import { createBatchSchema } from '../../core/batches/views/batch-input.ts';
import {
  batchItemSchema,
  batchProblemSchema,
  type BatchItemView,
  type BatchView,
  batchWithItemsSchema,
} from '../../core/batches/views/batch-view.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf } from '../base/descriptions.ts';
import { GraphQLJSONObject } from '../base/json-object.ts';
import { statusEnum } from '../payments/payment-enums.ts';
import { CreatePaymentInput } from '../payments/payment-inputs.ts';
import { Node } from '../base/node.ts';

const input = descriptionsOf(createBatchSchema);
const batch = descriptionsOf(batchWithItemsSchema);
const item = descriptionsOf(batchItemSchema);
const problem = descriptionsOf(batchProblemSchema);

const enumOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, name]));

const periodEnum = enumOf(periods);
registerEnumType(periodEnum, {
  name: 'InstalmentPeriod',
  description: 'How far the due dates of instalments are apart.',
  valuesConfig: { month: { description: 'A month.' }, week: { description: 'Seven days.' } },
});

const batchStateEnum = enumOf(batchWithItemsSchema.shape.state.options);
registerEnumType(batchStateEnum, {
  name: 'PaymentBatchState',
  description: 'How far a batch is.',
  valuesConfig: {
    processing: { description: 'Some payments have no outcome yet.' },
    completed: { description: 'Every payment has its outcome, which may be that it failed.' },
  },
});

const itemStateEnum = enumOf(batchItemSchema.shape.state.options);
registerEnumType(itemStateEnum, {
  name: 'PaymentBatchItemState',
  description: 'Whether a payment of a batch was created.',
  valuesConfig: {
    pending: { description: 'Its turn has not come.' },
    created: { description: 'It was created.' },
    failed: { description: 'It could not be created.' },
  },
});

@InputType({ description: 'Payments to create together: exactly one of payments and payment.' })
export class CreatePaymentBatchInput {
  @Field(() => [CreatePaymentInput], { nullable: true, description: input.payments })
  payments?: CreatePaymentInput[];

  @Field(() => CreatePaymentInput, { nullable: true, description: input.payment })
  payment?: CreatePaymentInput;

  @Field(() => Int, { nullable: true, description: input.instalments })
  instalments?: number;

  @Field(() => periodEnum, { nullable: true, description: input.every })
  every?: Period;
}

@ObjectType({ description: 'A rule that a payment of a batch broke.', simpleResolvers: true })
class PaymentBatchProblem {
  @Field(() => String, { description: problem.path })
  path!: string;

  @Field(() => String, { description: problem.rule })
  rule!: string;

  @Field(() => GraphQLJSONObject, { description: problem.params })
  params!: object;
}

@ObjectType({ description: 'What became of a payment of a batch.', simpleResolvers: true })
class PaymentBatchItem {
  @Field(() => Int, { description: item.position })
  position!: number;

  @Field(() => itemStateEnum, { description: item.state })
  state!: BatchItemView['state'];

  @Field(() => ID, { nullable: true, description: item.paymentId })
  paymentId?: string;

  @Field(() => statusEnum, { nullable: true, description: item.paymentStatus })
  paymentStatus?: BatchItemView['paymentStatus'];

  @Field(() => Float, { nullable: true, description: item.amount })
  amount?: number;

  @Field(() => String, { nullable: true, description: item.dueDate })
  dueDate?: string;

  @Field(() => Boolean, { nullable: true, description: item.overdue })
  overdue?: true;

  @Field(() => String, { nullable: true, description: item.code })
  code?: string;

  @Field(() => String, { nullable: true, description: item.message })
  message?: string;

  @Field(() => [PaymentBatchProblem], { nullable: true, description: item.problems })
  problems?: PaymentBatchProblem[];
}

@ObjectType({
  description: 'Payments that were asked for together.',
  implements: Node,
  simpleResolvers: true,
})
export class PaymentBatch {
  @Field(() => ID, { description: batch.id })
  id!: string;

  @Field(() => batchStateEnum, { description: batch.state })
  state!: BatchView['state'];

  @Field(() => periodEnum, { nullable: true, description: batch.every })
  every?: Period;

  @Field(() => Int, { description: batch.count })
  count!: number;

  @Field(() => Int, { description: batch.created })
  created!: number;

  @Field(() => Int, { description: batch.failed })
  failed!: number;

  @Field(() => GraphQLDateTime, { description: batch.createdAt })
  createdAt!: string;

  @Field(() => [PaymentBatchItem], { description: batch.items })
  items!: PaymentBatchItem[];
}
