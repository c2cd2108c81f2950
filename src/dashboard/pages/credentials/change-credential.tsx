import { Alert, Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { Loaded } from '../../ui/states.tsx';
import { texts, useTexts } from '../../shell/language.tsx';
import { notify, useServiceMutation, useServiceQuery } from '../../shell/use-service.ts';
import {
  type Credential,
  credentialSettingNamesDocument,
  type ProviderSettings,
  providerSettingsDocument,
  updateCredentialDocument,
} from './documents.ts';
import { filled, SettingFields, type SettingValues } from './setting-fields.tsx';

const said = texts(
  {
    change: 'Alterar',
    name: 'Nome',
    about:
      'O que está guardado não é mostrado: um campo vazio mantém o valor que a conta já tem. Ao mudar um endereço, informe de novo os segredos.',
    sameAccount:
      'O id e o endereço de notificação continuam os mesmos, e as cobranças que já existem são acompanhadas com os novos dados. Outra conta é outra credencial.',
    save: 'Salvar alterações',
    saved: 'As alterações já valem. Com “Testar” você confere se o provedor as aceita.',
  },
  {
    change: 'Change',
    name: 'Name',
    about:
      'What is stored is not shown: an empty field keeps the value that the account has. When you change an address, enter the secrets again.',
    sameAccount:
      'The id and the notification address stay the same, and payments that exist are followed with the new settings. Another account is another credential.',
    save: 'Save changes',
    saved: 'The changes hold from now on. “Check” tells whether the provider accepts them.',
  },
);

interface FormProps {
  credential: Credential;
  providers: readonly ProviderSettings[];
  stored: readonly string[];
  onClose: () => void;
}

function ChangeForm({ credential: { id, provider, name: before }, providers, stored, onClose }: FormProps) {
  const text = useTexts(said);
  const [name, setName] = useState(before);
  const [values, setValues] = useState<SettingValues>({});
  const update = useServiceMutation(updateCredentialDocument);
  const fields = providers.find((each) => each.provider === provider)?.fields ?? [];
  const settings = filled(values);
  const input = {
    ...(name.trim() !== before && { name: name.trim() }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
  const saved = () => {
    onClose();
    notify(text.saved);
  };
  return (
    <DialogForm
      submit={text.save}
      mutation={update}
      isDisabled={Object.keys(input).length === 0}
      onCancel={onClose}
      onSubmit={() => {
        update.mutate({ id, input }, { onSuccess: saved });
      }}
    >
      <Alert color="gray" icon={<Info />}>
        {text.about} {text.sameAccount}
      </Alert>
      <TextInput
        label={text.name}
        required
        data-autofocus
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      <SettingFields
        fields={fields.filter(({ isFixed }) => !isFixed)}
        values={values}
        stored={stored}
        onChange={setValues}
      />
    </DialogForm>
  );
}

/** For those who may manage credentials. */
export function ChangeCredential({ credential }: { credential: Credential }) {
  const text = useTexts(said);
  const { id, name } = credential;
  const [isOpen, { open, close }] = useDisclosure(false);
  const settings = useServiceQuery(providerSettingsDocument, {}, { enabled: isOpen });
  const stored = useServiceQuery(credentialSettingNamesDocument, { id }, { enabled: isOpen });
  return (
    <>
      <Button variant="default" size="xs" aria-label={`${text.change}: ${name}`} onClick={open}>
        {text.change}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={`${text.change}: ${name}`} size="lg">
        <Loaded result={settings}>
          {({ providerSettings }) => (
            <Loaded result={stored}>
              {({ credentialSettingNames }) => (
                <ChangeForm
                  credential={credential}
                  providers={providerSettings}
                  stored={credentialSettingNames}
                  onClose={close}
                />
              )}
            </Loaded>
          )}
        </Loaded>
      </Dialog>
    </>
  );
}
