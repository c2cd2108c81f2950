/** How a setting is written: `pem` and `base64` are files. */
export type SettingKind = 'text' | 'email' | 'url' | 'choice' | 'pem' | 'base64';

/** One of the settings with which an account at a PSP is reached. */
export interface SettingField {
  name: string;
  kind: SettingKind;
  isSecret: boolean;
  /** Others may be demanded by what is given. */
  isRequired: boolean;
  /** Part of what the account is: it stays as it was when the credential was made. */
  isFixed: boolean;
  options: readonly string[];
  /** What it is when left out. */
  defaultValue: string | null;
}

export interface ProviderSettings {
  provider: string;
  fields: readonly SettingField[];
}
