import { Field, Float, ID, InputType, Int } from 'type-graphql';
import { addressSchema } from '../../core/payments/rules/address-schema.ts';
import type { PaymentConcern, PublicStatus } from '../../core/payments/rules/payment.ts';
import type { JsonObject } from '../../core/base/json/json-object.ts';
import { createPaymentSchema } from '../../core/payments/rules/create-payment-input.ts';
import { updatePaymentSchema } from '../../core/payments/views/update-payment-input.ts';
import { listPaymentsSchema } from '../../core/payments/views/list-payments-input.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf } from '../base/descriptions.ts';
import { GraphQLJSONObject } from '../base/json-object.ts';
import { DueInput } from './due-inputs.ts';
import { concernEnum, statusEnum } from './payment-enums.ts';

const newPayment = descriptionsOf(createPaymentSchema);
const payer = descriptionsOf(createPaymentSchema.shape.payer.unwrap());
const address = descriptionsOf(addressSchema);
const filter = descriptionsOf(listPaymentsSchema);
const changes = descriptionsOf(updatePaymentSchema);

@InputType({ description: payer.address })
export class AddressInput {
  @Field(() => String, { description: address.street })
  street!: string;

  @Field(() => String, { description: address.number })
  number!: string;

  @Field(() => String, { nullable: true, description: address.complement })
  complement?: string;

  @Field(() => String, { nullable: true, description: address.district })
  district?: string;

  @Field(() => String, { description: address.city })
  city!: string;

  @Field(() => String, { description: address.state })
  state!: string;

  @Field(() => String, { description: address.postalCode })
  postalCode!: string;
}

@InputType({ description: newPayment.payer })
export class PayerInput {
  @Field(() => String, { nullable: true, description: payer.name })
  name?: string;

  @Field(() => String, { nullable: true, description: payer.document })
  document?: string;

  @Field(() => String, { nullable: true, description: payer.email })
  email?: string;

  @Field(() => String, { nullable: true, description: payer.phone })
  phone?: string;

  @Field(() => AddressInput, { nullable: true, description: payer.address })
  address?: AddressInput;
}

@InputType({ description: 'A payment to create.' })
export class CreatePaymentInput {
  @Field(() => Float, { description: newPayment.amount })
  amount!: number;

  @Field(() => String, { nullable: true, description: newPayment.credentialId })
  credentialId?: string;

  @Field(() => String, { nullable: true, description: newPayment.ruleSetId })
  ruleSetId?: string;

  @Field(() => String, { nullable: true, description: newPayment.description })
  description?: string;

  @Field(() => String, { nullable: true, description: newPayment.externalId })
  externalId?: string;

  @Field(() => String, { nullable: true, description: newPayment.fiscalDocument })
  fiscalDocument?: string;

  @Field(() => PayerInput, { nullable: true, description: newPayment.payer })
  payer?: PayerInput;

  @Field(() => Float, { nullable: true, description: newPayment.expirationMinutes })
  expirationMinutes?: number;

  @Field(() => String, { nullable: true, description: newPayment.returnUrl })
  returnUrl?: string;

  @Field(() => DueInput, { nullable: true, description: newPayment.due })
  due?: DueInput;

  @Field(() => GraphQLJSONObject, { nullable: true, description: newPayment.metadata })
  metadata?: JsonObject;
}

@InputType({ description: 'What to change of a payment with a due date.' })
export class UpdatePaymentInput {
  @Field(() => Int, { nullable: true, description: changes.revision })
  revision?: number;

  @Field(() => Float, { nullable: true, description: changes.amount })
  amount?: number;

  @Field(() => DueInput, { nullable: true, description: changes.due })
  due?: DueInput;

  @Field(() => String, { nullable: true, description: changes.description })
  description?: string;

  @Field(() => GraphQLJSONObject, { nullable: true, description: changes.metadata })
  metadata?: JsonObject;
}

@InputType({ description: 'Selects payments; all conditions must hold.' })
export class PaymentFilter {
  @Field(() => statusEnum, { nullable: true, description: filter.status })
  status?: PublicStatus;

  @Field(() => String, { nullable: true, description: filter.externalId })
  externalId?: string;

  @Field(() => concernEnum, { nullable: true, description: filter.concern })
  concern?: PaymentConcern;

  @Field(() => String, { nullable: true, description: filter.search })
  search?: string;

  @Field(() => String, { nullable: true, description: filter.payer })
  payer?: string;

  @Field(() => String, { nullable: true, description: filter.provider })
  provider?: string;

  @Field(() => ID, { nullable: true, description: filter.credentialId })
  credentialId?: string;

  @Field(() => Float, { nullable: true, description: filter.amountFrom })
  amountFrom?: number;

  @Field(() => Float, { nullable: true, description: filter.amountTo })
  amountTo?: number;

  @Field(() => String, { nullable: true, description: filter.dueFrom })
  dueFrom?: string;

  @Field(() => String, { nullable: true, description: filter.dueTo })
  dueTo?: string;

  @Field(() => Boolean, { nullable: true, description: filter.overdue })
  overdue?: boolean;

  @Field(() => Boolean, { nullable: true, description: filter.refunded })
  refunded?: boolean;

  @Field(() => GraphQLDateTime, { nullable: true, description: filter.paidFrom })
  paidFrom?: Date;

  @Field(() => GraphQLDateTime, { nullable: true, description: filter.paidTo })
  paidTo?: Date;

  @Field(() => GraphQLDateTime, { nullable: true, description: filter.createdFrom })
  createdFrom?: Date;

  @Field(() => GraphQLDateTime, { nullable: true, description: filter.createdTo })
  createdTo?: Date;
}
