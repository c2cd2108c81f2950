import { GraphQLDateTime } from 'graphql-scalars';
import { Field, Float, ID, InputType, ObjectType } from 'type-graphql';
import type { JsonText } from '../../domain/json/json-text.ts';
import type { JsonObject, PaymentConcern, PublicStatus } from '../../domain/payments/payment.ts';
import type { RefundFailure, RefundStatus } from '../../domain/payments/refund.ts';
import { GraphQLJSONObject } from '../json-object.ts';
import { concernEnum, refundFailureEnum, refundStatusEnum, statusEnum } from './payment-enums.ts';

/** Field for field the retrieve response of REST, but for its id. */
@ObjectType({ simpleResolvers: true })
class PaymentFields {
  @Field(() => Float, { description: 'Payment amount in BRL.' })
  amount!: number;

  @Field(() => String, { description: 'Currency: BRL.' })
  currency!: string;

  @Field(() => statusEnum, { description: 'Payment status.' })
  status!: PublicStatus;

  @Field(() => String, { description: 'Payment provider.' })
  provider!: string;

  @Field(() => GraphQLDateTime, { description: 'Creation instant.' })
  createdAt!: string;

  @Field(() => String, { nullable: true, description: 'Payment description.' })
  description?: string;

  @Field(() => String, { nullable: true, description: "Caller's own reference id." })
  externalId?: string;

  @Field(() => String, { nullable: true, description: 'PIX copy-and-paste code.' })
  pixCopyPaste?: string;

  @Field(() => String, { nullable: true, description: 'QR code: a PNG image in Base64.' })
  pixQrCodeBase64?: string;

  @Field(() => GraphQLDateTime, { description: 'Expiration instant.' })
  expiresAt!: string;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'Instant the payment was confirmed.' })
  confirmedAt?: string;

  @Field(() => String, {
    nullable: true,
    description: "The Banco Central's id of the Pix that paid, where the provider tells it.",
  })
  endToEndId?: string;

  @Field(() => Float, {
    nullable: true,
    description: 'What was given back so far, in BRL; null while nothing was.',
  })
  amountRefunded?: number;

  @Field(() => String, { nullable: true, description: 'Payer name.' })
  payerName?: string;

  @Field(() => String, { nullable: true, description: 'Payer document.' })
  payerDocument?: string;

  @Field(() => String, { nullable: true, description: 'Payer e-mail.' })
  payerEmail?: string;

  @Field(() => Boolean, { description: 'True for a test (sandbox) payment.' })
  isTest!: boolean;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Metadata as sent.' })
  metadata?: JsonText;
}

@ObjectType('Payment', { description: 'A PIX payment.', simpleResolvers: true })
export class PaymentType extends PaymentFields {
  @Field(() => ID, { description: 'Unique payment id.' })
  id!: string;
}

/** Caches of clients know an object by type and id: as a `Payment`, an old event would undo what happened since. */
@ObjectType({ description: 'A payment as it was at an event.', simpleResolvers: true })
export class PaymentSnapshot extends PaymentFields {
  @Field(() => ID, {
    description: 'Unique payment id.',
    deprecationReason: 'Use paymentId: by `id`, caches take the snapshots of one payment for one object.',
  })
  id!: string;
}

@ObjectType('Refund', { description: 'Money given back.', simpleResolvers: true })
export class RefundType {
  @Field(() => ID, { description: 'Unique refund id.' })
  id!: string;

  @Field(() => ID, { description: 'The payment that is refunded.' })
  paymentId!: string;

  @Field(() => Float, { description: 'Amount given back, in BRL.' })
  amount!: number;

  @Field(() => refundStatusEnum, { description: 'What the provider says.' })
  status!: RefundStatus;

  @Field(() => refundFailureEnum, {
    nullable: true,
    description: 'Why the money stayed, once it has failed.',
  })
  failureReason?: RefundFailure;

  @Field(() => Boolean, { nullable: true, description: 'True while it waits for a second person.' })
  awaitingApproval?: true;

  @Field(() => GraphQLDateTime, { description: 'Creation instant.' })
  createdAt!: string;
}

@InputType({ description: 'Who pays. Some providers need some of it.' })
export class PayerInput {
  @Field(() => String, { nullable: true, description: 'At most 200 characters.' })
  name?: string;

  @Field(() => String, { nullable: true, description: 'CPF or CNPJ, with or without punctuation.' })
  document?: string;

  @Field(() => String, { nullable: true, description: 'E-mail address.' })
  email?: string;

  @Field(() => String, { nullable: true, description: 'Required by some providers.' })
  phone?: string;
}

@InputType({ description: 'The create request of REST.' })
export class CreatePaymentInput {
  @Field(() => Float, { description: 'Value in BRL with at most two decimals, at least 0.01.' })
  amount!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Credential to use directly; any rule set is then ignored.',
  })
  credentialId?: string;

  @Field(() => String, { nullable: true, description: 'UUID of the rule set that chooses the credential.' })
  ruleSetId?: string;

  @Field(() => String, { nullable: true, description: 'At most 500 characters.' })
  description?: string;

  @Field(() => String, { nullable: true, description: 'Your own reference; need not be unique.' })
  externalId?: string;

  @Field(() => PayerInput, { nullable: true, description: 'Who pays.' })
  payer?: PayerInput;

  @Field(() => Float, {
    nullable: true,
    description: 'Minutes until the payment expires: 5 to 43200, 30 when left out.',
  })
  expirationMinutes?: number;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Comes back equal to what was sent.' })
  metadata?: JsonObject;
}

@InputType({ description: 'Which payments.' })
export class PaymentFilter {
  @Field(() => statusEnum, { nullable: true, description: 'In this state.' })
  status?: PublicStatus;

  @Field(() => String, { nullable: true, description: 'With this reference of yours.' })
  externalId?: string;

  @Field(() => concernEnum, { nullable: true, description: 'To be looked into for this reason.' })
  concern?: PaymentConcern;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'Created at or after this instant.' })
  createdFrom?: Date;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'Created before this instant.' })
  createdTo?: Date;
}

@ObjectType({ description: 'Where a page of a connection stands.', simpleResolvers: true })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether older items follow.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether the page was reached by `after`.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first item of the page.' })
  startCursor?: string;

  @Field(() => String, { nullable: true, description: 'Cursor of the last item: the next `after`.' })
  endCursor?: string;
}

@ObjectType({ description: 'A payment in a list.', simpleResolvers: true })
export class PaymentEdge {
  @Field(() => PaymentType, { description: 'The payment.' })
  node!: PaymentType;

  @Field(() => String, { description: 'Opaque place in the list.' })
  cursor!: string;
}

@ObjectType({ description: 'A page of payments, newest first.', simpleResolvers: true })
export class PaymentConnection {
  @Field(() => [PaymentEdge], { description: 'The payments with their cursors.' })
  edges!: PaymentEdge[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;
}

@ObjectType({ description: 'A refund in a list.', simpleResolvers: true })
export class RefundEdge {
  @Field(() => RefundType, { description: 'The refund.' })
  node!: RefundType;

  @Field(() => String, { description: 'Opaque place in the list.' })
  cursor!: string;
}

@ObjectType({ description: 'A page of refunds in the order of creation.', simpleResolvers: true })
export class RefundConnection {
  @Field(() => [RefundEdge], { description: 'The refunds with their cursors.' })
  edges!: RefundEdge[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;
}
