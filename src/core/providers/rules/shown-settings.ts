import type { SettingField } from './setting-field.ts';

type Field = Pick<SettingField, 'name' | 'isRequired' | 'defaultValue' | 'presets' | 'unless'>;

/** A setting with the preset and the other settings chosen so far applied. */
export interface ShownSetting<Of> {
  field: Of;
  isRequired: boolean;
  /** See `SettingField`. */
  defaultValue: string | null;
}

/** The settings that mean something with the values chosen so far. */
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
    // A setting that another one replaces follows that one and not the preset, which the other may override.
    const isNeeded = unless ? valueOf(unless.setting) !== unless.value : isRequired;
    if (unless ? !isNeeded : !isShown) return [];
    return [{ field, isRequired: isNeeded, defaultValue: defaultOf(field) }];
  });
}
