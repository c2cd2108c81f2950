import { GraphQLDateTime } from 'graphql-scalars';
import {
  Arg,
  Ctx,
  Field,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from 'type-graphql';
import { approvalStatuses, type ApprovalStatus } from '../../domain/people/approval.ts';
import type { JsonObject } from '../../domain/payments/payment.ts';
import type { GraphqlContext } from '../context.ts';
import { GraphQLJSONObject } from '../json-object.ts';
import { PageInfo } from '../payments/payment-types.ts';

const statusEnum = Object.fromEntries(approvalStatuses.map((status) => [status, status]));

registerEnumType(statusEnum, {
  name: 'ApprovalStatus',
  description: 'The states of an approval request.',
  valuesConfig: {
    pending: { description: 'Waits for a second person.' },
    approved: { description: 'Approved, and made.' },
    rejected: { description: 'Somebody said no.' },
    withdrawn: { description: 'Taken back by whoever asked.' },
    expired: { description: 'Nobody decided within seven days.' },
    failed: { description: 'Approved, but not possible any more: `reason` says why.' },
  },
});

@ObjectType({ description: 'A change that waits for a second person, or did.', simpleResolvers: true })
class ApprovalRequest {
  @Field(() => ID, { description: 'Unique request id.' })
  id!: string;

  @Field(() => String, { description: 'The change as the audit log names it, as `rule_set.update`.' })
  action!: string;

  @Field(() => String, { nullable: true, description: 'The id of what changes; null for what is new.' })
  subject!: string | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'As it was when it was asked for.' })
  before!: JsonObject | null;

  @Field(() => GraphQLJSONObject, { description: 'As it is to become, without secrets.' })
  after!: JsonObject;

  @Field(() => statusEnum, { description: 'What became of it.' })
  status!: ApprovalStatus;

  @Field(() => String, { description: 'The e-mail address of the person, or the name of the API key.' })
  requestedBy!: string;

  @Field(() => GraphQLDateTime, { description: 'When it was asked for.' })
  createdAt!: Date;

  @Field(() => GraphQLDateTime, { description: 'When it expires unless somebody decides.' })
  expiresAt!: Date;

  @Field(() => String, { nullable: true, description: 'The e-mail address of the person, or `operator`.' })
  decidedBy!: string | null;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When it was decided.' })
  decidedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Why, in words.' })
  reason!: string | null;

  @Field(() => Boolean, { description: 'Whether you may approve or reject it.' })
  mayDecide!: boolean;

  @Field(() => Boolean, { description: 'Whether you may withdraw it.' })
  mayWithdraw!: boolean;
}

@ObjectType({ description: 'What an approval led to.', simpleResolvers: true })
class ApprovalOutcome {
  @Field(() => ApprovalRequest, { description: 'The request as it is now.' })
  request!: ApprovalRequest;

  @Field(() => String, {
    nullable: true,
    description: 'The secret of what was made, as of a webhook endpoint: shown this once.',
  })
  secret!: string | null;
}

@ObjectType({ description: 'An entry in a list.', simpleResolvers: true })
class ApprovalRequestEdge {
  @Field(() => ApprovalRequest, { description: 'The request.' })
  node!: ApprovalRequest;

  @Field(() => String, { description: 'Place in the list.' })
  cursor!: string;
}

@ObjectType({ description: 'A page of approval requests, the latest first.', simpleResolvers: true })
class ApprovalRequestConnection {
  @Field(() => [ApprovalRequestEdge], { description: 'The requests with their cursors.' })
  edges!: ApprovalRequestEdge[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;
}

@Resolver()
export class ApprovalResolver {
  @Query(() => ApprovalRequestConnection, { description: 'Changes that wait for a second person, or did.' })
  async approvalRequests(
    @Arg('pendingOnly', () => Boolean, { defaultValue: false, description: 'Only what waits.' })
    pendingOnly: boolean,
    @Arg('first', () => Int, { defaultValue: 20, description: 'How many: 1 to 100.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: 'A cursor: the page starts after it.' })
    after: string | null | undefined,
    @Ctx() { answer, caller, approvals }: GraphqlContext,
  ): Promise<ApprovalRequestConnection> {
    const page = { pendingOnly, limit: first, cursor: after ?? undefined };
    const { data, hasMore } = await answer.read(
      'first',
      () => approvals.list(caller, page),
      (found) => found.data,
    );
    const edges = data.map((node) => ({ node, cursor: node.id }));
    const [startCursor, endCursor] = [edges.at(0)?.cursor, edges.at(-1)?.cursor];
    const hasPreviousPage = typeof after === 'string';
    return { edges, pageInfo: { hasNextPage: hasMore, hasPreviousPage, startCursor, endCursor } };
  }

  @Query(() => ApprovalRequest, { nullable: true, description: 'One approval request.' })
  approvalRequest(
    @Arg('id', () => ID, { description: 'Request id.' }) id: string,
    @Ctx() { caller, approvals }: GraphqlContext,
  ): Promise<ApprovalRequest> {
    return approvals.get(caller, id);
  }

  @Query(() => Int, { description: 'How many changes wait for a second person, up to 100.' })
  pendingApprovalCount(@Ctx() { caller, approvals }: GraphqlContext): Promise<number> {
    return approvals.pendingCount(caller);
  }

  @Mutation(() => ApprovalOutcome, {
    description:
      'Makes a change that somebody else asked for. Whoever asked cannot, and it needs the role of the change.',
  })
  approveRequest(
    @Arg('id', () => ID, { description: 'Request id.' }) id: string,
    @Arg('reason', () => String, { nullable: true, description: 'At most 500 characters.' })
    reason: string | null | undefined,
    @Ctx() { caller, approvals }: GraphqlContext,
  ): Promise<ApprovalOutcome> {
    return approvals.approve(caller, id, reason);
  }

  @Mutation(() => ApprovalRequest, { description: 'Says no to a change that somebody else asked for.' })
  rejectRequest(
    @Arg('id', () => ID, { description: 'Request id.' }) id: string,
    @Arg('reason', () => String, { description: 'Why, for whoever asked: 1 to 500 characters.' })
    reason: string,
    @Ctx() { caller, approvals }: GraphqlContext,
  ): Promise<ApprovalRequest> {
    return approvals.reject(caller, id, reason);
  }

  @Mutation(() => ApprovalRequest, { description: 'Takes back what you asked for.' })
  withdrawRequest(
    @Arg('id', () => ID, { description: 'Request id.' }) id: string,
    @Ctx() { caller, approvals }: GraphqlContext,
  ): Promise<ApprovalRequest> {
    return approvals.withdraw(caller, id);
  }
}
