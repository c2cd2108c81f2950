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
import {
  type ApprovalFailure,
  approvalStatuses,
  type ApprovalStatus,
} from '../../core/people/rules/approval.ts';
import type { JsonObject } from '../../core/base/json/json-object.ts';
import { After, type Connection, connectionOf, connectionType, First, IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { GraphQLJSONObject } from '../base/json-object.ts';
import { ApprovalFailureType } from './approval-failure.ts';

const statusEnum = Object.fromEntries(approvalStatuses.map((status) => [status, status]));

registerEnumType(statusEnum, {
  name: 'ApprovalStatus',
  description: 'Status of an approval request.',
  valuesConfig: {
    pending: { description: 'Awaiting a decision.' },
    approved: { description: 'Approved and applied.' },
    rejected: { description: 'Rejected by a second person.' },
    withdrawn: { description: 'Withdrawn by its requester.' },
    expired: { description: 'Not decided within seven days.' },
    failed: { description: 'Approved, but could no longer be applied: `reason` says why.' },
  },
});

@ObjectType({ description: 'A change that needs approval by a second person.', simpleResolvers: true })
class ApprovalRequest {
  @Field(() => ID, { description: 'Unique request id.' })
  id!: string;

  @Field(() => String, {
    description: 'The change, named as in the audit log, for example `rule_set.update`.',
  })
  action!: string;

  @Field(() => String, { nullable: true, description: 'Id of the object to change; null for a new one.' })
  subject!: string | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'State when the change was requested.' })
  before!: JsonObject | null;

  @Field(() => GraphQLJSONObject, {
    description:
      'Requested state, without secrets; of a refund also `reason` and the `externalId` of its payment.',
  })
  after!: JsonObject;

  @Field(() => statusEnum, { description: 'Request status.' })
  status!: ApprovalStatus;

  @Field(() => String, { description: 'E-mail address of the requester, or name of the API key.' })
  requestedBy!: string;

  @Field(() => GraphQLDateTime, { description: 'When the change was requested.' })
  createdAt!: Date;

  @Field(() => GraphQLDateTime, { description: 'When the request expires if undecided.' })
  expiresAt!: Date;

  @Field(() => String, { nullable: true, description: 'E-mail address of whoever decided, or `operator`.' })
  decidedBy!: string | null;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When the request was decided.' })
  decidedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Reason for the decision.' })
  reason!: string | null;

  @Field(() => ApprovalFailureType, {
    nullable: true,
    description: 'Why the approved change could no longer be made, for programs.',
  })
  failure!: ApprovalFailure | null;

  @Field(() => Boolean, { description: 'Whether you may approve or reject the request.' })
  mayDecide!: boolean;

  @Field(() => Boolean, { description: 'Whether you may withdraw the request.' })
  mayWithdraw!: boolean;
}

@ObjectType({ description: 'Result of an approval.', simpleResolvers: true })
class ApprovalOutcome {
  @Field(() => ApprovalRequest, { description: 'The decided request.' })
  request!: ApprovalRequest;

  @Field(() => String, {
    nullable: true,
    description: 'Secret of the created object, such as a webhook endpoint; shown only once.',
  })
  secret!: string | null;
}

const ApprovalRequestConnection = connectionType(ApprovalRequest, {
  name: 'ApprovalRequest',
  nouns: 'approval requests',
  order: 'newest first',
});

@Resolver()
export class ApprovalResolver {
  @Query(() => ApprovalRequestConnection, { description: 'Approval requests, newest first.' })
  async approvalRequests(
    @Arg('pendingOnly', () => Boolean, { defaultValue: false, description: 'Only pending requests.' })
    pendingOnly: boolean,
    @First() first: number,
    @After() after: string | null | undefined,
    @Ctx() { reader, caller, services }: GraphqlContext,
  ): Promise<Connection<ApprovalRequest>> {
    const page = { pendingOnly, limit: first, cursor: after ?? undefined };
    const { data, hasMore } = await reader.read(
      'first',
      () => services.approvals.list(caller, page),
      (found) => found.data,
    );
    const edges = data.map((node) => ({ node, cursor: node.id }));
    return connectionOf<ApprovalRequest>(edges, { after, hasNextPage: hasMore });
  }

  @Query(() => ApprovalRequest, { nullable: true, description: 'An approval request by id.' })
  approvalRequest(
    @IdOf('Request') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<ApprovalRequest> {
    return services.approvals.get(caller, id);
  }

  @Query(() => Int, { description: 'Number of pending approval requests, at most 100.' })
  pendingApprovalCount(@Ctx() { caller, services }: GraphqlContext): Promise<number> {
    return services.approvals.pendingCount(caller);
  }

  @Mutation(() => ApprovalOutcome, {
    description:
      'Approves and applies a change requested by somebody else. Requires the role that the change itself requires.',
  })
  approveRequest(
    @IdOf('Request') id: string,
    @Arg('reason', () => String, { nullable: true, description: 'Optional reason, at most 500 characters.' })
    reason: string | null | undefined,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<ApprovalOutcome> {
    return services.approvals.approve(caller, id, reason);
  }

  @Mutation(() => ApprovalRequest, { description: 'Rejects a change requested by somebody else.' })
  rejectRequest(
    @IdOf('Request') id: string,
    @Arg('reason', () => String, { description: 'Reason shown to the requester, 1 to 500 characters.' })
    reason: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<ApprovalRequest> {
    return services.approvals.reject(caller, id, reason);
  }

  @Mutation(() => ApprovalRequest, { description: 'Withdraws your own request.' })
  withdrawRequest(
    @IdOf('Request') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<ApprovalRequest> {
    return services.approvals.withdraw(caller, id);
  }
}
