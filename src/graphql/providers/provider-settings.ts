import { Field, ObjectType, registerEnumType } from 'type-graphql';
import type { PspCapabilities } from '../../core/providers/rules/psp.ts';
import type { SettingKind } from '../../core/providers/rules/setting-field.ts';

const settingKindEnum: Record<SettingKind, SettingKind> = {
  text: 'text',
  email: 'email',
  url: 'url',
  choice: 'choice',
  number: 'number',
  boolean: 'boolean',
  pairs: 'pairs',
  pem: 'pem',
  base64: 'base64',
};

registerEnumType(settingKindEnum, {
  name: 'SettingKind',
  description: 'Input format of a setting.',
  valuesConfig: {
    text: { description: 'Free text.' },
    email: { description: 'An e-mail address.' },
    url: { description: 'An https URL.' },
    choice: { description: 'One of `options`.' },
    number: { description: 'A number.' },
    boolean: { description: '`true` or `false`.' },
    pairs: { description: 'An object whose values are strings.' },
    pem: { description: 'A certificate or private key in PEM.' },
    base64: { description: 'A file encoded in Base64.' },
  },
});

type Registration = PspCapabilities['webhookRegistration'];

const registrationEnum: Record<Registration, Registration> = {
  api: 'api',
  per_charge: 'per_charge',
  panel: 'panel',
  none: 'none',
};

registerEnumType(registrationEnum, {
  name: 'WebhookRegistrationKind',
  description: 'How a provider learns the notification URL.',
  valuesConfig: {
    api: { description: '`registerCredentialWebhook` registers it.' },
    per_charge: { description: 'It is sent with each charge.' },
    panel: { description: "Someone enters it in the provider's panel." },
    none: { description: 'The provider sends no notifications.' },
  },
});

@ObjectType({ description: 'A text in every language of the dashboard.', simpleResolvers: true })
class LocalizedText {
  @Field(() => String, { description: 'Brazilian Portuguese.' })
  pt!: string;

  @Field(() => String, { description: 'English.' })
  en!: string;
}

@ObjectType({ description: 'What a setting is like with a preset.', simpleResolvers: true })
class PresetSetting {
  @Field(() => String, {
    nullable: true,
    description: 'Value of the setting `preset`; `null` for credentials without one.',
  })
  preset!: string | null;

  @Field(() => Boolean, { description: 'Whether the setting means anything with this preset.' })
  isShown!: boolean;

  @Field(() => Boolean, { description: 'Whether a credential with this preset needs it.' })
  isRequired!: boolean;

  @Field(() => String, { nullable: true, description: 'Value used when the setting is omitted.' })
  defaultValue!: string | null;
}

@ObjectType({ description: 'A setting and its value.', simpleResolvers: true })
class SettingValue {
  @Field(() => String, { description: 'Name of the setting.' })
  setting!: string;

  @Field(() => String, { description: 'Its value.' })
  value!: string;
}

@ObjectType({ description: 'A setting of a credential.', simpleResolvers: true })
class SettingField {
  @Field(() => String, { description: 'Key in `settings`.' })
  name!: string;

  @Field(() => LocalizedText, { description: 'Name shown to people.' })
  label!: LocalizedText;

  @Field(() => LocalizedText, { nullable: true, description: 'Help text shown next to the setting.' })
  help!: LocalizedText | null;

  @Field(() => settingKindEnum, { description: 'Input format.' })
  kind!: SettingKind;

  @Field(() => Boolean, { description: 'Whether the value is secret.' })
  isSecret!: boolean;

  @Field(() => Boolean, { description: 'Whether every credential of the provider needs it.' })
  isRequired!: boolean;

  @Field(() => Boolean, { description: 'Whether the service makes it up where none is given.' })
  isGenerated!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether it exists only once the notification URL was entered at the provider: create the credential without it, and add it then.',
  })
  comesWithWebhook!: boolean;

  @Field(() => Boolean, { description: 'Whether it cannot change after the credential is created.' })
  isFixed!: boolean;

  @Field(() => Boolean, { description: 'Whether its default fits nearly every credential.' })
  isAdvanced!: boolean;

  @Field(() => [String], { description: 'Allowed values of a choice.' })
  options!: readonly string[];

  @Field(() => [LocalizedText], { description: 'Names of `options` shown to people, in the same order.' })
  optionLabels!: readonly LocalizedText[];

  @Field(() => String, {
    nullable: true,
    description:
      'Value used when the setting is omitted; JSON for numbers, booleans and pairs. `{name}` stands for a setting.',
  })
  defaultValue!: string | null;

  @Field(() => [PresetSetting], {
    description: 'One item per preset and one for none, if the setting depends on the preset; else empty.',
  })
  presets!: readonly PresetSetting[];

  @Field(() => SettingValue, {
    nullable: true,
    description: 'Another setting and its value with which this one is not needed.',
  })
  unless!: SettingValue | null;
}

@ObjectType({
  description:
    'A provider or preset that was seen to work, by a report of the command line (`pix conformance`).',
  simpleResolvers: true,
})
class Verified {
  @Field(() => String, {
    nullable: true,
    description: 'Preset of the credential that was used; `null` without one.',
  })
  preset!: string | null;

  @Field(() => String, { description: 'Day on which it was run, `YYYY-MM-DD`.' })
  day!: string;

  @Field(() => String, { description: 'Version of this service that was run.' })
  version!: string;

  @Field(() => String, { description: 'URL of the report.' })
  report!: string;
}

@ObjectType({ description: 'A provider and the settings of its credentials.', simpleResolvers: true })
export class ProviderSettings {
  @Field(() => String, { description: 'Provider identifier, as in `providers`.' })
  provider!: string;

  @Field(() => String, { description: 'Provider name shown to people.' })
  displayName!: string;

  @Field(() => registrationEnum, { description: 'How the provider learns the notification URL.' })
  webhookRegistration!: Registration;

  @Field(() => LocalizedText, {
    nullable: true,
    description: "How to enter the notification URL in the provider's panel, where that is the only way.",
  })
  webhookSteps!: LocalizedText | null;

  @Field(() => [Verified], {
    description:
      'Who was seen to work. Any other provider or preset was tried against an emulator alone, and nobody has reported more.',
  })
  verified!: readonly Verified[];

  @Field(() => [SettingField], { description: 'Settings that a credential takes.' })
  fields!: readonly SettingField[];
}
