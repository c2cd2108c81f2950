import { Button, Code, Select, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { texts, useTexts } from '../../shell/language.tsx';
import { useServiceMutation } from '../../shell/use-service.ts';
import { type ApiKey, rotateApiKeyDocument } from './documents.ts';

const said = texts(
  {
    rotate: 'Trocar',
    title: 'Trocar a chave',
    about: 'Cria uma chave igual. Use-a no seu servidor enquanto a antiga ainda vale.',
    keep: 'A chave antiga vale por mais',
    keeps: { 0: 'Nada: deixa de valer já', 1: '1 hora', 24: '24 horas', 168: '7 dias' },
  },
  {
    rotate: 'Rotate',
    title: 'Rotate the key',
    about: 'Creates a key like it. Put it on your server while the old one still works.',
    keep: 'The old key works for another',
    keeps: { 0: 'Nothing: it ends now', 1: '1 hour', 24: '24 hours', 168: '7 days' },
  },
);

interface RotateProps {
  apiKey: ApiKey;
  /** Is told the new key, which is shown once. */
  onRotated: (key: string) => void;
}

function RotateForm({ apiKey: { id, name, hint }, onRotated, close }: RotateProps & { close: () => void }) {
  const text = useTexts(said);
  const rotate = useServiceMutation(rotateApiKeyDocument);
  const [keepHours, setKeepHours] = useState('24');
  const send = () => {
    rotate.mutate(
      { id, keepHours: Number(keepHours) },
      {
        onSuccess: ({ rotateApiKey }) => {
          close();
          onRotated(rotateApiKey.key);
        },
      },
    );
  };
  return (
    <DialogForm submit={text.rotate} mutation={rotate} onSubmit={send} onCancel={close}>
      <Text size="sm">
        <b>{name}</b> <Code>{hint}</Code>
        <br />
        {text.about}
      </Text>
      <Select
        label={text.keep}
        allowDeselect={false}
        value={keepHours}
        data={Object.entries(text.keeps).map(([value, label]) => ({ value, label }))}
        onChange={(value) => {
          if (value) setKeepHours(value);
        }}
      />
    </DialogForm>
  );
}

/** Replaces a key by one like it. */
export function RotateButton({ apiKey, onRotated }: RotateProps) {
  const text = useTexts(said);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="subtle" size="xs" onClick={open} aria-label={`${text.rotate}: ${apiKey.name}`}>
        {text.rotate}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={text.title}>
        <RotateForm apiKey={apiKey} onRotated={onRotated} close={close} />
      </Dialog>
    </>
  );
}
