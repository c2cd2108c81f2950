import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { retryPaymentSchema } from '../../core/payments/retry-payment.ts';
import { encodeCursor } from '../../core/payments/views/payment-cursor.ts';
import { After, type Connection, connectionOf, First, IdOf } from '../base/connection.ts';
import { descriptionsOf } from '../base/descriptions.ts';
import type { GraphqlContext } from '../base/context.ts';
import { IdempotencyKey, keyOf } from '../base/idempotency-key.ts';
import { PaymentConnection, PaymentType } from '../payments/payment-types.ts';
import {
  ChargeRecurrenceInput,
  CreateRecurrenceInput,
  type DebitOutcome,
  debitOutcomeEnum,
  Recurrence,
  RecurrenceConnection,
  RecurrenceFilter,
} from './recurrence-types.ts';

const names = { limit: 'first', cursor: 'after' };

@Resolver(() => Recurrence)
export class RecurrenceResolver {
  @FieldResolver(() => PaymentConnection, { description: 'Its debits, newest first.' })
  async payments(
    @Root() { id }: Recurrence,
    @First() first: number,
    @After() after: string | null | undefined,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<Connection<PaymentType>> {
    const page = await services.recurrences.payments(caller, id, { limit: first, cursor: after }, names);
    const edges = page.data.map((node) => ({ node, cursor: encodeCursor(node.id) }));
    return connectionOf<PaymentType>(edges, { after, hasNextPage: page.nextCursor !== undefined });
  }

  @Query(() => Recurrence, {
    nullable: true,
    description: 'A recurrence by id; null with a NOT_FOUND error if it does not exist.',
  })
  recurrence(
    @IdOf('Recurrence') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<Recurrence> {
    return services.recurrences.get(caller, id);
  }

  @Query(() => RecurrenceConnection, { description: 'Recurrences, newest first.' })
  async recurrences(
    @Arg('filter', () => RecurrenceFilter, { nullable: true, description: 'Which recurrences to list.' })
    filter: RecurrenceFilter | null | undefined,
    @First() first: number,
    @After() after: string | null | undefined,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<Connection<Recurrence>> {
    const page = await services.recurrences.list(caller, { ...filter, limit: first, cursor: after }, names);
    const edges = page.data.map((node) => ({ node, cursor: encodeCursor(node.id) }));
    return connectionOf<Recurrence>(edges, { after, hasNextPage: page.nextCursor !== undefined });
  }

  @Mutation(() => Recurrence, { description: 'Asks a payer to permit recurring debits.' })
  async createRecurrence(
    @Arg('input', () => CreateRecurrenceInput, { description: 'The recurrence to ask for.' })
    input: CreateRecurrenceInput,
    @IdempotencyKey() idempotencyKey: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<Recurrence> {
    const { caller, services } = context;
    return (await services.recurrences.create(caller, input, keyOf(idempotencyKey, context))).view;
  }

  @Mutation(() => Recurrence, { description: 'Ends a recurrence and its scheduled debits.' })
  async cancelRecurrence(
    @IdOf('Recurrence') id: string,
    @IdempotencyKey() idempotencyKey: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<Recurrence> {
    const { caller, services } = context;
    return (await services.recurrences.cancel(caller, id, keyOf(idempotencyKey, context))).view;
  }

  @Mutation(() => PaymentType, { description: 'Makes a debit of a recurrence.' })
  async chargeRecurrence(
    @IdOf('Recurrence') id: string,
    @Arg('input', () => ChargeRecurrenceInput, { description: 'The debit to make.' })
    input: ChargeRecurrenceInput,
    @IdempotencyKey() idempotencyKey: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<PaymentType> {
    const { caller, services } = context;
    return (await services.recurrences.charge(caller, id, input, keyOf(idempotencyKey, context))).view;
  }

  @Mutation(() => PaymentType, { description: 'Tries a failed debit again on another day.' })
  async retryPayment(
    @IdOf('Payment') id: string,
    @Arg('date', () => String, { description: descriptionsOf(retryPaymentSchema).date })
    date: string,
    @IdempotencyKey() idempotencyKey: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<PaymentType> {
    const { caller, services } = context;
    return (await services.payments.retry(caller, id, { date }, keyOf(idempotencyKey, context))).view;
  }

  @Mutation(() => Recurrence, {
    description: 'Permits a test recurrence as its payer would, and pays its first payment. Test mode only.',
  })
  simulateApproval(
    @IdOf('Recurrence') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<Recurrence> {
    return services.sandboxRecurrences.approve(caller, id);
  }

  @Mutation(() => Recurrence, {
    description: 'Rejects a test recurrence as its payer would. Test mode only.',
  })
  simulateRejection(
    @IdOf('Recurrence') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<Recurrence> {
    return services.sandboxRecurrences.reject(caller, id);
  }

  @Mutation(() => Recurrence, { description: 'Ends a test recurrence as its payer would. Test mode only.' })
  simulateRevocation(
    @IdOf('Recurrence') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<Recurrence> {
    return services.sandboxRecurrences.revoke(caller, id);
  }

  @Mutation(() => PaymentType, {
    description: 'Has the payer’s bank answer a test debit at once. Test mode only.',
  })
  simulateDebit(
    @IdOf('Payment') id: string,
    @Arg('outcome', () => debitOutcomeEnum, { description: 'How the payer’s bank answers.' })
    outcome: DebitOutcome,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<PaymentType> {
    return services.sandbox.answerDebit(caller, id, { outcome });
  }
}
