import type { PresetSetting, SettingField } from '../../core/providers/rules/setting-field.ts';
import { providerSettings } from '../../psp/providers.ts';

const formats: Partial<Record<SettingField['kind'], string>> = {
  number: 'A number.',
  boolean: 'true or false.',
  pairs: 'An object of strings.',
};

function presetNotes({ presets }: SettingField): string[] {
  const namesOf = (isListed: (each: PresetSetting) => boolean) =>
    presets
      .filter(isListed)
      .map(({ preset }) => preset ?? 'no preset')
      .join(', ');
  const shown = presets.filter(({ isShown }) => isShown);
  const isAlwaysRequired = shown.every(({ isRequired }) => isRequired);
  const [hiding, showing] = [namesOf(({ isShown }) => !isShown), namesOf(({ isShown }) => isShown)];
  const requiring = namesOf(({ isRequired }) => isRequired);
  if (shown.length * 2 > presets.length && hiding) {
    return [`Not with ${hiding}${isAlwaysRequired ? '; required otherwise' : ''}.`];
  }
  if (hiding) return [`${isAlwaysRequired ? 'Required' : 'Only'} with ${showing}.`];
  return requiring ? [`Required with ${requiring}.`] : [];
}

function settingHelp(field: SettingField): string {
  const { name, label, help, kind, isRequired, options, defaultValue } = field;
  const notes = [
    `${label.en}.`,
    help?.en,
    formats[kind],
    options.length > 0 && `One of ${options.join(', ')}.`,
    defaultValue !== null && `Default: ${defaultValue}.`,
    ...presetNotes(field),
  ];
  return `    ${name}${isRequired ? ' (required)' : ''}: ${notes.filter(Boolean).join(' ')}`;
}

/** What `--config` takes for each provider. */
export const settingsHelp = (): string =>
  providerSettings()
    .filter(({ fields }) => fields.length > 0)
    .map(({ provider, displayName, fields }) =>
      [`  ${provider} (${displayName})`, ...fields.map(settingHelp)].join('\n'),
    )
    .join('\n\n');
