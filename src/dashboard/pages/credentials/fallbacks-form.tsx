import { Text } from '@mantine/core';
import { useState } from 'react';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { FallbacksInput } from '../rule-sets/form/fallbacks-input.tsx';
import { type Credential, setDefaultFallbacksDocument } from './base/documents.ts';

const messages = texts(
  {
    about:
      'Quando a credencial padrão não consegue criar uma cobrança, estas são tentadas, também nas regras que usam a padrão da organização.',
    save: 'Salvar',
    saved: 'Contingência salva.',
  },
  {
    about:
      'When the default credential fails to create a payment, these are tried, also in rules that use the default of the organization.',
    save: 'Save',
    saved: 'Fallbacks saved.',
  },
);

export default function FallbacksForm({
  credentials,
  onClose,
}: {
  credentials: readonly Credential[];
  onClose: () => void;
}) {
  const text = useTexts(messages);
  const [ids, setIds] = useState(() =>
    credentials
      // One of them may have become the default since.
      .filter(({ fallbackPosition, isDefault }) => fallbackPosition !== null && !isDefault)
      .toSorted((a, b) => (a.fallbackPosition ?? 0) - (b.fallbackPosition ?? 0))
      .map(({ id }) => id),
  );
  const set = useServiceMutation(setDefaultFallbacksDocument, text.saved);
  const send = () => {
    set.mutate({ ids }, { onSuccess: onClose });
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
