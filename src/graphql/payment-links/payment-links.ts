import { GraphQLDateTime } from 'graphql-scalars';
import {
  Arg,
  Ctx,
  Field,
  Float,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from 'type-graphql';
import { encodeCursor } from '../../services/payments/payment-cursor.ts';
import {
  createLinkSchema,
  type LinkStatus,
  linkStatuses,
  paymentLinkSchema,
} from '../../services/payment-links/payment-link-view.ts';
import { After, type Connection, connectionOf, connectionType, First, IdOf } from '../connection.ts';
import type { GraphqlContext } from '../context.ts';
import { descriptionsOf } from '../descriptions.ts';
import { PaymentConnection, type PaymentType } from '../payments/payment-types.ts';

const link = descriptionsOf(paymentLinkSchema);
const newLink = descriptionsOf(createLinkSchema);

const linkStatusEnum = Object.fromEntries(linkStatuses.map((status) => [status, status]));
registerEnumType(linkStatusEnum, {
  name: 'PaymentLinkStatus',
  description: 'State of a payment link.',
  valuesConfig: {
    active: { description: 'Payers can pay by it.' },
    used: { description: 'For a single payment, which has been paid.' },
    expired: { description: 'Its time is over.' },
    deactivated: { description: 'Somebody deactivated it.' },
  },
});

@ObjectType({ description: 'Makes a payment for each payer who opens it.', simpleResolvers: true })
class PaymentLink {
  @Field(() => ID, { description: link.id })
  id!: string;

  @Field(() => String, { description: link.url })
  url!: string;

  @Field(() => linkStatusEnum, { description: link.status })
  status!: LinkStatus;

  @Field(() => Float, { nullable: true, description: link.amount })
  amount?: number | undefined;

  @Field(() => Float, { nullable: true, description: link.minimumAmount })
  minimumAmount?: number | undefined;

  @Field(() => Float, { nullable: true, description: link.maximumAmount })
  maximumAmount?: number | undefined;

  @Field(() => String, { description: link.currency })
  currency!: string;

  @Field(() => String, { nullable: true, description: link.description })
  description?: string | undefined;

  @Field(() => Boolean, { description: link.singleUse })
  singleUse!: boolean;

  @Field(() => GraphQLDateTime, { nullable: true, description: link.expiresAt })
  expiresAt?: string | undefined;

  @Field(() => String, { nullable: true, description: link.returnUrl })
  returnUrl?: string | undefined;

  @Field(() => String, { nullable: true, description: link.credentialId })
  credentialId?: string | undefined;

  @Field(() => String, { nullable: true, description: link.ruleSetId })
  ruleSetId?: string | undefined;

  @Field(() => Boolean, { description: link.isTest })
  isTest!: boolean;

  @Field(() => GraphQLDateTime, { description: link.createdAt })
  createdAt!: string;
}

const PaymentLinkConnection = connectionType(PaymentLink, {
  name: 'PaymentLink',
  nouns: 'payment links',
  order: 'newest first',
});

@InputType({ description: 'A payment link to create.' })
class CreatePaymentLinkInput {
  @Field(() => Float, { nullable: true, description: newLink.amount })
  amount?: number;

  @Field(() => Float, { nullable: true, description: newLink.minimumAmount })
  minimumAmount?: number;

  @Field(() => Float, { nullable: true, description: newLink.maximumAmount })
  maximumAmount?: number;

  @Field(() => String, { nullable: true, description: newLink.description })
  description?: string;

  @Field(() => Boolean, { nullable: true, description: newLink.singleUse })
  singleUse?: boolean;

  @Field(() => GraphQLDateTime, { nullable: true, description: newLink.expiresAt })
  expiresAt?: Date;

  @Field(() => String, { nullable: true, description: newLink.returnUrl })
  returnUrl?: string;

  @Field(() => String, { nullable: true, description: newLink.credentialId })
  credentialId?: string;

  @Field(() => String, { nullable: true, description: newLink.ruleSetId })
  ruleSetId?: string;
}

const names = { limit: 'first', cursor: 'after' };

@Resolver()
export class PaymentLinkResolver {
  @Query(() => PaymentLink, {
    nullable: true,
    description: 'A payment link by id; null with a NOT_FOUND error if it does not exist.',
  })
  paymentLink(
    @IdOf('Payment link') id: string,
    @Ctx() { caller, paymentLinks }: GraphqlContext,
  ): Promise<PaymentLink> {
    return paymentLinks.get(caller, id);
  }

  @Query(() => PaymentLinkConnection, { description: 'Payment links, newest first.' })
  async paymentLinks(
    @First() first: number,
    @After() after: string | null | undefined,
    @Ctx() { caller, paymentLinks }: GraphqlContext,
  ): Promise<Connection<PaymentLink>> {
    const page = await paymentLinks.list(caller, { limit: first, cursor: after }, names);
    const edges = page.data.map((node) => ({ node, cursor: encodeCursor(node.id) }));
    return connectionOf<PaymentLink>(edges, { after, hasNextPage: page.nextCursor !== undefined });
  }

  @Query(() => PaymentConnection, { description: 'Payments made by a link, newest first.' })
  async paymentLinkPayments(
    @IdOf('Payment link') id: string,
    @First() first: number,
    @After() after: string | null | undefined,
    @Ctx() { caller, paymentLinks }: GraphqlContext,
  ): Promise<Connection<PaymentType>> {
    const page = await paymentLinks.payments(caller, id, { limit: first, cursor: after }, names);
    const edges = page.data.map((node) => ({ node, cursor: encodeCursor(node.id) }));
    return connectionOf<PaymentType>(edges, { after, hasNextPage: page.nextCursor !== undefined });
  }

  @Mutation(() => PaymentLink, { description: 'Creates a payment link.' })
  createPaymentLink(
    @Arg('input', () => CreatePaymentLinkInput, { description: 'The link to create.' })
    input: CreatePaymentLinkInput,
    @Ctx() { caller, paymentLinks }: GraphqlContext,
  ): Promise<PaymentLink> {
    return paymentLinks.create(caller, { ...input, expiresAt: input.expiresAt?.toISOString() });
  }

  @Mutation(() => PaymentLink, {
    description: 'Ends a payment link for good. Payments that are pending can still be paid.',
  })
  deactivatePaymentLink(
    @IdOf('Payment link') id: string,
    @Ctx() { caller, paymentLinks }: GraphqlContext,
  ): Promise<PaymentLink> {
    return paymentLinks.deactivate(caller, id);
  }
}
