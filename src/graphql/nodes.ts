import { Ctx, Query, Resolver } from 'type-graphql';
import type { Caller } from '../core/base/caller.ts';
import { statusOf } from '../transport/error-body.ts';
import { IdOf } from './base/connection.ts';
import type { GraphqlContext } from './base/context.ts';
import { Node } from './base/node.ts';

interface Noun {
  get(caller: Caller, id: string): Promise<{ id: string }>;
}

@Resolver()
export class NodeResolver {
  @Query(() => Node, {
    nullable: true,
    description:
      'The payment, payment link, recurrence or batch with this id; null if the organization has none. Clients such as Relay read again by it.',
  })
  async node(@IdOf('Global') id: string, @Ctx() { caller, services }: GraphqlContext): Promise<Node | null> {
    const nouns: [__typename: string, noun: Noun][] = [
      ['Payment', services.payments],
      ['PaymentLink', services.paymentLinks],
      ['Recurrence', services.recurrences],
      ['PaymentBatch', services.batches],
    ];
    for (const [__typename, noun] of nouns) {
      try {
        return { __typename, ...(await noun.get(caller, id)) } as Node;
      } catch (error) {
        if (statusOf(error) !== 404) throw error;
      }
    }
    return null;
  }
}
