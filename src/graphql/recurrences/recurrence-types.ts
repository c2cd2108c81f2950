import { Field, Float, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import {
  type Authorization,
  authorizations,
  type DebitOutcome,
  debitOutcomes,
  type EndedBy,
  endings,
  frequencies,
  type Frequency,
  type PublicRecurrenceStatus,
  recurrenceStatuses,
  type RetryPolicy,
  retryPolicies,
  type Schedule,
  schedules,
} from '../../core/recurrences/rules/recurrence.ts';
import {
  chargeRecurrenceSchema,
  createRecurrenceSchema,
} from '../../core/recurrences/views/recurrence-input.ts';
import { recurrenceViewSchema } from '../../core/recurrences/views/recurrence-view.ts';
import { connectionType } from '../base/connection.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf } from '../base/descriptions.ts';

const recurrence = descriptionsOf(recurrenceViewSchema);
const input = descriptionsOf(createRecurrenceSchema);
const charge = descriptionsOf(chargeRecurrenceSchema);

function enumOf<Name extends string>(names: readonly Name[], name: string, description: string) {
  const made = Object.fromEntries(names.map((each) => [each, each]));
  registerEnumType(made, { name, description });
  return made;
}

const statusEnum = enumOf(recurrenceStatuses, 'RecurrenceStatus', 'Status of a recurrence.');
const endedByEnum = enumOf(endings, 'RecurrenceEndedBy', 'Who ended a recurrence.');
const frequencyEnum = enumOf(frequencies, 'RecurrenceFrequency', 'How often a debit is due.');
const retriesEnum = enumOf(retryPolicies, 'RecurrenceRetries', 'Whether failed debits are tried again.');
const authorizationEnum = enumOf(
  authorizations,
  'RecurrenceAuthorization',
  'How the payer permits a recurrence.',
);
const scheduleEnum = enumOf(schedules, 'RecurrenceSchedule', 'Who makes the debits of a recurrence.');
export const debitOutcomeEnum = enumOf(
  debitOutcomes,
  'DebitOutcome',
  'How the payer’s bank answers a debit in the sandbox.',
);

export type { DebitOutcome };

@InputType({ description: 'Who permits a recurrence.' })
class RecurrencePayerInput {
  @Field(() => String, { nullable: true, description: 'Name of the payer; required.' })
  name?: string;

  @Field(() => String, { nullable: true, description: 'CPF or CNPJ of the payer; required.' })
  document?: string;
}

@InputType({ description: 'The payment that is made when a recurrence is permitted.' })
class FirstPaymentInput {
  @Field(() => Float, { description: 'Amount in BRL.' })
  amount!: number;

  @Field(() => Float, { nullable: true, description: 'Minutes until it expires.' })
  expirationMinutes?: number;
}

@InputType({ description: 'A recurrence to ask a payer for.' })
export class CreateRecurrenceInput {
  @Field(() => RecurrencePayerInput, { nullable: true, description: input.payer })
  payer?: RecurrencePayerInput;

  @Field(() => String, { description: input.contract })
  contract!: string;

  @Field(() => String, { nullable: true, description: input.description })
  description?: string;

  @Field(() => Float, { nullable: true, description: input.amount })
  amount?: number;

  @Field(() => Float, { nullable: true, description: input.minimumAmount })
  minimumAmount?: number;

  @Field(() => frequencyEnum, { description: input.frequency })
  frequency!: Frequency;

  @Field(() => String, { description: input.startDate })
  startDate!: string;

  @Field(() => String, { nullable: true, description: input.endDate })
  endDate?: string;

  @Field(() => retriesEnum, { nullable: true, description: input.retries })
  retries?: RetryPolicy;

  @Field(() => authorizationEnum, { description: input.authorization })
  authorization!: Authorization;

  @Field(() => FirstPaymentInput, { nullable: true, description: input.firstPayment })
  firstPayment?: FirstPaymentInput;

  @Field(() => scheduleEnum, { nullable: true, description: input.schedule })
  schedule?: Schedule;

  @Field(() => String, { nullable: true, description: input.externalId })
  externalId?: string;

  @Field(() => String, { nullable: true, description: input.credentialId })
  credentialId?: string;

  @Field(() => String, { nullable: true, description: input.ruleSetId })
  ruleSetId?: string;
}

@InputType({ description: 'A debit to make.' })
export class ChargeRecurrenceInput {
  @Field(() => Float, { nullable: true, description: charge.amount })
  amount?: number;

  @Field(() => String, { description: charge.dueDate })
  dueDate!: string;

  @Field(() => String, { nullable: true, description: charge.description })
  description?: string;

  @Field(() => String, { nullable: true, description: charge.externalId })
  externalId?: string;
}

@InputType({ description: 'Which recurrences to list.' })
export class RecurrenceFilter {
  @Field(() => statusEnum, { nullable: true, description: recurrence.status })
  status?: PublicRecurrenceStatus;
}

@ObjectType({
  description: 'A payer’s standing permission to debit their account (Pix Automático).',
  simpleResolvers: true,
})
export class Recurrence {
  @Field(() => ID, { description: recurrence.id })
  id!: string;

  @Field(() => statusEnum, { description: recurrence.status })
  status!: PublicRecurrenceStatus;

  @Field(() => String, { nullable: true, description: recurrence.statusReason })
  statusReason?: string;

  @Field(() => endedByEnum, { nullable: true, description: recurrence.endedBy })
  endedBy?: EndedBy;

  @Field(() => Float, { nullable: true, description: recurrence.amount })
  amount?: number;

  @Field(() => Float, { nullable: true, description: recurrence.minimumAmount })
  minimumAmount?: number;

  @Field(() => frequencyEnum, { description: recurrence.frequency })
  frequency!: Frequency;

  @Field(() => String, { description: recurrence.startDate })
  startDate!: string;

  @Field(() => String, { nullable: true, description: recurrence.endDate })
  endDate?: string;

  @Field(() => retriesEnum, { description: recurrence.retries })
  retries!: RetryPolicy;

  @Field(() => authorizationEnum, { description: recurrence.authorization })
  authorization!: Authorization;

  @Field(() => scheduleEnum, { description: recurrence.schedule })
  schedule!: Schedule;

  @Field(() => String, { description: recurrence.contract })
  contract!: string;

  @Field(() => String, { nullable: true, description: recurrence.description })
  description?: string;

  @Field(() => String, { nullable: true, description: recurrence.externalId })
  externalId?: string;

  @Field(() => String, { description: recurrence.provider })
  provider!: string;

  @Field(() => String, { description: recurrence.payerName })
  payerName!: string;

  @Field(() => String, { description: recurrence.payerDocument })
  payerDocument!: string;

  @Field(() => String, { nullable: true, description: recurrence.pixCopyPaste })
  pixCopyPaste?: string;

  @Field(() => String, { nullable: true, description: recurrence.pixQrCodeBase64 })
  pixQrCodeBase64?: string;

  @Field(() => ID, { nullable: true, description: recurrence.firstPaymentId })
  firstPaymentId?: string;

  @Field(() => String, { nullable: true, description: recurrence.nextDebitOn })
  nextDebitOn?: string;

  @Field(() => GraphQLDateTime, { description: recurrence.createdAt })
  createdAt!: string;

  @Field(() => GraphQLDateTime, { description: recurrence.expiresAt })
  expiresAt!: string;

  @Field(() => GraphQLDateTime, { nullable: true, description: recurrence.activatedAt })
  activatedAt?: string;

  @Field(() => GraphQLDateTime, { nullable: true, description: recurrence.endedAt })
  endedAt?: string;

  @Field(() => Boolean, { description: recurrence.isTest })
  isTest!: boolean;
}

export const RecurrenceConnection = connectionType(Recurrence, {
  name: 'Recurrence',
  nouns: 'recurrences',
  order: 'newest first',
});
