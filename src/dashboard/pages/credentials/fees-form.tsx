import { Group, NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { MoneyInput } from '../../ui/inputs/money-input.tsx';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { type Credential, updateCredentialDocument } from './base/documents.ts';

const messages = texts(
  {
    about:
      'O que o provedor cobra por Pix recebido, conforme o seu contrato. As regras de roteamento podem dar preferência à credencial mais barata, e a conciliação aponta o que foi cobrado a mais ou a menos a partir de hoje. Deixe tudo vazio se não souber.',
    percent: 'Percentual',
    decimalSeparator: ',',
    fixed: 'Valor fixo',
    minimum: 'Tarifa mínima',
    maximum: 'Tarifa máxima',
    save: 'Salvar',
    saved: 'Tarifas salvas.',
  },
  {
    about:
      'What the provider charges for a received Pix, by your contract. Routing rules can prefer the cheapest credential, and the reconciliation finds what was charged differently from today on. Leave it all empty if you do not know.',
    percent: 'Percentage',
    decimalSeparator: '.',
    fixed: 'Fixed amount',
    minimum: 'Lowest fee',
    maximum: 'Highest fee',
    save: 'Save',
    saved: 'Fees saved.',
  },
);

type Typed = number | string;

const names = ['percent', 'fixed', 'minimum', 'maximum'] as const;

export default function FeesForm({ credential, onClose }: { credential: Credential; onClose: () => void }) {
  const text = useTexts(messages);
  const { id, fees } = credential;
  const [typed, setTyped] = useState<Record<(typeof names)[number], Typed>>({
    percent: fees?.percent ?? '',
    fixed: fees?.fixed ?? '',
    minimum: fees?.minimum ?? '',
    maximum: fees?.maximum ?? '',
  });
  const update = useServiceMutation(updateCredentialDocument, text.saved);
  const fieldError = useFieldErrors(update.error);
  const given = names.filter((name) => typeof typed[name] === 'number');
  const sent = given.length > 0 ? Object.fromEntries(given.map((name) => [name, typed[name]])) : null;
  const amountInput = (name: 'fixed' | 'minimum' | 'maximum') => (
    <MoneyInput
      label={text[name]}
      error={fieldError(`fees.${name}`)}
      value={typed[name]}
      onChange={(amount) => {
        setTyped({ ...typed, [name]: amount });
      }}
    />
  );
  return (
    <DialogForm
      submit={text.save}
      mutation={update}
      fields={names.map((name) => `fees.${name}`)}
      onCancel={onClose}
      onSubmit={() => {
        update.mutate({ id, input: { fees: sent } }, { onSuccess: onClose });
      }}
    >
      <Text size="sm">{text.about}</Text>
      <Group grow align="flex-start">
        <NumberInput
          label={text.percent}
          min={0}
          max={100}
          decimalScale={4}
          decimalSeparator={text.decimalSeparator}
          allowedDecimalSeparators={['.', ',']}
          hideControls
          suffix=" %"
          error={fieldError('fees.percent')}
          value={typed.percent}
          onChange={(percent) => {
            setTyped({ ...typed, percent });
          }}
        />
        {amountInput('fixed')}
      </Group>
      <Group grow align="flex-start">
        {amountInput('minimum')}
        {amountInput('maximum')}
      </Group>
    </DialogForm>
  );
}
