import type { LocalizedText } from '../localized-text.ts';

/** Input format of a setting: `pem` and `base64` are files. */
export type SettingKind = 'text' | 'email' | 'url' | 'choice' | 'pem' | 'base64';

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
  options: readonly string[];
  /** Used when the setting is omitted. */
  defaultValue: string | null;
}

/** A provider and the settings of its credentials. */
export interface ProviderSettings {
  provider: string;
  displayName: string;
  fields: readonly SettingField[];
}
