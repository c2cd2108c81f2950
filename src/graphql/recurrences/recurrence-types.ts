import { Field, Float, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import type {
  Authorization,
  DebitOutcome,
  EndedBy,
  Frequency,
  PublicRecurrenceStatus,
  RetryPolicy,
  Schedule,
} from '../../core/recurrences/rules/recurrence.ts';
import {
  chargeRecurrenceSchema,
  createRecurrenceSchema,
  firstPaymentSchema,
  payerAccountSchema,
} from '../../core/recurrences/views/recurrence-input.ts';
import {
  payerAccountViewSchema,
  recurrenceViewSchema,
} from '../../core/recurrences/views/recurrence-view.ts';
import { connectionType } from '../base/connection.ts';
import { DueInput } from '../payments/due-inputs.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf } from '../base/descriptions.ts';
import { PayerInput } from '../payments/payment-inputs.ts';
import { Node } from '../base/node.ts';

const recurrence = descriptionsOf(recurrenceViewSchema);
const input = descriptionsOf(createRecurrenceSchema);
const charge = descriptionsOf(chargeRecurrenceSchema);
const first = descriptionsOf(firstPaymentSchema);
const account = descriptionsOf(payerAccountSchema);
const shownAccount = descriptionsOf(payerAccountViewSchema);

function enumOf<Name extends string>(name: string, description: string, words: Record<Name, string>) {
  const names = Object.keys(words) as Name[];
  const made = Object.fromEntries(names.map((each) => [each, each]));
  const valuesConfig = Object.fromEntries(names.map((each) => [each, { description: words[each] }]));
  registerEnumType(made, { name, description, valuesConfig });
  return made;
}

const statusEnum = enumOf<PublicRecurrenceStatus>('RecurrenceStatus', 'Status of a recurrence.', {
  pending: 'The payer has not permitted it yet.',
  active: 'The payer has permitted it.',
  rejected: 'The payer has refused it.',
  expired: 'Nobody permitted it in time, or its last day is over.',
  cancelled: 'Somebody ended it.',
});
const endedByEnum = enumOf<EndedBy>('RecurrenceEndedBy', 'Who ended a recurrence.', {
  payer: 'The payer.',
  payer_bank: 'The payer’s bank.',
  receiver: 'You.',
  receiver_bank: 'Your provider.',
});
const frequencyEnum = enumOf<Frequency>('RecurrenceFrequency', 'How often the debits of a recurrence come.', {
  weekly: 'Every seven days.',
  monthly: 'Every month.',
  quarterly: 'Every three months.',
  semiannually: 'Every six months.',
  annually: 'Every year.',
});
const retriesEnum = enumOf<RetryPolicy>('RecurrenceRetries', 'Whether failed debits are tried again.', {
  none: 'Never.',
  three_in_seven_days: 'On up to three days within seven.',
});
const authorizationEnum = enumOf<Authorization>(
  'RecurrenceAuthorization',
  'What a payer permits a recurrence with.',
  {
    qr: 'A QR code.',
    qr_with_payment: 'A QR code that also pays a first payment.',
    offer: 'The QR code of a payment with a due date, which can be paid without permitting anything.',
    push: 'The app of their bank, which asks them.',
  },
);
const scheduleEnum = enumOf<Schedule>('RecurrenceSchedule', 'Who makes the debits of a recurrence.', {
  automatic: 'The service makes each of them.',
  manual: 'You ask for each of them.',
});
export const debitOutcomeEnum = enumOf<DebitOutcome>('DebitOutcome', 'What the sandbox does with a debit.', {
  paid: 'Pays it.',
  no_balance: 'Fails for want of balance.',
  limit: 'Fails because of the payer’s limit.',
  account_closed: 'Fails because the account is closed.',
  operational: 'Fails because of a fault of a bank.',
  already_paid: 'Fails because it was paid already.',
});

export type { DebitOutcome };

@InputType({ description: 'The payment that is made when a recurrence is permitted.' })
class FirstPaymentInput {
  @Field(() => Float, { description: first.amount })
  amount!: number;

  @Field(() => Float, { nullable: true, description: first.expirationMinutes })
  expirationMinutes?: number;

  @Field(() => DueInput, { nullable: true, description: first.due })
  due?: DueInput;
}

@InputType({ description: 'Where a payer’s bank asks them.' })
class PayerAccountInput {
  @Field(() => String, { description: account.ispb })
  ispb!: string;

  @Field(() => String, { nullable: true, description: account.branch })
  branch?: string;

  @Field(() => String, { description: account.account })
  account!: string;
}

@ObjectType({ description: 'Where a payer’s bank asked them.', simpleResolvers: true })
class PayerAccount {
  @Field(() => String, { description: shownAccount.ispb })
  ispb!: string;

  @Field(() => String, { nullable: true, description: shownAccount.branch })
  branch?: string;

  @Field(() => String, { description: shownAccount.account })
  account!: string;
}

@InputType({ description: 'A recurrence to ask a payer for.' })
export class CreateRecurrenceInput {
  @Field(() => PayerInput, { nullable: true, description: input.payer })
  payer?: PayerInput;

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

  @Field(() => PayerAccountInput, { nullable: true, description: input.payerAccount })
  payerAccount?: PayerAccountInput;

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

@InputType({ description: 'What the recurrences listed have in common.' })
export class RecurrenceFilter {
  @Field(() => statusEnum, { nullable: true, description: recurrence.status })
  status?: PublicRecurrenceStatus;
}

@ObjectType({
  description: 'What a payer permits once, so that each debit is a payment (Pix Automático).',
  implements: Node,
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

  @Field(() => PayerAccount, { nullable: true, description: recurrence.payerAccount })
  payerAccount?: PayerAccount;

  @Field(() => String, { nullable: true, description: recurrence.pixCopyPaste })
  pixCopyPaste?: string;

  @Field(() => String, { nullable: true, description: recurrence.pixQrCodeBase64 })
  pixQrCodeBase64?: string;

  @Field(() => String, { nullable: true, description: recurrence.checkoutUrl })
  checkoutUrl?: string;

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
