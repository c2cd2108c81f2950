import { GraphQLDateTime } from 'graphql-scalars';
import { GraphQLJSONObject } from '../json-object.ts';
import {
  Arg,
  Ctx,
  Field,
  Float,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from 'type-graphql';
import type { JsonObject } from '../../domain/payments/payment.ts';
import type { RemovalOutcome } from '../../services/providers/remove-credential.ts';
import { First, IdOf } from '../connection.ts';
import type { GraphqlContext } from '../context.ts';
import { CredentialCheck, LastCheck, WebhookRegistration } from './credential-check.ts';
import { ProviderSettings } from './provider-settings.ts';
import { UnreadableResponse } from './unreadable-response.ts';

@ObjectType({ description: 'An account at a provider, without its secrets.', simpleResolvers: true })
class CredentialInfo {
  @Field(() => ID, { description: 'Unique credential id.' })
  id!: string;

  @Field(() => String, { description: 'Provider that the account is with.' })
  provider!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Bank that the account is with, as in the setting `preset`; `null` for all others.',
  })
  preset!: string | null;

  @Field(() => String, { description: 'Name of the credential.' })
  name!: string;

  @Field(() => Boolean, { description: 'Whether payments are routed to the credential.' })
  enabled!: boolean;

  @Field(() => Boolean, { description: 'Whether it is the default, used when no rule applies.' })
  isDefault!: boolean;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description:
      'When it was archived; an archived credential takes no charges until it is restored. Else `null`.',
  })
  archivedAt!: Date | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Lowest amount that the provider accepts, in BRL; null if it has no limit of its own.',
  })
  minimumAmount?: number | undefined;

  @Field(() => Float, {
    nullable: true,
    description: 'Highest amount that the provider accepts, in BRL; null if it has no limit of its own.',
  })
  maximumAmount?: number | undefined;

  @Field(() => String, {
    description:
      'Webhook URL to register with the provider; its token is masked for members who may not manage credentials.',
  })
  notificationUrl!: string;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When its client certificate expires; `null` without one.',
  })
  certificateExpiresAt!: Date | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description:
      'Until when the provider is left alone as far as possible, because it received too many requests; else `null`.',
  })
  pausedUntil!: Date | null;

  @Field(() => LastCheck, {
    nullable: true,
    description: 'What the last check with the present settings found; `null` before one.',
  })
  lastCheck!: LastCheck | null;
}

@ObjectType({ description: 'A stored setting of a credential.', simpleResolvers: true })
class StoredSetting {
  @Field(() => String, { description: 'Name of the setting, as in `providerSettings`.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Its value; `null` for secrets, which are never shown.',
  })
  value!: string | null;
}

const removalOutcomeEnum = { deleted: 'deleted', archived: 'archived' } as const;

registerEnumType(removalOutcomeEnum, {
  name: 'CredentialRemovalOutcome',
  description: 'What became of a removed credential.',
  valuesConfig: {
    deleted: { description: 'It had never been used, and is gone.' },
    archived: {
      description: 'It takes no new charges, but keeps confirming, refunding and reconciling its own.',
    },
  },
});

@ObjectType({ description: 'A rule set that refers to a credential.', simpleResolvers: true })
class ReferringRuleSet {
  @Field(() => ID, { description: 'Id of the rule set.' })
  id!: string;

  @Field(() => String, { description: 'Its name, as in the list of rule sets.' })
  name!: string;
}

@ObjectType({ description: 'What removing a credential would do.', simpleResolvers: true })
class CredentialRemoval {
  @Field(() => Boolean, {
    description:
      'Whether its provider was ever called for a charge, notified of anything or listed money: it would be archived, else deleted.',
  })
  isUsed!: boolean;

  @Field(() => Boolean, { description: 'Whether it is the default, which cannot be removed.' })
  isDefault!: boolean;

  @Field(() => [ReferringRuleSet], {
    description: 'Rule sets that refer to it: while any does, it cannot be removed.',
  })
  ruleSets!: ReferringRuleSet[];
}

@InputType({ description: 'A credential to create.' })
class CreateCredentialInput {
  @Field(() => String, { description: 'One of `providers`.' })
  provider!: string;

  @Field(() => String, { description: 'Name for the new credential.' })
  name!: string;

  @Field(() => GraphQLJSONObject, {
    description: 'Settings of the account, see `providerSettings`; stored encrypted and never shown.',
  })
  settings!: JsonObject;

  @Field(() => Boolean, { nullable: true, description: 'Whether to make it the default.' })
  isDefault?: boolean | null;
}

@InputType({ description: 'Changes to a credential; omitted fields keep their value.' })
class UpdateCredentialInput {
  @Field(() => String, { nullable: true, description: 'New name for the credential.' })
  name?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Merged into the stored settings; `null` removes a setting.',
  })
  settings?: JsonObject | null;
}

@Resolver()
export class CredentialResolver {
  @Query(() => [CredentialInfo], { description: 'Credentials of the organization, with archived ones.' })
  credentials(@Ctx() { reader, caller, credentials }: GraphqlContext): Promise<CredentialInfo[]> {
    return reader.readAll(() => credentials.list(caller));
  }

  @Query(() => [String], { description: 'Identifiers of the supported providers.' })
  providers(@Ctx() { caller, credentials }: GraphqlContext): string[] {
    return [...credentials.providers(caller)];
  }

  @Query(() => [ProviderSettings], {
    description: 'Supported providers with the settings of their credentials.',
  })
  providerSettings(@Ctx() { caller, credentials }: GraphqlContext): ProviderSettings[] {
    return credentials.providerSettings(caller);
  }

  @Query(() => [String], {
    description: 'Names of the stored settings; values are never shown. Developers and owners only.',
  })
  credentialSettingNames(
    @IdOf('Credential') id: string,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<string[]> {
    return credentials.settingNames(caller, id);
  }

  @Query(() => [StoredSetting], {
    description: 'Stored settings, with the values of those that are not secret. Developers and owners only.',
  })
  credentialSettings(
    @IdOf('Credential') id: string,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<StoredSetting[]> {
    return credentials.storedSettings(caller, id);
  }

  @Query(() => [UnreadableResponse], {
    description:
      'Latest responses and notifications of the provider that could not be read or believed, newest first; viewing them is recorded in the audit log. Developers and owners only.',
  })
  credentialUnreadableResponses(
    @IdOf('Credential') id: string,
    @First() first: number,
    @Ctx() { reader, caller, unreadableResponses }: GraphqlContext,
  ): Promise<UnreadableResponse[]> {
    return reader.read(
      'first',
      () => unreadableResponses.ofCredential(caller, id, first),
      (responses) => responses,
    );
  }

  @Mutation(() => CredentialInfo, { description: 'Creates a credential. Developers and owners only.' })
  createCredential(
    @Arg('input', () => CreateCredentialInput, { description: 'The credential to create.' })
    input: CreateCredentialInput,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<CredentialInfo> {
    return credentials.create(caller, { ...input, isDefault: input.isDefault === true });
  }

  @Mutation(() => CredentialInfo, {
    description:
      'Updates the name or settings of a credential; it must remain the same account. Developers and owners only.',
  })
  updateCredential(
    @IdOf('Credential') id: string,
    @Arg('input', () => UpdateCredentialInput, { description: 'Changes to the credential.' })
    { name, settings }: UpdateCredentialInput,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<CredentialInfo> {
    return credentials.update(caller, id, { name: name ?? undefined, settings: settings ?? undefined });
  }

  @Mutation(() => CredentialInfo, {
    description: 'Enables or disables a credential. Developers and owners only.',
  })
  setCredentialEnabled(
    @IdOf('Credential') id: string,
    @Arg('enabled', () => Boolean, { description: 'Whether to route payments to the credential.' })
    enabled: boolean,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<CredentialInfo> {
    return credentials.setEnabled(caller, id, enabled);
  }

  @Mutation(() => CredentialInfo, {
    description: 'Makes a credential the default. Developers and owners only.',
  })
  setDefaultCredential(
    @IdOf('Credential') id: string,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<CredentialInfo> {
    return credentials.setDefault(caller, id);
  }

  @Query(() => CredentialRemoval, {
    description:
      'What removing a credential would do, and what stands in its way. Developers and owners only.',
  })
  credentialRemoval(
    @IdOf('Credential') id: string,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<CredentialRemoval> {
    return credentials.previewRemoval(caller, id);
  }

  @Mutation(() => removalOutcomeEnum, {
    description:
      'Deletes a credential that was never used, and archives any other. Not while it is the default or a rule set refers to it. Developers and owners only.',
  })
  removeCredential(
    @IdOf('Credential') id: string,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<RemovalOutcome> {
    return credentials.remove(caller, id);
  }

  @Mutation(() => CredentialInfo, {
    description: 'Restores an archived credential, which stays disabled. Developers and owners only.',
  })
  restoreCredential(
    @IdOf('Credential') id: string,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<CredentialInfo> {
    return credentials.restore(caller, id);
  }

  @Mutation(() => CredentialCheck, {
    description: 'Checks a credential at its provider, in stages. Developers and owners only.',
  })
  checkCredential(
    @IdOf('Credential') id: string,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<CredentialCheck> {
    return credentials.check(caller, id);
  }

  @Mutation(() => WebhookRegistration, {
    description:
      'Registers the notification URL at the provider, if it has an API for that. Idempotent. Developers and owners only.',
  })
  registerCredentialWebhook(
    @IdOf('Credential') id: string,
    @Ctx() { caller, credentials }: GraphqlContext,
  ): Promise<WebhookRegistration> {
    return credentials.registerWebhook(caller, id);
  }
}
