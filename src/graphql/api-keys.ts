import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Field, Float, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Mode } from '../domain/mode.ts';
import type { ApiKeyRow } from '../services/api-keys.ts';
import type { GraphqlContext } from './context.ts';
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

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When it is to stop working.' })
  expiresAt?: Date | null;
}

const infoOf = ({ prefix, lastFour, ...key }: ApiKeyRow): ApiKeyInfo => ({
  ...key,
  hint: `${prefix}…${lastFour}`,
});

const newKeyOf = ({ key, ...row }: ApiKeyRow & { key: string }): NewApiKey => ({ apiKey: infoOf(row), key });

@Resolver()
export class ApiKeyResolver {
  @Query(() => [ApiKeyInfo], { description: 'The API keys of both modes.' })
  async apiKeys(@Ctx() { caller, apiKeys }: GraphqlContext): Promise<ApiKeyInfo[]> {
    return (await apiKeys.list(caller)).map(infoOf);
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
      expiresAt: input.expiresAt ?? undefined,
    });
    return newKeyOf(created);
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
