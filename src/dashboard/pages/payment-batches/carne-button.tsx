import { SimpleGrid } from '@mantine/core';
import { lazy, useState } from 'react';
import { texts, useTexts } from '../../base/language.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { TextInput } from '../../ui/inputs/fields.tsx';

const DueForm = lazy(() => import('../first-steps/due/due-form.tsx'));

const messages = texts(
  {
    open: 'Criar carnê',
    title: 'Carnê: parcelas de uma cobrança',
    create: 'Criar parcelas',
    name: 'Nome do pagador',
    document: 'CPF/CNPJ do pagador',
    email: 'E-mail do pagador',
    description: 'Descrição',
  },
  {
    open: 'Create instalments',
    title: 'Instalments of a payment',
    create: 'Create instalments',
    name: 'Payer name',
    document: 'CPF/CNPJ of the payer',
    email: 'E-mail of the payer',
    description: 'Description',
  },
);

const none = { name: '', document: '', email: '', description: '' };

const paths = {
  name: 'payer.name',
  document: 'payer.document',
  email: 'payer.email',
  description: 'description',
} as const;

const required: readonly string[] = ['name', 'document'];

/** Makes a booklet of monthly payments of one payer. */
export function CarneButton() {
  const text = useTexts(messages);
  const [typed, setTyped] = useState(none);
  const { description, name, document, email } = typed;
  const input = {
    description: description || null,
    payer: { name, document, email: email || null },
  };
  return (
    <DialogButton label={text.open} title={text.title} dialog={{ size: 'lg' }}>
      {(close) => (
        <DueForm submit={text.create} isCarne input={input} close={close} paths={Object.values(paths)}>
          {(fieldError) => (
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
              {(Object.keys(paths) as (keyof typeof paths)[]).map((field) => (
                <TextInput
                  key={field}
                  label={text[field]}
                  required={required.includes(field)}
                  withAsterisk={false}
                  autoComplete="off"
                  error={fieldError(paths[field])}
                  value={typed[field]}
                  onChange={({ currentTarget: { value } }) => {
                    setTyped({ ...typed, [field]: value });
                  }}
                />
              ))}
            </SimpleGrid>
          )}
        </DueForm>
      )}
    </DialogButton>
  );
}
