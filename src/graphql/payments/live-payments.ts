import { Resolver, Root, Subscription } from 'type-graphql';
import type { PaymentView } from '../../core/payments/views/payment-view.ts';
import { IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { PaymentType } from './payment-types.ts';

interface Subscribing {
  args: { id: string };
  context: GraphqlContext;
}

@Resolver()
export class LivePaymentResolver {
  @Subscription(() => PaymentType, {
    description: 'A payment: its current state first, then every change.',
    subscribe: ({ args, context }: Subscribing) =>
      context.services.livePayments.watch(context.caller, args.id),
  })
  paymentUpdated(@IdOf('Payment') _id: string, @Root() payment: PaymentView): PaymentType {
    return payment;
  }

  @Subscription(() => PaymentType, {
    description:
      'Every payment that is created or changes, starting with those of the last minute, ' +
      'so that none is missed between listing and subscribing.',
    subscribe: ({ context }: Subscribing) => context.services.livePayments.watchAll(context.caller),
  })
  paymentsUpdated(@Root() payment: PaymentView): PaymentType {
    return payment;
  }
}
