import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Field, Float, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Mode } from '../../domain/mode.ts';
import { type ApiKeyRow, refundLimitOf } from '../../services/people/api-keys.ts';
import type { GraphqlContext } from '../context.ts';
import { modeEnum } from './people-enums.ts';

@ObjectType({ description: 'An API key without its secret.', simpleResolvers: true })
class ApiKeyInfo {
  @Field(() => ID, { description: 'Unique key id.' })
  id!: string;

  @Field(() => String, { description: 'What people call it.' })
  name!: string;

  @Field(() => modeEnum, { description: 'Which world it works in.' })
  mode!: Mode;

  @Field(() => [String], { description: 'What it may do besides reading.' })
  permissions!: string[];

  @Field(() => [String], {
    description: 'Addresses and CIDR ranges that it may be used from; none: from everywhere.',
  })
  allowedIps!: string[];

  @Field(() => Float, {
    nullable: true,
    description: 'What may be refunded with it in a day of Brasília, in BRL; null: anything.',
  })
  refundLimitPerDay!: number | null;

  @Field(() => String, { description: 'How it begins and ends.' })
  hint!: string;

  @Field(() => GraphQLDateTime, { description: 'Creation instant.' })
  createdAt!: Date;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When it stops working by itself.' })
  expiresAt!: Date | null;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When it was revoked.' })
  revokedAt!: Date | null;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'Its last use, to the minute.' })
  lastUsedAt!: Date | null;
}

@ObjectType({ description: 'A new API key.', simpleResolvers: true })
class NewApiKey {
  @Field(() => ApiKeyInfo, { description: 'The key without its secret.' })
  apiKey!: ApiKeyInfo;

  @Field(() => String, { description: 'The key itself: shown this once.' })
  key!: string;
}

@InputType({ description: 'A new API key of the mode one works in.' })
class CreateApiKeyInput {
  @Field(() => String, { nullable: true, description: 'What people call it.' })
  name?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Of payments:create, payments:cancel and payments:refund; all of them when left out.',
  })
  permissions?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'IPv4 and IPv6 addresses and CIDR ranges that it may be used from; everywhere when left out.',
  })
  allowedIps?: string[] | null;

  @Field(() => Float, {
    nullable: true,
    description: 'What may be refunded with it in a day of Brasília, in BRL; anything when left out.',
  })
  refundLimitPerDay?: number | null;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When it is to stop working.' })
  expiresAt?: Date | null;
}

@InputType({ description: 'What is to change of an API key; what is left out stays as it is.' })
class UpdateApiKeyInput {
  @Field(() => String, { nullable: true, description: 'What people call it.' })
  name?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'In place of the ones before. An empty list lets it be used from everywhere.',
  })
  allowedIps?: string[] | null;

  @Field(() => Float, {
    nullable: true,
    description: 'What may be refunded with it in a day of Brasília, in BRL; null takes the limit away.',
  })
  refundLimitPerDay?: number | null;
}

const infoOf = ({ prefix, lastFour, ...key }: ApiKeyRow): ApiKeyInfo => ({
  ...key,
  refundLimitPerDay: refundLimitOf(key),
  hint: `${prefix}…${lastFour}`,
});

const newKeyOf = ({ key, ...row }: ApiKeyRow & { key: string }): NewApiKey => ({ apiKey: infoOf(row), key });

@Resolver()
export class ApiKeyResolver {
  @Query(() => [ApiKeyInfo], { description: 'The API keys of both modes.' })
  async apiKeys(@Ctx() { answer, caller, apiKeys }: GraphqlContext): Promise<ApiKeyInfo[]> {
    return (await answer.readAll(() => apiKeys.list(caller))).map(infoOf);
  }

  @Mutation(() => NewApiKey, {
    description: 'Makes an API key. For owners, and in test mode for developers.',
  })
  async createApiKey(
    @Arg('input', () => CreateApiKeyInput, { description: 'The key.' }) input: CreateApiKeyInput,
    @Ctx() { caller, apiKeys }: GraphqlContext,
  ): Promise<NewApiKey> {
    const created = await apiKeys.create(caller, {
      name: input.name ?? undefined,
      permissions: input.permissions ?? undefined,
      allowedIps: input.allowedIps ?? undefined,
      refundLimitPerDay: input.refundLimitPerDay,
      expiresAt: input.expiresAt ?? undefined,
    });
    return newKeyOf(created);
  }

  @Mutation(() => ApiKeyInfo, {
    description: 'Changes an API key, at once on every node. For owners; test keys also for developers.',
  })
  async updateApiKey(
    @Arg('id', () => ID, { description: 'Key id.' }) id: string,
    @Arg('input', () => UpdateApiKeyInput, { description: 'The changes.' }) input: UpdateApiKeyInput,
    @Ctx() { caller, apiKeys }: GraphqlContext,
  ): Promise<ApiKeyInfo> {
    const { name, allowedIps, refundLimitPerDay } = input;
    const changes = { name: name ?? undefined, allowedIps: allowedIps ?? undefined, refundLimitPerDay };
    return infoOf(await apiKeys.update(caller, id, changes));
  }

  @Mutation(() => NewApiKey, {
    description:
      'Makes a key like the old one, which goes on working for a while. For owners; test keys also for developers.',
  })
  async rotateApiKey(
    @Arg('id', () => ID, { description: 'Id of the old key.' }) id: string,
    @Arg('keepHours', () => Float, {
      defaultValue: 24,
      description: 'How long the old key works, from 0 to 8760 hours.',
    })
    keepHours: number,
    @Ctx() { caller, apiKeys }: GraphqlContext,
  ): Promise<NewApiKey> {
    return newKeyOf(await apiKeys.rotate(caller, id, keepHours));
  }

  @Mutation(() => ApiKeyInfo, {
    description: 'Ends an API key, at once. For owners; test keys also for developers.',
  })
  async revokeApiKey(
    @Arg('id', () => ID, { description: 'Key id.' }) id: string,
    @Ctx() { caller, apiKeys }: GraphqlContext,
  ): Promise<ApiKeyInfo> {
    return infoOf(await apiKeys.revoke(caller, id));
  }
}
