import { GraphQLJSONObject } from '../json-object.ts';
import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { JsonObject } from '../../domain/payments/payment.ts';
import type { GraphqlContext } from '../context.ts';
import { ProviderSettings } from './provider-settings.ts';

@ObjectType({ description: 'An account at a PSP, without its secrets.', simpleResolvers: true })
class CredentialInfo {
  @Field(() => ID, { description: 'Unique credential id.' })
  id!: string;

  @Field(() => String, { description: 'The PSP.' })
  provider!: string;

  @Field(() => String, { description: 'What people call it.' })
  name!: string;

  @Field(() => Boolean, { description: 'Whether payments are routed to it.' })
  enabled!: boolean;

  @Field(() => Boolean, { description: 'Whether it takes what no rule sends elsewhere.' })
  isDefault!: boolean;

  @Field(() => String, {
    description: 'To enter at the PSP; whoever may not manage credentials sees it without its token.',
  })
  notificationUrl!: string;
}

@ObjectType({ description: 'Whether an account works.', simpleResolvers: true })
class CredentialCheck {
  @Field(() => Boolean, { description: 'Whether the PSP let us in.' })
  ok!: boolean;

  @Field(() => String, { nullable: true, description: 'What is wrong.' })
  problem!: string | null;
}

@InputType({ description: 'A new account at a PSP.' })
class CreateCredentialInput {
  @Field(() => String, { description: 'One of `providers`.' })
  provider!: string;

  @Field(() => String, { description: 'What people call it.' })
  name!: string;

  @Field(() => GraphQLJSONObject, { description: 'What the PSP gave you; kept encrypted, never shown.' })
  settings!: JsonObject;

  @Field(() => Boolean, { nullable: true, description: 'Whether it is to be the default.' })
  isDefault?: boolean | null;
}

@InputType({ description: 'What is left out stays as it is.' })
class UpdateCredentialInput {
  @Field(() => String, { nullable: true, description: 'What people call it.' })
  name?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Laid over those that are stored, member by member; `null` takes one away.',
  })
  settings?: JsonObject | null;
}

@Resolver()
export class CredentialResolver {
  @Query(() => [CredentialInfo], { description: 'The accounts at PSPs.' })
  credentials(@Ctx() { answer, caller, credentials }: GraphqlContext): Promise<CredentialInfo[]> {
    return answer.readAll(() => credentials.list(caller));
  }

  @Query(() => [String], { description: 'The PSPs that an account can be at.' })
  providers(@Ctx() { caller, credentials }: GraphqlContext): string[] {
    return [...credentials.providers(caller)];
  }

  @Query(() => [ProviderSettings], { description: 'What an account at each of `providers` is reached with.' })
  providerSettings(@Ctx() { caller, credentials }: GraphqlContext): ProviderSettings[] {
    return credentials.providerSettings(caller);
  }

  @Query(() => [String], {
    description: 'The names of the settings that an account has; no value is ever shown. For developers.',
  })
  credentialSettingNames(
    @Arg('id', () => ID, { description: 'Credential id.' }) id: string,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<string[]> {
    return credentials.settingNames(caller, id);
  }

  @Mutation(() => CredentialInfo, { description: 'Adds an account at a PSP. For developers.' })
  createCredential(
    @Arg('input', () => CreateCredentialInput, { description: 'The account.' }) input: CreateCredentialInput,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<CredentialInfo> {
    return credentials.create(caller, { ...input, isDefault: input.isDefault === true });
  }

  @Mutation(() => CredentialInfo, {
    description:
      'Changes how an account is reached or called: the same account, id and notification address. For developers.',
  })
  updateCredential(
    @Arg('id', () => ID, { description: 'Credential id.' }) id: string,
    @Arg('input', () => UpdateCredentialInput, { description: 'What changes.' })
    { name, settings }: UpdateCredentialInput,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<CredentialInfo> {
    return credentials.update(caller, id, { name: name ?? undefined, settings: settings ?? undefined });
  }

  @Mutation(() => CredentialInfo, { description: 'Routes payments to an account, or none. For developers.' })
  setCredentialEnabled(
    @Arg('id', () => ID, { description: 'Credential id.' }) id: string,
    @Arg('enabled', () => Boolean, { description: 'Whether payments are routed to it.' }) enabled: boolean,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<CredentialInfo> {
    return credentials.setEnabled(caller, id, enabled);
  }

  @Mutation(() => CredentialInfo, { description: 'Makes an account the default. For developers.' })
  setDefaultCredential(
    @Arg('id', () => ID, { description: 'Credential id.' }) id: string,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<CredentialInfo> {
    return credentials.setDefault(caller, id);
  }

  @Mutation(() => CredentialCheck, { description: 'Signs in at the PSP. For developers.' })
  checkCredential(
    @Arg('id', () => ID, { description: 'Credential id.' }) id: string,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<CredentialCheck> {
    return credentials.check(caller, id);
  }
}
