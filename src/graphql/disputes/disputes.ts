import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { encodeCursor } from '../../core/payments/views/payment-cursor.ts';
import { After, type Connection, connectionOf, First, IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { IdempotencyKey, keyOf } from '../base/idempotency-key.ts';
import {
  DefendDisputeInput,
  DisputeConnection,
  DisputeDetailType,
  OpenedDisputeDocument,
} from './dispute-types.ts';
import { PaymentType } from '../payments/payment-types.ts';
import { DisputeType } from '../payments/refund-types.ts';

const names = { limit: 'first', cursor: 'after' };

@Resolver(() => DisputeType)
export class DisputedPaymentResolver {
  @FieldResolver(() => PaymentType, { description: 'The disputed payment.' })
  payment(
    @Root() { paymentId }: DisputeType,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<PaymentType> {
    return services.payments.get(caller, paymentId);
  }
}

@Resolver(() => DisputeDetailType)
export class DisputeResolver {
  @Query(() => DisputeConnection, { description: 'What payers contest.' })
  async disputes(
    @Arg('open', () => Boolean, {
      nullable: true,
      description: 'With true only open ones, the earliest deadline first. Otherwise all, newest first.',
    })
    open: boolean | null | undefined,
    @Arg('unanswered', () => Boolean, {
      nullable: true,
      description: 'With true only open ones without an answer, the earliest deadline first.',
    })
    unanswered: boolean | null | undefined,
    @First() first: number,
    @After() after: string | null | undefined,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<Connection<DisputeType>> {
    const page = await services.disputes.list(
      caller,
      { open, unanswered, limit: first, cursor: after },
      names,
    );
    const edges = page.data.map((node) => ({ node, cursor: encodeCursor(node.id) }));
    return connectionOf<DisputeType>(edges, { after, hasNextPage: page.nextCursor !== undefined });
  }

  @Query(() => DisputeDetailType, {
    nullable: true,
    description: 'A dispute by id; null with a NOT_FOUND error if it does not exist.',
  })
  dispute(
    @IdOf('Dispute') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<DisputeDetailType> {
    return services.disputes.get(caller, id);
  }

  @Query(() => OpenedDisputeDocument, { description: 'Reads a document of a defence.' })
  disputeDocument(
    @IdOf('Dispute') id: string,
    @Arg('documentId', () => String, { description: 'Id of the document.' }) documentId: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<OpenedDisputeDocument> {
    return services.disputes.document(caller, id, documentId);
  }

  @Query(() => String, {
    description:
      'What is known of a disputed payment, from the records of the service alone: a PDF in base64.',
  })
  async disputeEvidence(
    @IdOf('Dispute') id: string,
    @Arg('language', () => String, {
      nullable: true,
      description: 'Language of the PDF, `pt` by default or `en`.',
    })
    language: string | null | undefined,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<string> {
    return (await services.disputeEvidence.pdf(caller, id, { language })).toString('base64');
  }

  @Mutation(() => DisputeDetailType, {
    description:
      'Sends a defence to the provider. Keys send documents over REST, whose bodies may be larger.',
  })
  async defendDispute(
    @IdOf('Dispute') id: string,
    @Arg('input', () => DefendDisputeInput, { description: 'What is said to the dispute.' })
    input: DefendDisputeInput,
    @IdempotencyKey() idempotencyKey: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<DisputeDetailType> {
    const { caller, services } = context;
    return (await services.disputes.defend(caller, id, input, keyOf(idempotencyKey, context))).view;
  }

  @Mutation(() => DisputeDetailType, { description: 'Accepts a dispute, which gives the money back.' })
  async acceptDispute(
    @IdOf('Dispute') id: string,
    @IdempotencyKey() idempotencyKey: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<DisputeDetailType> {
    const { caller, services } = context;
    return (await services.disputes.accept(caller, id, keyOf(idempotencyKey, context))).view;
  }
}
