import { PasswordInput, Select, TextInput } from '@mantine/core';
import type { ChangeEvent } from 'react';
import type { SettingField } from './documents.ts';
import { BinarySetting, PemSetting, type SettingInputProps } from './file-setting.tsx';

interface Props extends SettingInputProps {
  setting: Omit<SettingField, 'isRequired'>;
}

/** The input that fits a setting. */
export function SettingInput({ setting, onChange, ...field }: Props) {
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
        value={field.value || null}
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
