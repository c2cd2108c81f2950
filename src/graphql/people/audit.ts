import { Args, ArgsType, Ctx, Field, ID, ObjectType, Query, registerEnumType, Resolver } from 'type-graphql';
import {
  type AuditGroup,
  auditGroups,
  type AuditKind,
  auditKinds,
} from '../../core/audit/rules/audit-actions.ts';
import type { JsonObject } from '../../core/base/json/json-object.ts';
import { auditFilterSchema } from '../../core/audit/audit-filter.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { GraphQLJSONObject } from '../base/json-object.ts';
import { After, type Connection, connectionOf, connectionType, First } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { descriptionsOf } from '../base/descriptions.ts';

const auditKindEnum = Object.fromEntries(auditKinds.map((kind) => [kind, kind]));

registerEnumType(auditKindEnum, {
  name: 'AuditKind',
  description: 'Category of audit log entries.',
  valuesConfig: {
    changes: { description: 'Changes to settings, and operations on payments.' },
    sign_ins: { description: 'Sign-ins, successful or failed.' },
    views: { description: 'Views and exports of payer data.' },
  },
});

const auditGroupEnum = Object.fromEntries(auditGroups.map((group) => [group, group]));

registerEnumType(auditGroupEnum, {
  name: 'AuditGroup',
  description: 'Group of actions in the audit log. Each action is in one.',
  valuesConfig: {
    payments: { description: 'Test payments, cancels, refunds and payment links.' },
    payers: { description: 'Payer data seen, exported or forgotten.' },
    books: { description: 'Statements fetched, and differences settled or reopened.' },
    credentials: { description: 'Credentials of providers.' },
    rules: { description: 'Routing rules.' },
    webhooks: { description: 'Webhook endpoints, and deliveries sent again.' },
    keys: { description: 'API keys.' },
    people: { description: 'Invitations, members and their roles.' },
    access: { description: 'Sign-ins, sessions, passwords and two-step verification.' },
    approvals: { description: 'Approval requests and decisions.' },
    organization: {
      description: 'Settings of the organization, exports of this log, and checks after a restore.',
    },
  },
});

@ObjectType({ description: 'An entry of the audit log.', simpleResolvers: true })
class AuditEntry {
  @Field(() => ID, { description: 'Unique entry id.' })
  id!: string;

  @Field(() => GraphQLDateTime, { description: 'When it was recorded.' })
  at!: Date;

  @Field(() => String, {
    description: 'E-mail address of the user at the time, name of the API key, `operator` or `unknown`.',
  })
  actor!: string;

  @Field(() => ID, { nullable: true, description: 'User id, if the actor was a user.' })
  userId!: string | null;

  @Field(() => ID, { nullable: true, description: 'API key id, if the actor was an API key.' })
  apiKeyId!: string | null;

  @Field(() => String, { description: 'Action, for example `api_key.create`.' })
  action!: string;

  @Field(() => String, { nullable: true, description: 'Id of the affected object.' })
  subject!: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Details of the action, including the mode if any.',
  })
  details!: JsonObject | null;
}

const AuditConnection = connectionType(AuditEntry, {
  name: 'Audit',
  nouns: 'audit log entries',
  order: 'newest first',
});

const filters = descriptionsOf(auditFilterSchema);

@ArgsType()
class AuditFilters {
  @Field(() => auditKindEnum, { nullable: true, description: filters.kind })
  kind?: AuditKind | null;

  @Field(() => GraphQLDateTime, { nullable: true, description: filters.from })
  from?: Date | null;

  @Field(() => GraphQLDateTime, { nullable: true, description: filters.to })
  to?: Date | null;

  @Field(() => ID, { nullable: true, description: filters.actor })
  actor?: string | null;

  @Field(() => auditGroupEnum, { nullable: true, description: filters.group })
  group?: AuditGroup | null;

  @Field(() => ID, { nullable: true, description: filters.subject })
  subject?: string | null;
}

@Resolver()
export class AuditResolver {
  @Query(() => AuditConnection, {
    description: 'Audit log of users, API keys and the operator, in both modes, newest first.',
  })
  async auditLog(
    @First() first: number,
    @After() after: string | null | undefined,
    @Args() query: AuditFilters,
    @Ctx() { reader, caller, services }: GraphqlContext,
  ): Promise<Connection<AuditEntry>> {
    const { data, nextCursor: endCursor } = await reader.read(
      'first',
      () => services.audit.list(caller, { ...query, limit: first, cursor: after ?? undefined }),
      (page) => page.data,
    );
    const edges = data.map((node) => ({ node, cursor: node.id }));
    return connectionOf<AuditEntry>(edges, {
      after,
      hasNextPage: endCursor !== undefined,
      ...(endCursor !== undefined && { endCursor }),
    });
  }
}
