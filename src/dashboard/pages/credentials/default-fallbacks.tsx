import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { texts, useTexts } from '../../base/language.tsx';
import { notify, useServiceMutation, useServiceQuery } from '../../base/use-service.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { FallbacksInput } from '../rule-sets/form/fallbacks-input.tsx';
import { type Credential, credentialsDocument, setDefaultFallbacksDocument } from './base/documents.ts';

const messages = texts(
  {
    open: 'Contingência',
    title: 'Contingência da credencial padrão',
    about:
      'Quando a credencial padrão não consegue criar uma cobrança, estas são tentadas, também nas regras que usam a padrão da organização.',
    save: 'Salvar',
    saved: 'Contingência salva.',
  },
  {
    open: 'Fallbacks',
    title: 'Fallbacks of the default credential',
    about:
      'When the default credential fails to create a payment, these are tried, also in rules that use the default of the organization.',
    save: 'Save',
    saved: 'Fallbacks saved.',
  },
);

function FallbacksForm({
  credentials,
  onClose,
}: {
  credentials: readonly Credential[];
  onClose: () => void;
}) {
  const text = useTexts(messages);
  const [ids, setIds] = useState(() =>
    credentials
      .filter(({ fallbackPosition }) => fallbackPosition !== null)
      .toSorted((a, b) => (a.fallbackPosition ?? 0) - (b.fallbackPosition ?? 0))
      .map(({ id }) => id),
  );
  const set = useServiceMutation(setDefaultFallbacksDocument);
  const send = () => {
    set.mutate(
      { ids },
      {
        onSuccess: () => {
          onClose();
          notify(text.saved);
        },
      },
    );
  };
  const options = credentials
    .filter(({ archivedAt, isDefault }) => !archivedAt && !isDefault)
    .map(({ id, name }) => ({ value: id, label: name }));
  return (
    <DialogForm submit={text.save} mutation={set} onSubmit={send} onCancel={onClose}>
      <Text size="sm">{text.about}</Text>
      <FallbacksInput options={options} value={ids} onChange={setIds} />
    </DialogForm>
  );
}

/** Only those who may manage credentials see it, at the default. */
export function DefaultFallbacks() {
  const text = useTexts(messages);
  const [isOpen, { open, close }] = useDisclosure(false);
  const credentials = useServiceQuery(credentialsDocument, {}, { enabled: isOpen });
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        {text.open}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={text.title}>
        <QueryResult result={credentials}>
          {({ credentials: all }) => <FallbacksForm credentials={all} onClose={close} />}
        </QueryResult>
      </Dialog>
    </>
  );
}
