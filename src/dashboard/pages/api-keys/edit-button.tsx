import { useState } from 'react';
import { DialogButton } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { type ApiKey, updateApiKeyDocument } from './documents.ts';
import { inputOf, KeySettingsInputs, settingFields, settingsOf } from './key-settings.tsx';

const messages = texts(
  {
    edit: 'Editar',
    title: 'Editar chave',
    save: 'Salvar',
    saved: 'Chave atualizada.',
  },
  {
    edit: 'Edit',
    title: 'Edit key',
    save: 'Save',
    saved: 'Key updated.',
  },
);

function EditForm({ apiKey, close }: { apiKey: ApiKey; close: () => void }) {
  const text = useTexts(messages);
  const update = useServiceMutation(updateApiKeyDocument, text.saved);
  const [settings, setSettings] = useState(settingsOf(apiKey));
  const fieldError = useFieldErrors(update.error);
  const send = () => {
    update.mutate({ id: apiKey.id, input: inputOf(settings) }, { onSuccess: close });
  };
  return (
    <DialogForm submit={text.save} mutation={update} onSubmit={send} onCancel={close} fields={settingFields}>
      <KeySettingsInputs settings={settings} onChange={setSettings} fieldError={fieldError} />
    </DialogForm>
  );
}

export function EditButton({ apiKey }: { apiKey: ApiKey }) {
  const text = useTexts(messages);
  return (
    <DialogButton
      label={text.edit}
      subject={apiKey.name}
      title={text.title}
      variant="subtle"
      size="xs"
      px="xs"
    >
      {(close) => <EditForm apiKey={apiKey} close={close} />}
    </DialogButton>
  );
}
