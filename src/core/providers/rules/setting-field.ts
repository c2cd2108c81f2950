import type { LocalizedText } from '../../base/localized-text.ts';
import type { PspCapabilities } from './psp.ts';

/** Input format of a setting: `pem` and `base64` are files, `pairs` is an object of strings. */
export type SettingKind =
  'text' | 'email' | 'url' | 'choice' | 'number' | 'boolean' | 'pairs' | 'pem' | 'base64';

/** How a setting differs for credentials with a preset. */
export interface PresetSetting {
  /** Value of the setting `preset`; null for credentials without one. */
  preset: string | null;
  /** Whether the setting means anything with that preset. */
  isShown: boolean;
  isRequired: boolean;
  /** See `SettingField`. */
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
  /** A secret that the service makes up where none is given. */
  isGenerated: boolean;
  /** Known only once the notification URL was entered at the provider; until it is given, the credential is incomplete. */
  comesWithWebhook: boolean;
  /** Has a default that fits nearly everybody. */
  isAdvanced: boolean;
  /** Values of a choice. */
  options: readonly string[];
  /** Labels of the options, in the same order. */
  optionLabels: readonly LocalizedText[];
  /** Used when the setting is omitted; JSON for numbers, booleans and pairs. */
  defaultValue: string | null;
  /** One for each preset and one for none if the setting depends on the preset; otherwise empty. */
  presets: readonly PresetSetting[];
  /** Another setting, and the value of it that makes this one unnecessary. */
  unless: { setting: string; value: string } | null;
}

/** A report of the conformance run by somebody who has the account. */
export interface Verified {
  /** The value of the setting `preset` that was used; null without one. */
  preset: string | null;
  /** `YYYY-MM-DD`. */
  day: string;
  /** The release of this software that was seen. */
  version: string;
  /** Where the report was published. */
  report: string;
}

export interface ProviderSettings {
  provider: string;
  displayName: string;
  webhookRegistration: PspCapabilities['webhookRegistration'];
  /** How to enter the notification URL in the provider's panel, if that is the only way. */
  webhookSteps: LocalizedText | null;
  /** Who was seen to work. Of all others only an emulator of our own was tried. */
  verified: readonly Verified[];
  fields: readonly SettingField[];
}
