import {
  Arg,
  Ctx,
  Field,
  Float,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql';
import { permissions } from '../../core/base/key-permissions.ts';
import type { Mode } from '../../core/base/mode.ts';
import type { ApiKeyRow, CreatedApiKey } from '../../core/people/keys/api-keys.ts';
import { refundLimitOf } from '../../core/people/keys/key-changes.ts';
import { IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { modeEnum } from './people-enums.ts';

const permissionNames = permissions.join(', ');

@ObjectType({ description: 'An API key without its secret.', simpleResolvers: true })
class ApiKeyInfo {
  @Field(() => ID, { description: 'Unique key id.' })
  id!: string;

  @Field(() => String, { description: 'Name of the key.' })
  name!: string;

  @Field(() => modeEnum, { description: 'Mode the key works in: test or live.' })
  mode!: Mode;

  @Field(() => [String], {
    description: `Allowed operations besides reading: any of ${permissionNames}.`,
  })
  permissions!: string[];

  @Field(() => [String], {
    description: 'Addresses and CIDR ranges the key may be used from; empty means any.',
  })
  allowedIps!: string[];

  @Field(() => Float, {
    nullable: true,
    description: 'Amount that the key may refund per day (Brasília time), in BRL; null means no limit.',
  })
  refundLimitPerDay!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Requests that the key may send per minute; null means as many as the organization allows.',
  })
  rateLimitPerMinute!: number | null;

  @Field(() => String, { description: 'First and last characters of the key.' })
  hint!: string;

  @Field(() => GraphQLDateTime, { description: 'When the key was created.' })
  createdAt!: Date;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When the key expires.' })
  expiresAt!: Date | null;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When the key was revoked.' })
  revokedAt!: Date | null;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'Last use, to the minute.' })
  lastUsedAt!: Date | null;
}

@ObjectType({ description: 'A newly created API key.', simpleResolvers: true })
class NewApiKey {
  @Field(() => ApiKeyInfo, { description: 'The key without its secret.' })
  apiKey!: ApiKeyInfo;

  @Field(() => String, { description: 'The key itself; shown only once.' })
  key!: string;

  @Field(() => ID, {
    nullable: true,
    description:
      'Approval request that somebody else has to approve before the key may refund; null where none is needed.',
  })
  approvalRequestId!: string | null;
}

@InputType({ description: 'An API key to create in the current mode.' })
class CreateApiKeyInput {
  @Field(() => String, { nullable: true, description: 'Name for the new key.' })
  name?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: `Any of ${permissionNames}. Defaults to those of payments.`,
  })
  permissions?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'IPv4 and IPv6 addresses and CIDR ranges the key may be used from. Defaults to any address.',
  })
  allowedIps?: string[] | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Amount that the key may refund per day (Brasília time), in BRL. Defaults to no limit.',
  })
  refundLimitPerDay?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Requests that the key may send per minute. Defaults to as many as the organization allows.',
  })
  rateLimitPerMinute?: number | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When the key is to expire. Defaults to never.',
  })
  expiresAt?: Date | null;
}

@InputType({ description: 'Changes to an API key; omitted fields keep their value.' })
class UpdateApiKeyInput {
  @Field(() => String, { nullable: true, description: 'New name.' })
  name?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: `Replaces the permissions: any of ${permissionNames}; with an empty list the key only reads.`,
  })
  permissions?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Replaces the allowed addresses; an empty list allows any.',
  })
  allowedIps?: string[] | null;

  @Field(() => Float, {
    nullable: true,
    description: 'New daily refund limit in BRL; null removes the limit.',
  })
  refundLimitPerDay?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'New limit of requests per minute; null for as many as the organization allows.',
  })
  rateLimitPerMinute?: number | null;
}

const infoOf = ({ prefix, lastFour, ...key }: ApiKeyRow): ApiKeyInfo => ({
  ...key,
  refundLimitPerDay: refundLimitOf(key),
  hint: `${prefix}…${lastFour}`,
});

const newKeyOf = ({ key, approvalRequestId, ...row }: CreatedApiKey): NewApiKey => ({
  apiKey: infoOf(row),
  key,
  approvalRequestId,
});

@Resolver()
export class ApiKeyResolver {
  @Query(() => [ApiKeyInfo], { description: 'API keys of both modes.' })
  async apiKeys(@Ctx() { reader, caller, services }: GraphqlContext): Promise<ApiKeyInfo[]> {
    return (await reader.readAll(() => services.apiKeys.list(caller))).map(infoOf);
  }

  @Mutation(() => NewApiKey, {
    description:
      'Creates an API key. Owners only; in test mode, developers too. Where changes or refunds need approval, a live key may refund once it is approved.',
  })
  async createApiKey(
    @Arg('input', () => CreateApiKeyInput, { description: 'The key to create.' }) input: CreateApiKeyInput,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<NewApiKey> {
    const created = await services.apiKeys.create(caller, {
      name: input.name ?? undefined,
      permissions: input.permissions ?? undefined,
      allowedIps: input.allowedIps ?? undefined,
      refundLimitPerDay: input.refundLimitPerDay,
      rateLimitPerMinute: input.rateLimitPerMinute,
      expiresAt: input.expiresAt ?? undefined,
    });
    return newKeyOf(created);
  }

  @Mutation(() => ApiKeyInfo, {
    description: 'Updates an API key, effective immediately. Owners only; test keys, developers too.',
  })
  async updateApiKey(
    @IdOf('Key') id: string,
    @Arg('input', () => UpdateApiKeyInput, { description: 'Changes to the key.' }) input: UpdateApiKeyInput,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<ApiKeyInfo> {
    const { name, permissions: allowed, allowedIps, ...limits } = input;
    const changed = await services.apiKeys.update(caller, id, {
      name: name ?? undefined,
      permissions: allowed ?? undefined,
      allowedIps: allowedIps ?? undefined,
      ...limits,
    });
    return infoOf(changed);
  }

  @Mutation(() => NewApiKey, {
    description:
      'Creates a key with the same settings; the old one keeps working for a while. Owners only; test keys, developers too.',
  })
  async rotateApiKey(
    @IdOf('Key') id: string,
    @Arg('keepHours', () => Float, {
      defaultValue: 24,
      description: 'Hours that the old key keeps working, from 0 to 8760.',
    })
    keepHours: number,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<NewApiKey> {
    return newKeyOf(await services.apiKeys.rotate(caller, id, keepHours));
  }

  @Mutation(() => ApiKeyInfo, {
    description: 'Revokes an API key, effective immediately. Owners only; test keys, developers too.',
  })
  async revokeApiKey(
    @IdOf('Key') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<ApiKeyInfo> {
    return infoOf(await services.apiKeys.revoke(caller, id));
  }
}
