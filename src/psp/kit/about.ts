import type { LocalizedText } from '../../core/base/localized-text.ts';

export interface SettingText {
  label: LocalizedText;
  help?: LocalizedText;
  /** Labels of a choice's values, for values that do not speak for themselves. */
  options?: Readonly<Record<string, LocalizedText>>;
}

/** What people read about a provider: in the dashboard, in the command line's help and in the docs. */
export interface ProviderAbout<SettingName extends string = string> {
  displayName: string;
  settings: Readonly<Record<SettingName, SettingText>>;
  /** How to enter the notification URL in the provider's panel, if that is the only way. */
  webhookSteps?: LocalizedText;
}

export const text = (pt: string, en: string): LocalizedText => ({ pt, en });

export const baseUrlText: SettingText = {
  label: text('URL base da API', 'API base URL'),
  help: text(
    'Altere apenas para usar o ambiente de testes do provedor.',
    "Change it only to use the provider's test environment.",
  ),
};
