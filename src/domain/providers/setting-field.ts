/** `pem` and `base64` values are read from files. */
export type SettingKind = 'text' | 'email' | 'url' | 'choice' | 'pem' | 'base64';

/** A setting needed to connect to an account at a PSP. */
export interface SettingField {
  name: string;
  kind: SettingKind;
  isSecret: boolean;
  /** Other settings may become required depending on the values given. */
  isRequired: boolean;
  /** Identifies the account, so it cannot change after creation. */
  isFixed: boolean;
  options: readonly string[];
  defaultValue: string | null;
}

export interface ProviderSettings {
  provider: string;
  fields: readonly SettingField[];
}
