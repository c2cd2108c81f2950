import { Checkbox, Divider, Stack } from '@mantine/core';
import { texts, useLanguage, useTexts } from '../../shell/language.tsx';
import type { SettingField } from './documents.ts';
import { SettingInput } from './setting-input.tsx';

const messages = texts(
  {
    optional: 'Configurações opcionais',
    kept: 'Já informado: deixe vazio para manter.',
    remove: (label: string) => `Remover o valor atual: ${label}`,
  },
  {
    optional: 'Optional settings',
    kept: 'Already set: leave empty to keep it.',
    remove: (label: string) => `Remove the current value: ${label}`,
  },
);

/** As typed; null removes the stored value. */
export type SettingValues = Readonly<Record<string, string | null>>;

/** Without the settings left empty. */
export const filled = (values: SettingValues): Record<string, string | null> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

interface SettingProps {
  setting: SettingField;
  isStored: boolean;
  value: string | null | undefined;
  onChange: (value: string | null) => void;
}

function Setting({ setting: { isRequired, ...setting }, isStored, value, onChange }: SettingProps) {
  const text = useTexts(messages);
  const { language } = useLanguage();
  const label = setting.label[language];
  const about = [setting.help?.[language], isStored && text.kept].filter(Boolean).join(' ');
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
  /** Names of the settings that already have a value. */
  stored?: readonly string[];
  onChange: (change: (before: SettingValues) => SettingValues) => void;
}

/** One input per setting, required ones first. */
export function SettingFields({ fields, values, stored = [], onChange }: Props) {
  const text = useTexts(messages);
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
