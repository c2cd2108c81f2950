import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { RemovalOutcome } from '../../core/providers/remove-credential.ts';
import { First, IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { CredentialCheck, WebhookRegistration } from './credential-check.ts';
import {
  CreateCredentialInput,
  CredentialInfo,
  CredentialRemoval,
  removalOutcomeEnum,
  StoredSetting,
  UpdateCredentialInput,
} from './credential-types.ts';
import { ProviderSettings } from './provider-settings.ts';
import { UnreadableResponse } from './unreadable-response.ts';

@Resolver()
export class CredentialResolver {
  @Query(() => [CredentialInfo], { description: 'Credentials of the organization, with archived ones.' })
  credentials(@Ctx() { reader, caller, services }: GraphqlContext): Promise<CredentialInfo[]> {
    return reader.readAll(() => services.credentials.list(caller));
  }

  @Query(() => [String], { description: 'Identifiers of the providers that a credential can name.' })
  providers(@Ctx() { caller, services }: GraphqlContext): string[] {
    return [...services.credentials.providers(caller)];
  }

  @Query(() => [ProviderSettings], {
    description: 'Providers with the settings of their credentials, and who was seen to work.',
  })
  providerSettings(@Ctx() { caller, services }: GraphqlContext): ProviderSettings[] {
    return services.credentials.providerSettings(caller);
  }

  @Query(() => [String], {
    description: 'Names of the stored settings; values are never shown. Developers and owners only.',
  })
  credentialSettingNames(
    @IdOf('Credential') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<string[]> {
    return services.credentials.settingNames(caller, id);
  }

  @Query(() => [StoredSetting], {
    description: 'Stored settings, with the values of those that are not secret. Developers and owners only.',
  })
  credentialSettings(
    @IdOf('Credential') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<StoredSetting[]> {
    return services.credentials.storedSettings(caller, id);
  }

  @Query(() => [UnreadableResponse], {
    description:
      'Latest responses and notifications of the provider that could not be read or believed, newest first; viewing them is recorded in the audit log. Developers and owners only.',
  })
  credentialUnreadableResponses(
    @IdOf('Credential') id: string,
    @First() first: number,
    @Ctx() { reader, caller, services }: GraphqlContext,
  ): Promise<UnreadableResponse[]> {
    return reader.read(
      'first',
      () => services.unreadableResponses.ofCredential(caller, id, first),
      (responses) => responses,
    );
  }

  @Mutation(() => CredentialInfo, { description: 'Creates a credential. Developers and owners only.' })
  createCredential(
    @Arg('input', () => CreateCredentialInput, { description: 'The credential to create.' })
    input: CreateCredentialInput,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<CredentialInfo> {
    return services.credentials.create(caller, { ...input, isDefault: input.isDefault === true });
  }

  @Mutation(() => CredentialInfo, {
    description:
      'Updates the name, settings or fees of a credential; it must remain the same account. Developers and owners only.',
  })
  updateCredential(
    @IdOf('Credential') id: string,
    @Arg('input', () => UpdateCredentialInput, { description: 'Changes to the credential.' })
    { name, settings, fees }: UpdateCredentialInput,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<CredentialInfo> {
    return services.credentials.update(caller, id, {
      name: name ?? undefined,
      settings: settings ?? undefined,
      fees,
    });
  }

  @Mutation(() => CredentialInfo, {
    description: 'Enables or disables a credential. Developers and owners only.',
  })
  setCredentialEnabled(
    @IdOf('Credential') id: string,
    @Arg('enabled', () => Boolean, { description: 'Whether to route payments to the credential.' })
    enabled: boolean,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<CredentialInfo> {
    return services.credentials.setEnabled(caller, id, enabled);
  }

  @Mutation(() => CredentialInfo, {
    description: 'Makes a credential the default. Developers and owners only.',
  })
  setDefaultCredential(
    @IdOf('Credential') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<CredentialInfo> {
    return services.credentials.setDefault(caller, id);
  }

  @Query(() => CredentialRemoval, {
    description:
      'What removing a credential would do, and what stands in its way. Developers and owners only.',
  })
  credentialRemoval(
    @IdOf('Credential') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<CredentialRemoval> {
    return services.credentials.previewRemoval(caller, id);
  }

  @Mutation(() => removalOutcomeEnum, {
    description:
      'Deletes a credential that was never used, and archives any other. Not while it is the default or a rule set refers to it. Developers and owners only.',
  })
  removeCredential(
    @IdOf('Credential') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<RemovalOutcome> {
    return services.credentials.remove(caller, id);
  }

  @Mutation(() => CredentialInfo, {
    description: 'Restores an archived credential, which stays disabled. Developers and owners only.',
  })
  restoreCredential(
    @IdOf('Credential') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<CredentialInfo> {
    return services.credentials.restore(caller, id);
  }

  @Mutation(() => CredentialCheck, {
    description: 'Checks a credential at its provider, in stages. Developers and owners only.',
  })
  checkCredential(
    @IdOf('Credential') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<CredentialCheck> {
    return services.credentials.check(caller, id);
  }

  @Mutation(() => WebhookRegistration, {
    description:
      'Registers the notification URL at the provider, if it has an API for that. Idempotent. Developers and owners only.',
  })
  registerCredentialWebhook(
    @IdOf('Credential') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<WebhookRegistration> {
    return services.credentials.registerWebhook(caller, id);
  }
}
