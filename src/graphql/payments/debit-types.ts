import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { debitViewSchema } from '../../core/payments/views/debit-view.ts';
import {
  type DebitAttempt as Attempt,
  type Debit as StoredDebit,
  debitAttemptStates,
  type DebitFailure,
  debitFailures,
  debitStates,
} from '../../core/recurrences/rules/debit.ts';
import { descriptionsOf } from '../base/descriptions.ts';

const debit = descriptionsOf(debitViewSchema);
const attempt = descriptionsOf(debitViewSchema.shape.attempts.element);

const enumOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, name]));

const stateEnum = enumOf(debitStates);
registerEnumType(stateEnum, { name: 'DebitState', description: 'How far a debit is.' });

const attemptStateEnum = enumOf(debitAttemptStates);
registerEnumType(attemptStateEnum, {
  name: 'DebitAttemptState',
  description: 'What has become of a day on which the payer’s bank was asked.',
});

const failureEnum = enumOf(debitFailures);
registerEnumType(failureEnum, { name: 'DebitFailure', description: 'Why a debit failed.' });

@ObjectType({ description: 'A day on which the payer’s bank was asked for a debit.', simpleResolvers: true })
class DebitAttempt {
  @Field(() => String, { description: attempt.on })
  on!: string;

  @Field(() => attemptStateEnum, { description: attempt.state })
  state!: Attempt['state'];

  @Field(() => failureEnum, { nullable: true, description: attempt.reason })
  reason?: DebitFailure;

  @Field(() => String, { nullable: true, description: attempt.providerCode })
  providerCode?: string;

  @Field(() => String, { nullable: true, description: attempt.endToEndId })
  endToEndId?: string;
}

@ObjectType({ description: 'What makes a payment a debit of a recurrence.', simpleResolvers: true })
export class Debit {
  @Field(() => stateEnum, { description: debit.state })
  state!: StoredDebit['state'];

  @Field(() => failureEnum, { nullable: true, description: debit.reason })
  reason?: DebitFailure;

  @Field(() => String, { nullable: true, description: debit.retryOn })
  retryOn?: string;

  @Field(() => [DebitAttempt], { description: debit.attempts })
  attempts!: DebitAttempt[];
}
