import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Field, ID, ObjectType, Query, registerEnumType, Resolver } from 'type-graphql';
import type { JsonObject } from '../../domain/payments/payment.ts';
import { type AuditKind, auditKinds } from '../../services/audit/audit.ts';
import { GraphQLJSONObject } from '../json-object.ts';
import { After, type Connection, connectionOf, connectionType, First } from '../connection.ts';
import type { GraphqlContext } from '../context.ts';

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

@Resolver()
export class AuditResolver {
  @Query(() => AuditConnection, {
    description: 'Audit log of users, API keys and the operator, in both modes, newest first.',
  })
  async auditLog(
    @First() first: number,
    @After() after: string | null | undefined,
    @Arg('kind', () => auditKindEnum, { nullable: true, description: 'Only entries of this category.' })
    kind: AuditKind | null | undefined,
    @Arg('from', () => GraphQLDateTime, { nullable: true, description: 'Only entries from then on.' })
    from: Date | null | undefined,
    @Arg('to', () => GraphQLDateTime, { nullable: true, description: 'Only entries before then.' })
    to: Date | null | undefined,
    @Ctx() { reader, caller, audit }: GraphqlContext,
  ): Promise<Connection<AuditEntry>> {
    const query = {
      kind: kind ?? undefined,
      from: from ?? undefined,
      to: to ?? undefined,
      limit: first,
      cursor: after ?? undefined,
    };
    const { data, hasMore } = await reader.read(
      'first',
      () => audit.list(caller, query),
      (page) => page.data,
    );
    const edges = data.map((node) => ({ node, cursor: node.id }));
    return connectionOf<AuditEntry>(edges, { after, hasNextPage: hasMore });
  }
}
