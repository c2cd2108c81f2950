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
  description: 'How a setting is written.',
  valuesConfig: {
    text: { description: 'Anything.' },
    email: { description: 'An e-mail address.' },
    url: { description: 'An https URL.' },
    choice: { description: 'One of `options`.' },
    pem: { description: 'A certificate or key in PEM.' },
    base64: { description: 'A file in Base64.' },
  },
});

@ObjectType({ description: 'One of the settings of an account.', simpleResolvers: true })
class SettingField {
  @Field(() => String, { description: 'Its name in `settings`.' })
  name!: string;

  @Field(() => settingKindEnum, { description: 'How it is written.' })
  kind!: SettingKind;

  @Field(() => Boolean, { description: 'Whether it must not be seen by others.' })
  isSecret!: boolean;

  @Field(() => Boolean, { description: 'Whether every account has it.' })
  isRequired!: boolean;

  @Field(() => Boolean, { description: 'Whether `updateCredential` leaves it as it is.' })
  isFixed!: boolean;

  @Field(() => [String], { description: 'What can be chosen.' })
  options!: readonly string[];

  @Field(() => String, { nullable: true, description: 'What it is when left out.' })
  defaultValue!: string | null;
}

@ObjectType({ description: 'What an account at a PSP is reached with.', simpleResolvers: true })
export class ProviderSettings {
  @Field(() => String, { description: 'The PSP.' })
  provider!: string;

  @Field(() => [SettingField], { description: 'The members of `settings`.' })
  fields!: readonly SettingField[];
}
