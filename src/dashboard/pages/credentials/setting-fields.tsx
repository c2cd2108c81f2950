import { Checkbox, Divider, Stack } from '@mantine/core';
import { texts, useTexts } from '../../shell/language.tsx';
import type { SettingField } from './documents.ts';
import { SettingInput } from './setting-input.tsx';
import { settingTexts } from './setting-texts.ts';

const said = texts(
  {
    optional: 'Conforme a conta',
    kept: 'Guardado: deixe vazio para manter.',
    remove: (label: string) => `Remover o que está guardado: ${label}`,
  },
  {
    optional: 'Depending on the account',
    kept: 'Stored: leave it empty to keep it.',
    remove: (label: string) => `Remove what is stored: ${label}`,
  },
);

/** As they are typed; null takes a stored one away. */
export type SettingValues = Readonly<Record<string, string | null>>;

/** What was left empty is left out. */
export const filled = (values: SettingValues): Record<string, string | null> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

interface SettingProps {
  setting: SettingField;
  isStored: boolean;
  value: string | null | undefined;
  onChange: (value: string | null) => void;
}

function Setting({ setting: { isRequired, ...setting }, isStored, value, onChange }: SettingProps) {
  const text = useTexts(said);
  const words = useTexts(settingTexts)[setting.name];
  const label = words?.label ?? setting.name;
  const about = [words?.about, isStored && text.kept].filter(Boolean).join(' ');
  return (
    <Stack gap={6}>
      <SettingInput
        setting={setting}
        label={label}
        description={about}
        required={isRequired && !isStored}
        value={value ?? ''}
        onChange={onChange}
      />
      {isStored && !isRequired && (
        <Checkbox
          size="xs"
          label={text.remove(label)}
          checked={value === null}
          onChange={(event) => {
            onChange(event.currentTarget.checked ? null : '');
          }}
        />
      )}
    </Stack>
  );
}

interface Props {
  fields: readonly SettingField[];
  values: SettingValues;
  /** The names of those that the account has already. */
  stored?: readonly string[];
  onChange: (change: (before: SettingValues) => SettingValues) => void;
}

/** An input for each setting, the required ones first. */
export function SettingFields({ fields, values, stored = [], onChange }: Props) {
  const text = useTexts(said);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  const inputs = (shown: readonly SettingField[]) =>
    shown.map((setting) => (
      <Setting
        key={setting.name}
        setting={setting}
        isStored={stored.includes(setting.name)}
        value={values[setting.name]}
        onChange={(value) => {
          onChange((before) => ({ ...before, [setting.name]: value }));
        }}
      />
    ));
  return (
    <>
      {inputs(fields.filter(({ isRequired }) => isRequired))}
      {optional.length > 0 && <Divider label={text.optional} labelPosition="left" />}
      {inputs(optional)}
    </>
  );
}
