import type { LocalizedText } from '../../base/localized-text.ts';
import type { PspCapabilities } from './psp.ts';

/** Input format of a setting: `pem` and `base64` are files, `pairs` is an object of strings. */
export type SettingKind =
  'text' | 'email' | 'url' | 'choice' | 'number' | 'boolean' | 'pairs' | 'pem' | 'base64';

/** What a setting is like for credentials with a preset. */
export interface PresetSetting {
  /** Value of the setting `preset`; null for credentials without one. */
  preset: string | null;
  /** Whether the setting means anything there. */
  isShown: boolean;
  isRequired: boolean;
  /** Means the same as in SettingField. */
  defaultValue: string | null;
}

/** A setting of a credential. */
export interface SettingField {
  name: string;
  label: LocalizedText;
  help: LocalizedText | null;
  kind: SettingKind;
  isSecret: boolean;
  /** False also for settings that are required only in combination with others. */
  isRequired: boolean;
  /** Identifies the account, so it cannot change after the credential is created. */
  isFixed: boolean;
  /** Decides where the secrets are sent. */
  isAddress: boolean;
  /** Has a default that fits nearly everybody. */
  isAdvanced: boolean;
  /** Values of a choice. */
  options: readonly string[];
  /** Their names for people, in the same order. */
  optionLabels: readonly LocalizedText[];
  /** Used when the setting is omitted; JSON for numbers, booleans and pairs. */
  defaultValue: string | null;
  /** Has one for each preset and one for none, if the setting depends on the preset; else it is empty. */
  presets: readonly PresetSetting[];
  /** Another setting and its value with which this one is not needed. */
  unless: { setting: string; value: string } | null;
}

/** A provider and the settings of its credentials. */
export interface ProviderSettings {
  provider: string;
  displayName: string;
  webhookRegistration: PspCapabilities['webhookRegistration'];
  /** How to enter the notification URL in the provider's panel, where that is the only way. */
  webhookSteps: LocalizedText | null;
  fields: readonly SettingField[];
}
