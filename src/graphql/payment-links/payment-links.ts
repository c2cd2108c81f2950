import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { encodeCursor } from '../../core/payments/views/payment-cursor.ts';
import { After, type Connection, connectionOf, First, IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { PaymentConnection, type PaymentType } from '../payments/payment-types.ts';
import {
  CreatePaymentLinkInput,
  PaymentLink,
  PaymentLinkConnection,
  PaymentLinkFilter,
  PaymentLinkTotals,
} from './payment-link-types.ts';

const names = { limit: 'first', cursor: 'after' };

@Resolver(() => PaymentLink)
export class PaymentLinkResolver {
  @FieldResolver(() => PaymentLinkTotals, { description: 'Payments of the link, counted.' })
  totals(@Root() link: PaymentLink, @Ctx() { caller, services }: GraphqlContext): Promise<PaymentLinkTotals> {
    return services.paymentLinks.totals(caller, link);
  }

  @Query(() => PaymentLink, {
    nullable: true,
    description: 'A payment link by id; null with a NOT_FOUND error if it does not exist.',
  })
  paymentLink(
    @IdOf('Payment link') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<PaymentLink> {
    return services.paymentLinks.get(caller, id);
  }

  @Query(() => PaymentLinkConnection, { description: 'Payment links, newest first.' })
  async paymentLinks(
    @Arg('filter', () => PaymentLinkFilter, { nullable: true, description: 'Which links to list.' })
    filter: PaymentLinkFilter | null | undefined,
    @First() first: number,
    @After() after: string | null | undefined,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<Connection<PaymentLink>> {
    const page = await services.paymentLinks.list(caller, { ...filter, limit: first, cursor: after }, names);
    const edges = page.data.map((node) => ({ node, cursor: encodeCursor(node.id) }));
    return connectionOf<PaymentLink>(edges, {
      after,
      hasNextPage: page.nextCursor !== undefined,
      endCursor: page.nextCursor,
    });
  }

  @Query(() => PaymentConnection, { description: 'Payments made by a link, newest first.' })
  async paymentLinkPayments(
    @IdOf('Payment link') id: string,
    @First() first: number,
    @After() after: string | null | undefined,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<Connection<PaymentType>> {
    const page = await services.paymentLinks.payments(caller, id, { limit: first, cursor: after }, names);
    const edges = page.data.map((node) => ({ node, cursor: encodeCursor(node.id) }));
    return connectionOf<PaymentType>(edges, { after, hasNextPage: page.nextCursor !== undefined });
  }

  @Mutation(() => PaymentLink, { description: 'Creates a payment link.' })
  createPaymentLink(
    @Arg('input', () => CreatePaymentLinkInput, { description: 'The link to create.' })
    input: CreatePaymentLinkInput,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<PaymentLink> {
    return services.paymentLinks.create(caller, { ...input, expiresAt: input.expiresAt?.toISOString() });
  }

  @Mutation(() => PaymentLink, {
    description: 'Ends a payment link for good. Payments that are pending can still be paid.',
  })
  deactivatePaymentLink(
    @IdOf('Payment link') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<PaymentLink> {
    return services.paymentLinks.deactivate(caller, id);
  }
}
