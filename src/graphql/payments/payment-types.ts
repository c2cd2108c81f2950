import { GraphQLDateTime } from 'graphql-scalars';
import { Field, Float, ID, InputType, ObjectType } from 'type-graphql';
import type { JsonText } from '../../domain/json/json-text.ts';
import type { JsonObject, PaymentConcern, PublicStatus } from '../../domain/payments/payment.ts';
import type { RefundFailure, RefundStatus } from '../../domain/payments/refund.ts';
import { createPaymentSchema } from '../../services/payments/create-payment-input.ts';
import { listPaymentsSchema } from '../../services/payments/list-payments-input.ts';
import { paymentViewSchema } from '../../services/payments/payment-view.ts';
import { refundViewSchema } from '../../services/refunds/refund-view.ts';
import { connectionType } from '../connection.ts';
import { descriptionsOf } from '../descriptions.ts';
import { GraphQLJSONObject } from '../json-object.ts';
import { concernEnum, refundFailureEnum, refundStatusEnum, statusEnum } from './payment-enums.ts';

const payment = descriptionsOf(paymentViewSchema);
const refund = descriptionsOf(refundViewSchema);
const newPayment = descriptionsOf(createPaymentSchema);
const payer = descriptionsOf(createPaymentSchema.shape.payer.unwrap());
const filter = descriptionsOf(listPaymentsSchema);

/** Every field of the REST resource except `id`. */
@ObjectType({ simpleResolvers: true })
class PaymentFields {
  @Field(() => Float, { description: payment.amount })
  amount!: number;

  @Field(() => String, { description: payment.currency })
  currency!: string;

  @Field(() => statusEnum, { description: payment.status })
  status!: PublicStatus;

  @Field(() => String, { description: payment.provider })
  provider!: string;

  @Field(() => GraphQLDateTime, { description: payment.createdAt })
  createdAt!: string;

  @Field(() => String, { nullable: true, description: payment.description })
  description?: string;

  @Field(() => String, { nullable: true, description: payment.externalId })
  externalId?: string;

  @Field(() => String, { nullable: true, description: payment.pixCopyPaste })
  pixCopyPaste?: string;

  @Field(() => String, { nullable: true, description: payment.pixQrCodeBase64 })
  pixQrCodeBase64?: string;

  @Field(() => GraphQLDateTime, { description: payment.expiresAt })
  expiresAt!: string;

  @Field(() => GraphQLDateTime, { nullable: true, description: payment.confirmedAt })
  confirmedAt?: string;

  @Field(() => String, { nullable: true, description: payment.endToEndId })
  endToEndId?: string;

  @Field(() => Float, { nullable: true, description: payment.amountRefunded })
  amountRefunded?: number;

  @Field(() => String, { nullable: true, description: payment.payerName })
  payerName?: string;

  @Field(() => String, { nullable: true, description: payment.payerDocument })
  payerDocument?: string;

  @Field(() => String, { nullable: true, description: payment.payerEmail })
  payerEmail?: string;

  @Field(() => Boolean, { description: payment.isTest })
  isTest!: boolean;

  @Field(() => GraphQLJSONObject, { nullable: true, description: payment.metadata })
  metadata?: JsonText;
}

@ObjectType('Payment', { description: 'A PIX payment.', simpleResolvers: true })
export class PaymentType extends PaymentFields {
  @Field(() => ID, { description: payment.id })
  id!: string;
}

/** Client caches identify objects by type and id: an old event typed as `Payment` would overwrite newer data. */
@ObjectType({ description: 'A payment at the time of an event.', simpleResolvers: true })
export class PaymentSnapshot extends PaymentFields {
  @Field(() => ID, {
    description: payment.id,
    deprecationReason: 'Use paymentId: with `id`, client caches merge all snapshots of a payment.',
  })
  id!: string;
}

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

  @Field(() => Boolean, { nullable: true, description: refund.awaitingApproval })
  awaitingApproval?: true;

  @Field(() => GraphQLDateTime, { description: refund.createdAt })
  createdAt!: string;
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

  @Field(() => PayerInput, { nullable: true, description: newPayment.payer })
  payer?: PayerInput;

  @Field(() => Float, { nullable: true, description: newPayment.expirationMinutes })
  expirationMinutes?: number;

  @Field(() => GraphQLJSONObject, { nullable: true, description: newPayment.metadata })
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

  @Field(() => GraphQLDateTime, { nullable: true, description: filter.createdFrom })
  createdFrom?: Date;

  @Field(() => GraphQLDateTime, { nullable: true, description: filter.createdTo })
  createdTo?: Date;
}

export const PaymentConnection = connectionType(PaymentType, {
  name: 'Payment',
  nouns: 'payments',
  order: 'newest first',
});

export const RefundConnection = connectionType(RefundType, {
  name: 'Refund',
  nouns: 'refunds',
  order: 'oldest first',
});
