import { Code, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogButton } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { type ApiKey, type NewKey, rotateApiKeyDocument } from './documents.ts';

const messages = texts(
  {
    rotate: 'Rotacionar',
    title: 'Rotacionar chave',
    about:
      'Cria uma nova chave com as mesmas configurações. Atualize seu servidor enquanto a antiga ainda funciona.',
    keep: 'Expirar a chave antiga',
    keeps: { 0: 'Agora', 1: 'Em 1 hora', 24: 'Em 24 horas', 168: 'Em 7 dias' },
  },
  {
    rotate: 'Rotate',
    title: 'Rotate key',
    about: 'Creates a new key with the same settings. Update your server while the old key still works.',
    keep: 'Expire the old key',
    keeps: { 0: 'Now', 1: 'In 1 hour', 24: 'In 24 hours', 168: 'In 7 days' },
  },
);

interface RotateProps {
  apiKey: ApiKey;
  onRotated: (created: NewKey) => void;
}

function RotateForm({ apiKey: { id, name, hint }, onRotated, close }: RotateProps & { close: () => void }) {
  const text = useTexts(messages);
  const rotate = useServiceMutation(rotateApiKeyDocument);
  const fieldError = useFieldErrors(rotate.error);
  const [keepHours, setKeepHours] = useState('24');
  const send = () => {
    rotate.mutate(
      { id, keepHours: Number(keepHours) },
      {
        onSuccess: ({ rotateApiKey }) => {
          close();
          onRotated(rotateApiKey);
        },
      },
    );
  };
  return (
    <DialogForm
      submit={text.rotate}
      mutation={rotate}
      onSubmit={send}
      onCancel={close}
      fields={['keepHours']}
    >
      <Text size="sm">
        <b>{name}</b> <Code>{hint}</Code>
        <br />
        {text.about}
      </Text>
      <Select
        label={text.keep}
        allowDeselect={false}
        value={keepHours}
        error={fieldError('keepHours')}
        data={Object.entries(text.keeps).map(([value, label]) => ({ value, label }))}
        onChange={(value) => {
          if (value) setKeepHours(value);
        }}
      />
    </DialogForm>
  );
}

export function RotateButton({ apiKey, onRotated }: RotateProps) {
  const text = useTexts(messages);
  return (
    <DialogButton
      label={text.rotate}
      subject={apiKey.name}
      title={text.title}
      variant="subtle"
      size="xs"
      px="xs"
    >
      {(close) => <RotateForm apiKey={apiKey} onRotated={onRotated} close={close} />}
    </DialogButton>
  );
}
