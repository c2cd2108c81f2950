import type { ChangeEvent } from 'react';
import { PasswordInput, Select, TextInput } from '../../../ui/inputs/fields.tsx';
import { texts, useLanguage, useTexts } from '../../../base/language.tsx';
import type { SettingField } from '../base/documents.ts';
import { BinarySetting, PemSetting } from './file-setting.tsx';
import { PairsSetting } from './pairs-setting.tsx';
import { pairsOf, type SettingValue, textOf } from './setting-values.ts';

const messages = texts(
  { yes: 'Sim', no: 'Não', byDefault: (value: string) => `Padrão: ${value}` },
  { yes: 'Yes', no: 'No', byDefault: (value) => `Default: ${value}` },
);

interface Props {
  setting: SettingField;
  /** Applies when the input is left empty; null when it is not known. */
  defaultValue: string | null;
  label: string;
  description: string;
  required: boolean;
  error: string | undefined;
  value: SettingValue | undefined;
  onChange: (value: SettingValue) => void;
}

function useOptions({ kind, options, optionLabels }: SettingField): { value: string; label: string }[] {
  const text = useTexts(messages);
  const { language } = useLanguage();
  if (kind === 'boolean') {
    return [
      { value: 'true', label: text.yes },
      { value: 'false', label: text.no },
    ];
  }
  return options.map((value, index) => ({ value, label: optionLabels[index]?.[language] ?? value }));
}

/** Shows the input that fits a setting. */
export function SettingInput({ setting, defaultValue, value, onChange, ...field }: Props) {
  const text = useTexts(messages);
  const options = useOptions(setting);
  const { kind, isSecret } = setting;
  if (kind === 'pairs') {
    const { label, description, error } = field;
    const defaults = JSON.parse(defaultValue ?? '{}') as Record<string, string>;
    return <PairsSetting {...{ label, description, error, defaults, onChange }} pairs={pairsOf(value)} />;
  }
  const written = textOf(value);
  if (kind === 'pem') return <PemSetting {...field} value={written} onChange={onChange} />;
  if (kind === 'base64') return <BinarySetting {...field} value={written} onChange={onChange} />;
  if (kind === 'choice' || kind === 'boolean') {
    const usual = options.find((option) => option.value === defaultValue);
    return (
      <Select
        {...field}
        placeholder={usual && text.byDefault(usual.label)}
        value={written || null}
        data={options}
        searchable={options.length > 5}
        clearable
        onChange={(chosen) => {
          onChange(chosen ?? '');
        }}
      />
    );
  }
  const typed = {
    ...field,
    placeholder: defaultValue ?? '',
    spellCheck: false,
    value: written,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      onChange(event.currentTarget.value);
    },
  };
  if (isSecret) return <PasswordInput {...typed} autoComplete="new-password" />;
  const inputMode = kind === 'number' ? 'numeric' : kind;
  return <TextInput {...typed} autoComplete="off" inputMode={inputMode} />;
}
