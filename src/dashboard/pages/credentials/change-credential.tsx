import { Alert, Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
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

const messages = texts(
  {
    change: 'Editar',
    name: 'Nome',
    about:
      'Os valores atuais não são exibidos: um campo vazio mantém o valor atual. Ao mudar uma URL, informe novamente os segredos.',
    sameAccount:
      'O ID e a URL de notificação não mudam, e as cobranças existentes passam a ser acompanhadas com os novos dados. Para outra conta, crie outra credencial.',
    save: 'Salvar alterações',
    saved: 'Alterações salvas. Use “Testar” para conferir se o provedor as aceita.',
  },
  {
    change: 'Edit',
    name: 'Name',
    about:
      'Current values are not shown: an empty field keeps its value. If you change a URL, enter the secrets again.',
    sameAccount:
      'The ID and the notification URL stay the same, and existing payments are tracked with the new settings. For another account, create another credential.',
    save: 'Save changes',
    saved: 'Changes saved. Use “Check” to see whether the provider accepts them.',
  },
);

interface FormProps {
  credential: Credential;
  providers: readonly ProviderSettings[];
  stored: readonly string[];
  onClose: () => void;
}

function ChangeForm({ credential: { id, provider, name: before }, providers, stored, onClose }: FormProps) {
  const text = useTexts(messages);
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
  const text = useTexts(messages);
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
        <QueryResult result={settings}>
          {({ providerSettings }) => (
            <QueryResult result={stored}>
              {({ credentialSettingNames }) => (
                <ChangeForm
                  credential={credential}
                  providers={providerSettings}
                  stored={credentialSettingNames}
                  onClose={close}
                />
              )}
            </QueryResult>
          )}
        </QueryResult>
      </Dialog>
    </>
  );
}
