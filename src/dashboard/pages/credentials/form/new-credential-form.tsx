import { Alert, Checkbox, Select, TextInput } from '@mantine/core';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { shownSettings } from '../../../../domain/providers/shown-settings.ts';
import { DialogForm } from '../../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../../ui/problems/use-problems.ts';
import { texts, useTexts } from '../../../shell/language.tsx';
import { useServiceMutation } from '../../../shell/use-service.ts';
import { createCredentialDocument, type ProviderSettings } from '../documents.ts';
import { SettingFields } from './setting-fields.tsx';
import { sentSettings, type SettingValues, textOf } from './setting-values.ts';

const messages = texts(
  {
    provider: 'Provedor',
    choose: 'Escolha um provedor',
    name: 'Nome',
    nameAbout: 'Um nome para sua equipe identificar esta conta.',
    isDefault: 'Tornar padrão: usada quando nenhuma regra se aplica',
    sealed: 'Estes dados são armazenados criptografados e não serão exibidos novamente.',
    add: 'Adicionar credencial',
  },
  {
    provider: 'Provider',
    choose: 'Choose a provider',
    name: 'Name',
    nameAbout: 'A name for your team to recognize this account.',
    isDefault: 'Make it the default, used when no rule applies',
    sealed: 'These details are stored encrypted and will not be shown again.',
    add: 'Add credential',
  },
);

interface Props {
  providers: readonly ProviderSettings[];
  isFirst: boolean;
  onAdded: () => void;
  onCancel: () => void;
}

export function NewCredentialForm({ providers, isFirst, onAdded, onCancel }: Props) {
  const text = useTexts(messages);
  const [provider, setProvider] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [isDefault, setIsDefault] = useState(isFirst);
  const [values, setValues] = useState<SettingValues>({});
  const create = useServiceMutation(createCredentialDocument);
  const fields = providers.find((each) => each.provider === provider)?.fields ?? [];
  const settings = shownSettings(fields, (setting) => textOf(values[setting]));
  const choose = (chosen: string | null) => {
    setProvider(chosen);
    setValues({});
    create.reset();
  };
  const fieldError = useFieldErrors(create.error);
  const send = () => {
    if (!provider) return;
    const sent = sentSettings(
      settings.map(({ field }) => field),
      values,
    );
    const input = { provider, name: name.trim(), settings: sent, isDefault };
    create.mutate({ input }, { onSuccess: onAdded });
  };
  return (
    <DialogForm
      submit={text.add}
      mutation={create}
      onSubmit={send}
      onCancel={onCancel}
      isDisabled={!provider}
      fields={['name', ...settings.map(({ field }) => field.name)]}
    >
      <Select
        label={text.provider}
        placeholder={text.choose}
        required
        data-autofocus
        value={provider}
        onChange={choose}
        data={providers.map(({ provider: value, displayName: label }) => ({ value, label }))}
      />
      <TextInput
        label={text.name}
        description={text.nameAbout}
        required
        error={fieldError('name')}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      <SettingFields
        key={provider}
        settings={settings}
        values={values}
        error={create.error}
        onChange={setValues}
      />
      <Checkbox
        label={text.isDefault}
        checked={isDefault}
        onChange={(event) => {
          setIsDefault(event.currentTarget.checked);
        }}
      />
      <Alert color="gray" icon={<Info />}>
        {text.sealed}
      </Alert>
    </DialogForm>
  );
}
