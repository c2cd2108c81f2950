import { Arg, ID, Resolver, Root, Subscription } from 'type-graphql';
import type { PaymentView } from '../../services/payments/payment-view.ts';
import type { GraphqlContext } from '../context.ts';
import { PaymentType } from './payment-types.ts';

interface Subscribing {
  args: { id: string };
  context: GraphqlContext;
}

@Resolver()
export class LivePaymentResolver {
  @Subscription(() => PaymentType, {
    description: 'One payment of the caller: as it is, and again whenever it has changed.',
    subscribe: ({ args, context }: Subscribing) => context.livePayments.watch(context.caller, args.id),
  })
  paymentUpdated(
    @Arg('id', () => ID, { description: 'Payment id.' }) _id: string,
    @Root() payment: PaymentView,
  ): PaymentType {
    return payment;
  }

  @Subscription(() => PaymentType, {
    description:
      'Every payment of the caller that is made or changes, beginning with those of the last minute: ' +
      'who reads a list and then subscribes misses none.',
    subscribe: ({ context }: Subscribing) => context.livePayments.watchAll(context.caller),
  })
  paymentsUpdated(@Root() payment: PaymentView): PaymentType {
    return payment;
  }
}
