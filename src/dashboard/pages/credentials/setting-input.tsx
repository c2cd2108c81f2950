import { PasswordInput, Select, TextInput } from '@mantine/core';
import type { ChangeEvent } from 'react';
import { useTexts } from '../../shell/language.tsx';
import type { SettingField } from './documents.ts';
import { BinarySetting, PemSetting } from './file-setting.tsx';
import { settingTexts } from './setting-texts.ts';

interface Props {
  setting: SettingField;
  value: string;
  onChange: (value: string) => void;
}

/** The input that fits a setting. */
export function SettingInput({ setting, value, onChange }: Props) {
  const words = useTexts(settingTexts)[setting.name];
  const field = {
    label: words?.label ?? setting.name,
    description: words?.about,
    required: setting.isRequired,
    value,
  };
  if (setting.kind === 'pem') return <PemSetting {...field} onChange={onChange} />;
  if (setting.kind === 'base64') return <BinarySetting {...field} onChange={onChange} />;
  const typed = {
    ...field,
    placeholder: setting.defaultValue ?? '',
    spellCheck: false,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      onChange(event.currentTarget.value);
    },
  };
  if (setting.kind === 'choice') {
    return (
      <Select
        {...typed}
        value={value || null}
        data={setting.options}
        clearable
        onChange={(chosen) => {
          onChange(chosen ?? '');
        }}
      />
    );
  }
  if (setting.isSecret) return <PasswordInput {...typed} autoComplete="new-password" />;
  return <TextInput {...typed} autoComplete="off" inputMode={setting.kind} />;
}
