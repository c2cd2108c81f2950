import type { SettingField } from './setting-field.ts';

type Field = Pick<SettingField, 'name' | 'isRequired' | 'defaultValue' | 'presets' | 'unless'>;

/** A setting as it is for the preset and the other settings chosen so far. */
export interface ShownSetting<Of> {
  field: Of;
  isRequired: boolean;
  /** Means the same as in SettingField. */
  defaultValue: string | null;
}

/** The settings that mean something beside the values chosen so far. */
export function shownSettings<Of extends Field>(
  fields: readonly Of[],
  chosen: (name: string) => string | undefined,
): ShownSetting<Of>[] {
  const preset = chosen('preset') || null;
  const presetOf = ({ presets }: Field) => presets.find((each) => each.preset === preset);
  const defaultOf = (field: Field) => presetOf(field)?.defaultValue ?? field.defaultValue;
  const valueOf = (name: string) => {
    const field = fields.find((each) => each.name === name);
    return chosen(name) || (field && defaultOf(field));
  };
  return fields.flatMap((field) => {
    const { unless } = field;
    const { isShown = true, isRequired = field.isRequired } = presetOf(field) ?? {};
    // What a setting replaces counts more than the preset, which it may override.
    const isNeeded = unless ? valueOf(unless.setting) !== unless.value : isRequired;
    if (unless ? !isNeeded : !isShown) return [];
    return [{ field, isRequired: isNeeded, defaultValue: defaultOf(field) }];
  });
}
