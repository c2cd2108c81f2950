import { Alert, Checkbox, Divider, Select, TextInput } from '@mantine/core';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { providerName } from '../../parts/provider-names.ts';
import { texts, useTexts } from '../../shell/language.tsx';
import { useServiceMutation } from '../../shell/use-service.ts';
import { createCredentialDocument, type ProviderSettings } from './documents.ts';
import { SettingInput } from './setting-input.tsx';

const said = texts(
  {
    provider: 'Provedor',
    choose: 'Escolha um provedor',
    name: 'Nome',
    nameAbout: 'Como sua equipe chama esta conta.',
    optional: 'Conforme a conta',
    isDefault: 'Tornar padrão: recebe o que nenhuma regra envia a outra',
    sealed: 'O que você informa aqui é guardado cifrado e não é mostrado de novo.',
    add: 'Adicionar credencial',
  },
  {
    provider: 'Provider',
    choose: 'Choose a provider',
    name: 'Name',
    nameAbout: 'What your team calls this account.',
    optional: 'Depending on the account',
    isDefault: 'Make it the default: it takes what no rule sends elsewhere',
    sealed: 'What you enter here is kept encrypted and is not shown again.',
    add: 'Add credential',
  },
);

/** What was left empty is left out. */
const filled = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

interface Props {
  providers: readonly ProviderSettings[];
  isFirst: boolean;
  onAdded: () => void;
  onCancel: () => void;
}

export function NewCredentialForm({ providers, isFirst, onAdded, onCancel }: Props) {
  const text = useTexts(said);
  const [provider, setProvider] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [isDefault, setIsDefault] = useState(isFirst);
  const [values, setValues] = useState<Record<string, string>>({});
  const create = useServiceMutation(createCredentialDocument);
  const fields = providers.find((each) => each.provider === provider)?.fields ?? [];
  const optional = fields.filter(({ isRequired }) => !isRequired);
  const choose = (chosen: string | null) => {
    setProvider(chosen);
    setValues({});
    create.reset();
  };
  const send = () => {
    if (!provider) return;
    const input = { provider, name: name.trim(), settings: filled(values), isDefault };
    create.mutate({ input }, { onSuccess: onAdded });
  };
  const inputs = (shown: typeof fields) =>
    shown.map((setting) => (
      <SettingInput
        key={`${provider}.${setting.name}`}
        setting={setting}
        value={values[setting.name] ?? ''}
        onChange={(value) => {
          setValues((before) => ({ ...before, [setting.name]: value }));
        }}
      />
    ));
  return (
    <DialogForm
      submit={text.add}
      mutation={create}
      onSubmit={send}
      onCancel={onCancel}
      isDisabled={!provider}
    >
      <Select
        label={text.provider}
        placeholder={text.choose}
        required
        data-autofocus
        value={provider}
        onChange={choose}
        data={providers.map((each) => ({ value: each.provider, label: providerName(each.provider) }))}
      />
      <TextInput
        label={text.name}
        description={text.nameAbout}
        required
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      {inputs(fields.filter(({ isRequired }) => isRequired))}
      {optional.length > 0 && <Divider label={text.optional} labelPosition="left" />}
      {inputs(optional)}
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
