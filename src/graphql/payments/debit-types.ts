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
registerEnumType(stateEnum, {
  name: 'DebitState',
  description: 'How far a debit is.',
  valuesConfig: {
    scheduled: { description: 'No day has failed.' },
    retrying: { description: 'A day failed, and another one may be tried.' },
    failed: { description: 'It failed, and can be tried no more.' },
  },
});

const attemptStateEnum = enumOf(debitAttemptStates);
registerEnumType(attemptStateEnum, {
  name: 'DebitAttemptState',
  description: 'What has become of a day on which the payer’s bank was asked.',
  valuesConfig: {
    requested: { description: 'The payer’s bank has not answered.' },
    scheduled: { description: 'The payer’s bank has taken it.' },
    paid: { description: 'The money came.' },
    rejected: { description: 'A bank refused it.' },
    expired: { description: 'The day passed without the money.' },
    cancelled: { description: 'It was cancelled before its day.' },
  },
});

const failureEnum = enumOf(debitFailures);
registerEnumType(failureEnum, {
  name: 'DebitFailure',
  description: 'Why a debit failed.',
  valuesConfig: {
    limit: { description: 'The amount exceeds the limit that the payer set.' },
    no_balance: { description: 'The account had too little money.' },
    mandate_ended: { description: 'The payer no longer permits it.' },
    payer_data: { description: 'Something about the payer does not match.' },
    account: { description: 'The payer’s account is closed or blocked.' },
    our_fault: { description: 'It was sent too late or not as the scheme asks; the payer is not to blame.' },
    operational: { description: 'A bank had a fault.' },
    already_paid: { description: 'It was paid already.' },
    unknown: { description: 'The provider’s code is not known.' },
  },
});

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
