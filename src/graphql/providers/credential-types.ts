import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { JsonObject } from '../../core/base/json/json-object.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { GraphQLJSONObject } from '../base/json-object.ts';
import { LastCheck } from './credential-check.ts';

@ObjectType({ description: 'What a provider takes of a received Pix.', simpleResolvers: true })
class CredentialFees {
  @Field(() => Float, { description: 'Percentage of the amount.' })
  percent!: number;

  @Field(() => Float, { description: 'Added to the percentage, in BRL.' })
  fixed!: number;

  @Field(() => Float, { nullable: true, description: 'Lowest fee, in BRL; `null` without one.' })
  minimum!: number | null;

  @Field(() => Float, { nullable: true, description: 'Highest fee, in BRL; `null` without one.' })
  maximum!: number | null;

  @Field(() => String, {
    description: 'The day, in Brasília, on which they were given: the books compare it and later ones.',
  })
  since!: string;
}

@ObjectType({ description: 'An account at a provider, without its secrets.', simpleResolvers: true })
export class CredentialInfo {
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

  @Field(() => Int, {
    nullable: true,
    description: 'Place among the fallbacks of the default, from 1; `null` when it is none of them.',
  })
  fallbackPosition!: number | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Credential that takes its turn first, see `divertCredential`; else `null`.',
  })
  divertedToId!: string | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'Since when another credential takes its turn first; else `null`.',
  })
  divertedAt!: Date | null;

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

  @Field(() => CredentialFees, {
    nullable: true,
    description: 'What a received Pix costs; `null` where nobody has said.',
  })
  fees!: CredentialFees | null;

  @Field(() => String, {
    description:
      'Webhook URL to register with the provider; its token is masked for members who may not manage credentials.',
  })
  notificationUrl!: string;

  @Field(() => [String], {
    description:
      'Settings that exist only once the notification URL was entered at the provider, and are missing: it is incomplete until they are given.',
  })
  missingSettings!: string[];

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
export class StoredSetting {
  @Field(() => String, { description: 'Name of the setting, as in `providerSettings`.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Its value; `null` for secrets, which are never shown.',
  })
  value!: string | null;
}

export const removalOutcomeEnum = { deleted: 'deleted', archived: 'archived' } as const;

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

@ObjectType({ description: 'A credential whose turn another one takes first.', simpleResolvers: true })
class DivertedCredential {
  @Field(() => ID, { description: 'Id of the credential.' })
  id!: string;

  @Field(() => String, { description: 'Its name.' })
  name!: string;
}

@ObjectType({ description: 'What removing a credential would do.', simpleResolvers: true })
export class CredentialRemoval {
  @Field(() => Boolean, {
    description:
      'Whether its provider was ever called for a charge, notified of anything or listed money: it would be archived, else deleted.',
  })
  isUsed!: boolean;

  @Field(() => Boolean, { description: 'Whether it is the default, which cannot be removed.' })
  isDefault!: boolean;

  @Field(() => Boolean, { description: 'Whether it is a fallback of the default, which cannot be removed.' })
  isDefaultFallback!: boolean;

  @Field(() => [ReferringRuleSet], {
    description: 'Rule sets that refer to it: while any does, it cannot be removed.',
  })
  ruleSets!: ReferringRuleSet[];

  @Field(() => [DivertedCredential], {
    description: 'Credentials that are diverted to it: while any is, it cannot be removed.',
  })
  divertedHere!: DivertedCredential[];
}

@InputType({ description: 'What a provider takes of a received Pix: a percentage, a fixed amount or both.' })
class CredentialFeesInput {
  @Field(() => Float, {
    nullable: true,
    description: 'Percentage of the amount, from 0 to 100, with at most four decimals.',
  })
  percent?: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'To add to the percentage, in BRL. This or the percentage is required.',
  })
  fixed?: number | null;

  @Field(() => Float, { nullable: true, description: 'Lowest fee, in BRL.' })
  minimum?: number | null;

  @Field(() => Float, { nullable: true, description: 'Highest fee, in BRL.' })
  maximum?: number | null;
}

@InputType({ description: 'A credential to create.' })
export class CreateCredentialInput {
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

  @Field(() => CredentialFeesInput, { nullable: true, description: 'What a received Pix costs.' })
  fees?: CredentialFeesInput | null;
}

@InputType({ description: 'Changes to a credential; omitted fields keep their value.' })
export class UpdateCredentialInput {
  @Field(() => String, { nullable: true, description: 'New name for the credential.' })
  name?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Merged into the stored settings; `null` removes a setting.',
  })
  settings?: JsonObject | null;

  @Field(() => CredentialFeesInput, {
    nullable: true,
    description: 'What a received Pix costs, in place of what was said before; `null` removes that.',
  })
  fees?: CredentialFeesInput | null;
}
