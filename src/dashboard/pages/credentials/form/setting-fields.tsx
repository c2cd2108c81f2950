import { Checkbox, Stack } from '@mantine/core';
import type { ShownSetting } from '../../../../core/providers/rules/shown-settings.ts';
import { Fold } from '../../../ui/inputs/fold.tsx';
import { useFieldErrors } from '../../../ui/problems/use-problems.ts';
import { texts, useLanguage, useTexts } from '../../../base/language.tsx';
import type { SettingField } from '../base/documents.ts';
import { SettingInput } from './setting-input.tsx';
import { certificateNames } from './certificate-files.ts';
import { CertificateSetting } from './certificate-setting.tsx';
import type { SettingValue, SettingValues } from './setting-values.ts';

const messages = texts(
  {
    advanced: 'Configurações avançadas',
    kept: 'Já informado: deixe vazio para manter.',
    remove: (label: string) => `Remover o valor atual: ${label}`,
  },
  {
    advanced: 'Advanced settings',
    kept: 'Already set: leave empty to keep it.',
    remove: (label) => `Remove the current value: ${label}`,
  },
);

export interface FormSetting extends ShownSetting<SettingField> {
  /** A stored value can be removed. */
  isRemovable?: boolean;
}

interface SettingProps {
  shown: FormSetting;
  isStored: boolean;
  error: string | undefined;
  value: SettingValue | undefined;
  onChange: (value: SettingValue) => void;
}

function Setting({
  shown: { field, isRequired, isRemovable, defaultValue },
  isStored,
  error,
  value,
  onChange,
}: SettingProps) {
  const text = useTexts(messages);
  const { language } = useLanguage();
  const label = field.label[language];
  const about = [field.help?.[language], isStored && text.kept].filter(Boolean).join(' ');
  return (
    <Stack gap={6}>
      <SettingInput
        setting={field}
        defaultValue={isStored ? null : defaultValue}
        label={label}
        description={about}
        required={isRequired}
        error={error}
        value={value}
        onChange={onChange}
      />
      {isStored && isRemovable && (
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
  settings: readonly FormSetting[];
  values: SettingValues;
  /** The settings with these names have a value which the form does not know. */
  stored?: readonly string[];
  /** The settings that it concerns are opened. */
  error: Error | null;
  onChange: (change: (before: SettingValues) => SettingValues) => void;
}

const isOfCertificate = ({ field }: FormSetting): boolean =>
  certificateNames.some((name) => name === field.name);

/** Hardly anybody needs a setting that has a default or is made up, and is not asked for. */
const isFolded = ({ field, isRequired, defaultValue }: FormSetting): boolean =>
  field.isAdvanced || field.isGenerated || (defaultValue !== null && !isRequired);

/** The preset comes first, as it decides about the others. What hardly anybody needs is folded away. */
export function SettingFields({ settings, values, stored = [], error, onChange }: Props) {
  const text = useTexts(messages);
  const fieldError = useFieldErrors(error);
  const inputs = (shown: readonly FormSetting[]) =>
    shown.map((each) => {
      const { name } = each.field;
      return (
        <Setting
          key={name}
          shown={each}
          isStored={stored.includes(name)}
          error={fieldError(name)}
          value={values[name]}
          onChange={(value) => {
            onChange((before) => ({ ...before, [name]: value }));
          }}
        />
      );
    });
  const others = settings.filter((each) => !isOfCertificate(each));
  const usual = others.filter((each) => !isFolded(each));
  const advanced = others.filter(isFolded);
  const hasError = advanced.some(({ field }) => fieldError(field.name) !== undefined);
  return (
    <>
      {inputs(
        usual.toSorted((a, b) => Number(b.field.name === 'preset') - Number(a.field.name === 'preset')),
      )}
      {settings.some(isOfCertificate) && (
        <CertificateSetting
          isStored={certificateNames.some((name) => stored.includes(name))}
          values={values}
          error={certificateNames.map((name) => fieldError(name)).find(Boolean)}
          onChange={onChange}
        />
      )}
      {advanced.length > 0 && (
        <Fold label={text.advanced} hasError={hasError}>
          {inputs(advanced)}
        </Fold>
      )}
    </>
  );
}
