import { Field, Float, ID, ObjectType, Int } from 'type-graphql';
import type { JsonText } from '../../core/base/json/json-text.ts';
import { addressSchema } from '../../core/payments/rules/address-schema.ts';
import type { PublicStatus } from '../../core/payments/rules/payment.ts';
import { institutionSchema, paidBySchema } from '../../core/payments/views/paid-by-view.ts';
import { paymentViewSchema } from '../../core/payments/views/payment-view.ts';
import { connectionType } from '../base/connection.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf } from '../base/descriptions.ts';
import { GraphQLJSONObject } from '../base/json-object.ts';
import { Debit } from './debit-types.ts';
import { AmountParts, Due } from './due-types.ts';
import { statusEnum } from './payment-enums.ts';
import { Node } from '../base/node.ts';

const payment = descriptionsOf(paymentViewSchema);
const address = descriptionsOf(addressSchema);
const paidBy = descriptionsOf(paidBySchema);
const institution = descriptionsOf(institutionSchema);

@ObjectType({ description: payment.payerAddress, simpleResolvers: true })
class Address {
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

@ObjectType({ description: 'An institution of the Brazilian payment system.', simpleResolvers: true })
export class Institution {
  @Field(() => String, { description: institution.ispb })
  ispb!: string;

  @Field(() => String, { nullable: true, description: institution.name })
  name?: string | null;
}

@ObjectType({ description: payment.paidBy, simpleResolvers: true })
export class PaidBy {
  @Field(() => String, { nullable: true, description: paidBy.name })
  name?: string;

  @Field(() => String, { nullable: true, description: paidBy.documentMasked })
  documentMasked?: string;

  @Field(() => Institution, { nullable: true, description: paidBy.institution })
  institution?: Institution;

  @Field(() => String, { nullable: true, description: paidBy.message })
  message?: string;
}

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

  @Field(() => String, { nullable: true, description: payment.fiscalDocument })
  fiscalDocument?: string;

  @Field(() => String, { nullable: true, description: payment.pixCopyPaste })
  pixCopyPaste?: string;

  @Field(() => String, { nullable: true, description: payment.pixQrCodeBase64 })
  pixQrCodeBase64?: string;

  @Field(() => String, { nullable: true, description: payment.txid })
  txid?: string;

  @Field(() => GraphQLDateTime, { description: payment.expiresAt })
  expiresAt!: string;

  @Field(() => GraphQLDateTime, { nullable: true, description: payment.confirmedAt })
  confirmedAt?: string;

  @Field(() => GraphQLDateTime, { nullable: true, description: payment.cancelledAt })
  cancelledAt?: string;

  @Field(() => String, { nullable: true, description: payment.endToEndId })
  endToEndId?: string;

  @Field(() => Float, { nullable: true, description: payment.amountRefunded })
  amountRefunded?: number;

  @Field(() => Float, { nullable: true, description: payment.amountReversed })
  amountReversed?: number;

  @Field(() => Due, { nullable: true, description: payment.due })
  due?: Due;

  @Field(() => Int, { nullable: true, description: payment.revision })
  revision?: number;

  @Field(() => Boolean, { nullable: true, description: payment.overdue })
  overdue?: true;

  @Field(() => ID, { nullable: true, description: payment.recurrenceId })
  recurrenceId?: string;

  @Field(() => String, { nullable: true, description: payment.dueDate })
  dueDate?: string;

  @Field(() => Debit, { nullable: true, description: payment.debit })
  debit?: Debit;

  @Field(() => Float, { nullable: true, description: payment.amountPaid })
  amountPaid?: number;

  @Field(() => AmountParts, { nullable: true, description: payment.amountParts })
  amountParts?: AmountParts;

  @Field(() => Boolean, { nullable: true, description: payment.disputed })
  disputed?: true;

  @Field(() => String, { nullable: true, description: payment.checkoutUrl })
  checkoutUrl?: string;

  @Field(() => String, { nullable: true, description: payment.payerName })
  payerName?: string;

  @Field(() => String, { nullable: true, description: payment.payerDocument })
  payerDocument?: string;

  @Field(() => String, { nullable: true, description: payment.payerEmail })
  payerEmail?: string;

  @Field(() => Address, { nullable: true, description: payment.payerAddress })
  payerAddress?: Address;

  @Field(() => PaidBy, { nullable: true, description: payment.paidBy })
  paidBy?: PaidBy;

  @Field(() => Boolean, { nullable: true, description: payment.payerMatches })
  payerMatches?: boolean;

  @Field(() => Boolean, { description: payment.isTest })
  isTest!: boolean;

  @Field(() => GraphQLJSONObject, { nullable: true, description: payment.metadata })
  metadata?: JsonText;
}

@ObjectType('Payment', { description: 'A PIX payment.', implements: Node, simpleResolvers: true })
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

@ObjectType({ description: 'What held before a payment was changed.', simpleResolvers: true })
export class PreviousTerms {
  @Field(() => Float, { description: payment.amount })
  amount!: number;

  @Field(() => Due, { nullable: true, description: payment.due })
  due?: Due;

  @Field(() => String, { nullable: true, description: payment.description })
  description?: string;
}

export const PaymentConnection = connectionType(PaymentType, {
  name: 'Payment',
  nouns: 'payments',
  order: 'newest first',
});

@ObjectType({ description: 'Number and amount of some payments.', simpleResolvers: true })
export class PaymentTotals {
  @Field(() => Int, { description: 'Number of payments, up to 10,000.' })
  count!: number;

  @Field(() => Float, {
    description: 'Sum of `amount` of these payments, in BRL: the original ones of payments with a due date.',
  })
  amount!: number;

  @Field(() => Boolean, {
    description: 'Whether only the newest are counted: there are more, or some have not been compared.',
  })
  isAtLeast!: boolean;
}
