import { Alert, Anchor, Checkbox, Text } from '@mantine/core';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { Select, TextInput } from '../../../ui/inputs/fields.tsx';
import { shownSettings } from '../../../../core/providers/rules/shown-settings.ts';
import { DialogForm } from '../../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../../ui/problems/use-problems.ts';
import { texts, useDocs, useFormats, useLanguage, useTexts } from '../../../base/language.tsx';
import { useServiceMutation } from '../../../base/use-service.ts';
import { useWorkplace } from '../../../base/use-workplace.ts';
import { createCredentialDocument, type ProviderSettings } from '../base/documents.ts';
import { type Bank, banksOf } from './banks.ts';
import { SettingFields } from './setting-fields.tsx';
import { sentSettings, type SettingValues, textOf } from './setting-values.ts';

const messages = texts(
  {
    provider: 'Banco ou provedor',
    choose: 'Escolha o banco ou provedor da conta',
    otherBank: (name: string) => `Outro banco: ${name}`,
    emulatedOnly: 'Testado apenas com um emulador: ainda ninguém relatou o uso com este banco ou provedor.',
    verified: (day: string, version: string) => `Funcionamento confirmado em ${day}, na versão ${version}.`,
    noBank: 'Não está na lista: escolha “Outro banco”.',
    name: 'Nome',
    nameAbout: 'Um nome para sua equipe identificar esta conta.',
    isDefault: 'Tornar padrão: usada quando nenhuma regra se aplica',
    sealed:
      'Estes dados são armazenados criptografados, e os segredos não serão exibidos novamente. Ao salvar, a credencial é testada no provedor; nada é cobrado.',
    guide: (bank: string) => `Guia passo a passo: ${bank}`,
    later: (label: string) =>
      `${label}: só existe depois de cadastrar a URL de notificação no provedor. A URL é exibida ao salvar, e o dado é pedido em seguida.`,
    add: 'Adicionar credencial',
  },
  {
    provider: 'Bank or provider',
    choose: 'Choose the bank or provider of the account',
    otherBank: (name: string) => `Another bank: ${name}`,
    emulatedOnly:
      'Tested against an emulator only: nobody has reported using it with this bank or provider yet.',
    verified: (day: string, version: string) => `Confirmed to work on ${day}, with version ${version}.`,
    noBank: 'Not on the list: choose “Another bank”.',
    name: 'Name',
    nameAbout: 'A name for your team to recognize this account.',
    isDefault: 'Make it the default, used when no rule applies',
    sealed:
      'These details are stored encrypted, and secrets will not be shown again. Once saved, the credential is checked at the provider; nothing is charged.',
    guide: (bank) => `Step-by-step guide: ${bank}`,
    later: (label) =>
      `${label}: exists only once the notification URL is entered at the provider. The URL is shown once saved, and this is asked for next.`,
    add: 'Add credential',
  },
);

interface Props {
  providers: readonly ProviderSettings[];
  isFirst: boolean;
  onAdded: (id: string) => void;
  onCancel: () => void;
}

export function NewCredentialForm({ providers, isFirst, onAdded, onCancel }: Props) {
  const text = useTexts(messages);
  const docs = useDocs();
  const { language } = useLanguage();
  const { mode } = useWorkplace();
  const { calendarDay } = useFormats();
  const [bank, setBank] = useState<Bank>();
  const [typedName, setTypedName] = useState<string>();
  const [isDefault, setIsDefault] = useState(isFirst);
  const [values, setValues] = useState<SettingValues>({});
  const create = useServiceMutation(createCredentialDocument);
  const banks = banksOf(providers, { mode, language, other: text.otherBank });
  const name = typedName ?? bank?.label ?? '';
  const fields = providers.find(({ provider }) => provider === bank?.provider)?.fields ?? [];
  const chosen = (setting: string) => (setting === 'preset' ? bank?.preset : textOf(values[setting]));
  const shown = shownSettings(fields, chosen).filter(({ field }) => field.name !== 'preset');
  const settings = shown.filter(({ field }) => !field.comesWithWebhook);
  const later = shown.filter(({ field }) => field.comesWithWebhook).map(({ field }) => field.label[language]);
  const choose = (value: string | null) => {
    const next = banks.find((each) => each.value === value);
    setBank(next);
    // What banks have in common stays.
    if (next?.provider !== bank?.provider) setValues({});
    create.reset();
  };
  const fieldError = useFieldErrors(create.error);
  const statusOf = ({ verified }: Bank): string =>
    verified ? text.verified(calendarDay(verified.day), verified.version) : text.emulatedOnly;
  const send = () => {
    if (!bank) return;
    const { provider, preset } = bank;
    const sent = sentSettings(
      settings.map(({ field }) => field),
      values,
    );
    const withPreset = { ...(preset && { preset }), ...sent };
    create.mutate(
      { input: { provider, name: name.trim(), settings: withPreset, isDefault } },
      {
        onSuccess: ({ createCredential: { id } }) => {
          onAdded(id);
        },
      },
    );
  };
  return (
    <DialogForm
      submit={text.add}
      mutation={create}
      onSubmit={send}
      onCancel={onCancel}
      isDisabled={!bank}
      fields={['name', ...settings.map(({ field }) => field.name)]}
    >
      <Select
        label={text.provider}
        description={bank && bank.provider !== 'sandbox' ? statusOf(bank) : undefined}
        placeholder={text.choose}
        required
        data-autofocus
        value={bank?.value ?? null}
        onChange={choose}
        searchable
        nothingFoundMessage={text.noBank}
        data={banks.map(({ value, label }) => ({ value, label }))}
      />
      {bank && bank.provider !== 'sandbox' && (
        <Anchor href={`${docs}/going-live/${bank.guide}`} target="_blank" size="sm">
          {text.guide(bank.label)}
        </Anchor>
      )}
      <TextInput
        label={text.name}
        description={text.nameAbout}
        required
        error={fieldError('name')}
        value={name}
        onChange={(event) => {
          setTypedName(event.currentTarget.value);
        }}
      />
      <SettingFields
        key={bank?.provider}
        settings={settings}
        values={values}
        error={create.error}
        onChange={setValues}
      />
      {later.length > 0 && <Text size="sm">{text.later(later.join(', '))}</Text>}
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
