import { useState } from 'react';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { texts, useTexts, useTimeZone } from '../../base/language.tsx';
import { DateInput } from '../../ui/date-range/date-input.tsx';
import { dayIn, endOfDay } from '../../ui/date-range/ranges.ts';
import { latestDay } from '../../ui/date-range/typed-date.ts';
import { useServiceMutation } from '../../base/use-service.ts';
import { createApiKeyDocument, type NewKey } from './documents.ts';
import { inputOf, KeySettingsInputs, settingFields, settingsOf } from './key-settings.tsx';

const messages = texts(
  {
    nameAbout: 'Onde a chave será usada, por exemplo: servidor da loja.',
    expires: 'Válida até',
    expiresAbout: 'Até o fim deste dia. Sem data, vale até ser revogada.',
    create: 'Criar chave',
  },
  {
    nameAbout: 'Where the key is used, for example: shop server.',
    expires: 'Valid until',
    expiresAbout: 'Until the end of this day. Without a date, the key is valid until revoked.',
    create: 'Create key',
  },
);

export function NewKeyForm({
  onCreated,
  onCancel,
}: {
  onCreated: (created: NewKey) => void;
  onCancel: () => void;
}) {
  const text = useTexts(messages);
  const timeZone = useTimeZone();
  const [settings, setSettings] = useState(settingsOf());
  const [lastDay, setLastDay] = useState('');
  const create = useServiceMutation(createApiKeyDocument);
  const fieldError = useFieldErrors(create.error);
  const send = () => {
    const input = { ...inputOf(settings), ...(lastDay && { expiresAt: endOfDay(lastDay, timeZone) }) };
    create.mutate(
      { input },
      {
        onSuccess: ({ createApiKey }) => {
          onCreated(createApiKey);
        },
      },
    );
  };
  return (
    <DialogForm
      submit={text.create}
      mutation={create}
      onSubmit={send}
      onCancel={onCancel}
      fields={[...settingFields, 'expires']}
    >
      <KeySettingsInputs
        settings={settings}
        onChange={setSettings}
        nameAbout={text.nameAbout}
        fieldError={fieldError}
      />
      <DateInput
        label={text.expires}
        description={text.expiresAbout}
        first={dayIn(timeZone)}
        last={latestDay}
        error={fieldError('expires')}
        value={lastDay}
        onChange={setLastDay}
      />
    </DialogForm>
  );
}
