import { SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { texts, useTexts } from '../../../base/language.tsx';
import { DialogForm } from '../../../ui/dialog-form.tsx';
import { TextInput } from '../../../ui/inputs/fields.tsx';
import { MoneyInput } from '../../../ui/inputs/money-input.tsx';
import { useFieldErrors } from '../../../ui/problems/use-problems.ts';
import { useNewPayment } from './use-new-payment.ts';

const messages = texts(
  {
    create: 'Criar cobrança',
    amount: 'Valor',
    name: 'Nome do pagador',
    document: 'CPF/CNPJ do pagador',
    email: 'E-mail do pagador',
    description: 'Descrição',
    externalId: 'Referência',
  },
  {
    create: 'Create payment',
    amount: 'Amount',
    name: 'Payer name',
    document: 'CPF/CNPJ of the payer',
    email: 'E-mail of the payer',
    description: 'Description',
    externalId: 'Reference',
  },
);

const none = { name: '', document: '', email: '', description: '', externalId: '' };

const paths = {
  name: 'payer.name',
  document: 'payer.document',
  email: 'payer.email',
  description: 'description',
  externalId: 'externalId',
} as const;

const namesOf = Object.keys(paths) as (keyof typeof paths)[];

/** Makes one payment; its page comes next. Providers differ in what they demand of a payer, so all of that is optional. */
export default function NewPaymentForm({ close }: { close: () => void }) {
  const text = useTexts(messages);
  const [amount, setAmount] = useState<number | ''>('');
  const [typed, setTyped] = useState(none);
  const create = useNewPayment(close);
  const fieldError = useFieldErrors(create.error);
  const { name, document, email, description, externalId } = typed;
  const payer = { name: name || undefined, document: document || undefined, email: email || undefined };
  const send = () => {
    create.send({
      amount: Number(amount),
      description: description || undefined,
      externalId: externalId || undefined,
      ...((name || document || email) && { payer }),
    });
  };
  return (
    <DialogForm
      submit={text.create}
      mutation={create}
      onSubmit={send}
      onCancel={close}
      fields={['amount', ...Object.values(paths)]}
    >
      <MoneyInput
        label={text.amount}
        required
        withAsterisk={false}
        data-autofocus
        disabled={create.isUnknown}
        error={fieldError('amount')}
        value={amount}
        onChange={setAmount}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {namesOf.map((field) => (
          <TextInput
            key={field}
            label={text[field]}
            autoComplete="off"
            disabled={create.isUnknown}
            error={fieldError(paths[field])}
            value={typed[field]}
            onChange={({ currentTarget: { value } }) => {
              setTyped({ ...typed, [field]: value });
            }}
          />
        ))}
      </SimpleGrid>
    </DialogForm>
  );
}
