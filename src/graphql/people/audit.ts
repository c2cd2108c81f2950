import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Field, ID, Int, ObjectType, Query, registerEnumType, Resolver } from 'type-graphql';
import type { JsonObject } from '../../domain/payments/payment.ts';
import { type AuditKind, auditKinds } from '../../services/audit/audit.ts';
import { GraphQLJSONObject } from '../json-object.ts';
import type { GraphqlContext } from '../context.ts';
import { PageInfo } from '../payments/payment-types.ts';

const auditKindEnum = Object.fromEntries(auditKinds.map((kind) => [kind, kind]));

registerEnumType(auditKindEnum, {
  name: 'AuditKind',
  description: 'Kinds of audit entries.',
  valuesConfig: {
    changes: { description: 'What was changed or done to payments.' },
    sign_ins: { description: 'Sign-ins, and those that failed.' },
    views: { description: 'Who saw or exported the data of payers.' },
  },
});

@ObjectType({ description: 'What somebody did.', simpleResolvers: true })
class AuditEntry {
  @Field(() => ID, { description: 'Unique entry id.' })
  id!: string;

  @Field(() => GraphQLDateTime, { description: 'When.' })
  at!: Date;

  @Field(() => String, {
    description:
      'The e-mail address that the person had then, the name of the API key, `operator`, or `unknown`.',
  })
  actor!: string;

  @Field(() => ID, { nullable: true, description: 'The person, when it was one.' })
  userId!: string | null;

  @Field(() => ID, { nullable: true, description: 'The API key, when it was one.' })
  apiKeyId!: string | null;

  @Field(() => String, { description: 'What was done, as `api_key.create`.' })
  action!: string;

  @Field(() => String, { nullable: true, description: 'The id of what it was done to.' })
  subject!: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'The mode where there is one, and what else tells it apart.',
  })
  details!: JsonObject | null;
}

@ObjectType({ description: 'An entry in a list.', simpleResolvers: true })
class AuditEdge {
  @Field(() => AuditEntry, { description: 'The entry.' })
  node!: AuditEntry;

  @Field(() => String, { description: 'Place in the list.' })
  cursor!: string;
}

@ObjectType({ description: 'A page of the audit log, the latest first.', simpleResolvers: true })
class AuditConnection {
  @Field(() => [AuditEdge], { description: 'The entries with their cursors.' })
  edges!: AuditEdge[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;
}

@Resolver()
export class AuditResolver {
  @Query(() => AuditConnection, { description: 'What people, API keys and the operator did, in both modes.' })
  async auditLog(
    @Arg('first', () => Int, { defaultValue: 20, description: 'How many: 1 to 100.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: 'A cursor: the page starts after it.' })
    after: string | null | undefined,
    @Arg('kind', () => auditKindEnum, { nullable: true, description: 'Only these.' })
    kind: AuditKind | null | undefined,
    @Ctx() { answer, caller, audit }: GraphqlContext,
  ): Promise<AuditConnection> {
    const query = { kind: kind ?? undefined, limit: first, cursor: after ?? undefined };
    const { data, hasMore } = await answer.read(
      'first',
      () => audit.list(caller, query),
      (page) => page.data,
    );
    const edges = data.map((node) => ({ node, cursor: node.id }));
    const [startCursor, endCursor] = [edges.at(0)?.cursor, edges.at(-1)?.cursor];
    const pageInfo = {
      hasNextPage: hasMore,
      hasPreviousPage: typeof after === 'string',
      startCursor,
      endCursor,
    };
    return { edges, pageInfo };
  }
}
