import { Field, ObjectType, registerEnumType } from 'type-graphql';
import type { SettingKind } from '../../domain/providers/setting-field.ts';

const settingKindEnum: Record<SettingKind, SettingKind> = {
  text: 'text',
  email: 'email',
  url: 'url',
  choice: 'choice',
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
    pem: { description: 'A certificate or private key in PEM.' },
    base64: { description: 'A file encoded in Base64.' },
  },
});

@ObjectType({ description: 'A text in every language of the dashboard.', simpleResolvers: true })
class LocalizedText {
  @Field(() => String, { description: 'Brazilian Portuguese.' })
  pt!: string;

  @Field(() => String, { description: 'English.' })
  en!: string;
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

  @Field(() => Boolean, { description: 'Whether it cannot change after the credential is created.' })
  isFixed!: boolean;

  @Field(() => [String], { description: 'Allowed values of a choice.' })
  options!: readonly string[];

  @Field(() => String, { nullable: true, description: 'Value used when the setting is omitted.' })
  defaultValue!: string | null;
}

@ObjectType({ description: 'A provider and the settings of its credentials.', simpleResolvers: true })
export class ProviderSettings {
  @Field(() => String, { description: 'Provider identifier, as in `providers`.' })
  provider!: string;

  @Field(() => String, { description: 'Provider name shown to people.' })
  displayName!: string;

  @Field(() => [SettingField], { description: 'Settings that a credential takes.' })
  fields!: readonly SettingField[];
}
