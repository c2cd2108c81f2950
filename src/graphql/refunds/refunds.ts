import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { badRequest } from '../../core/base/errors.ts';
import { canonicalId } from '../../core/base/ids.ts';
import { problem } from '../../core/base/problems/rules.ts';
import { encodeCursor } from '../../core/payments/views/payment-cursor.ts';
import { After, type Connection, connectionOf, First } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { PaymentType } from '../payments/payment-types.ts';
import { RefundType } from '../payments/refund-types.ts';
import { RefundConnection, RefundFilter } from './refund-list-types.ts';

const names = { limit: 'first', cursor: 'after' };

@Resolver(() => RefundType)
export class RefundResolver {
  @FieldResolver(() => PaymentType, { description: 'The payment whose money goes back.' })
  payment(
    @Root() { paymentId }: RefundType,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<PaymentType> {
    return services.payments.get(caller, paymentId);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      "Who asked for it: a person's e-mail address, the name of an API key, or `operator`. Null for API keys.",
  })
  requestedBy(
    @Root() { id }: RefundType,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<string | null> {
    return services.refundLists.requesterOf(caller, id);
  }

  @Query(() => RefundConnection, {
    description: 'Refunds, newest first; with `paymentId` those of one payment, oldest first.',
  })
  async refunds(
    @Arg('paymentId', () => ID, { nullable: true, description: 'The payment to list those of.' })
    paymentId: string | null | undefined,
    @Arg('filter', () => RefundFilter, {
      nullable: true,
      description: 'Which of them to list; without `paymentId`.',
    })
    filter: RefundFilter | null | undefined,
    @First() first: number,
    @After() after: string | null | undefined,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<Connection<RefundType>> {
    const place = { limit: first, cursor: after };
    if (typeof paymentId === 'string' && filter)
      throw badRequest('filter must be left out with paymentId', problem('filter', 'not_allowed'));
    const { createdFrom, createdTo, ...rest } = filter ?? {};
    const times = { createdFrom: createdFrom?.toISOString(), createdTo: createdTo?.toISOString() };
    const page =
      typeof paymentId === 'string'
        ? await services.refunds.list(caller, canonicalId(paymentId), place, names)
        : await services.refundLists.list(caller, { ...rest, ...times, ...place }, names);
    const edges = page.data.map((node) => ({ node, cursor: encodeCursor(node.id) }));
    return connectionOf<RefundType>(edges, {
      after,
      hasNextPage: page.nextCursor !== undefined,
      endCursor: page.nextCursor,
    });
  }
}
