import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ServiceError } from '../../../api/service-error.ts';
import { brasiliaToday } from '../../../base/brasilia-today.ts';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import { useServiceMutation } from '../../../base/use-service.ts';
import { DateInput } from '../../../ui/date-range/date-input.tsx';
import { DialogForm } from '../../../ui/dialog-form.tsx';
import { Textarea } from '../../../ui/inputs/fields.tsx';
import { MoneyInput } from '../../../ui/inputs/money-input.tsx';
import { useFieldErrors } from '../../../ui/problems/use-problems.ts';
import { type Payment, type Terms, updatePaymentDocument } from '../base/documents.ts';
import { ChangedTerms } from './changed-terms.tsx';

const messages = texts(
  {
    about: 'A alteração é enviada ao provedor. Multa, juros, descontos e abatimento continuam os mesmos.',
    amount: 'Valor',
    date: 'Vencimento',
    description: 'Descrição',
    before: (value: string) => `Antes: ${value}`,
    nothing: 'nenhuma',
    save: 'Salvar',
    sending: 'Enviando ao provedor…',
    saved: 'Cobrança alterada',
    conflict: 'Alguém alterou esta cobrança enquanto você editava',
    conflictAbout: 'O que você digitou continua abaixo. Confira antes de salvar:',
    goOn: 'Continuar com os valores atuais',
    ended: 'Esta cobrança não está mais pendente e não pode ser alterada.',
    undecided:
      'A alteração pode ainda ser feita: perguntaremos ao provedor até saber, e esta página mostrará o resultado.',
  },
  {
    about: 'The change is sent to the provider. Fine, interest, discounts and rebate stay as they are.',
    amount: 'Amount',
    date: 'Due date',
    description: 'Description',
    before: (value: string) => `Before: ${value}`,
    nothing: 'none',
    save: 'Save',
    sending: 'Sending to the provider…',
    saved: 'Payment changed',
    conflict: 'Somebody changed this payment while you were editing',
    conflictAbout: 'What you typed is still below. Check it before you save:',
    goOn: 'Continue with the current values',
    ended: 'This payment is no longer pending and cannot be changed.',
    undecided:
      'The change may still be made: the provider is asked until this is known, and this page will show it.',
  },
);

export type DuePayment = Payment & { due: Terms };

interface Draft {
  amount: number | '';
  date: string;
  description: string;
}

const draftOf = ({ amount, due, description }: DuePayment): Draft => ({
  amount,
  date: due.date,
  description: description ?? '',
});

/** Makes what the API takes: the terms as a whole, as those left out would no longer be asked for. */
const dueInputOf = (
  { payableDaysAfter, fine, interest, discounts, earlyDiscount, rebate }: Terms,
  date: string,
) => ({ date, payableDaysAfter, fine, interest, discounts, earlyDiscount, rebate });

function inputOf(seen: DuePayment, { amount, date, description }: Draft) {
  const before = draftOf(seen);
  return {
    ...(amount !== before.amount && { amount: Number(amount) }),
    ...(date !== before.date && { due: dueInputOf(seen.due, date) }),
    ...(description !== before.description && { description }),
  };
}

const hasReason = (error: unknown, reason: string): boolean =>
  error instanceof ServiceError && error.reason === reason;

/** Where the API says what is wrong. */
const paths = { amount: 'amount', date: 'due.date', description: 'description' };

function Conflict({ seen, now, goOn }: { seen: DuePayment; now: DuePayment; goOn: () => void }) {
  const text = useTexts(messages);
  return (
    <Alert color="yellow" variant="light" title={text.conflict} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text.conflictAbout}</Text>
        <div>
          <ChangedTerms before={seen} now={now} />
        </div>
        <Button size="xs" variant="default" onClick={goOn}>
          {text.goOn}
        </Button>
      </Stack>
    </Alert>
  );
}

/** Changes are made to the revision that the person has seen; a later one is shown first. */
export default function ChangeForm({ payment, close }: { payment: DuePayment; close: () => void }) {
  const text = useTexts(messages);
  const { money, calendarDay } = useFormats();
  const update = useServiceMutation(updatePaymentDocument, text.saved);
  const fieldError = useFieldErrors(update.error);
  const [seen, setSeen] = useState(payment);
  const [typed, setTyped] = useState<Partial<Draft>>({});
  const draft = { ...draftOf(seen), ...typed };
  const input = inputOf(seen, draft);
  const hasEnded = payment.status !== 'pending';
  const hasChanged = !hasEnded && payment.revision !== seen.revision;
  const isShownElsewhere = hasEnded || (hasChanged && hasReason(update.error, 'changed_meanwhile'));
  const field = <Name extends keyof Draft>(name: Name, before: string) => ({
    label: text[name],
    description: text.before(before),
    error: fieldError(paths[name]),
    value: draft[name],
    onChange: (value: Draft[Name]) => {
      setTyped({ ...typed, [name]: value });
    },
  });
  const description = field('description', seen.description || text.nothing);
  const save = () => {
    update.mutate({ id: seen.id, input: { revision: seen.revision, ...input } }, { onSuccess: close });
  };
  return (
    <DialogForm
      submit={text.save}
      mutation={{ isPending: update.isPending, error: isShownElsewhere ? null : update.error }}
      onSubmit={save}
      onCancel={close}
      isDisabled={hasEnded || hasChanged || Object.keys(input).length === 0}
      fields={Object.values(paths)}
    >
      <Text size="sm">{text.about}</Text>
      {hasChanged && (
        <Conflict
          seen={seen}
          now={payment}
          goOn={() => {
            setSeen(payment);
            update.reset();
          }}
        />
      )}
      {hasEnded && (
        <Alert color="yellow" variant="light" role="alert">
          {text.ended}
        </Alert>
      )}
      <MoneyInput {...field('amount', money(seen.amount))} required withAsterisk={false} />
      <DateInput
        {...field('date', calendarDay(seen.due.date))}
        required
        withAsterisk={false}
        first={brasiliaToday()}
      />
      <Textarea
        {...description}
        maxLength={500}
        autosize
        onChange={({ currentTarget: { value } }) => {
          description.onChange(value);
        }}
      />
      {hasReason(update.error, 'provider_unavailable') && <Text size="sm">{text.undecided}</Text>}
      <Text size="sm" c="dimmed" component="output">
        {update.isPending && text.sending}
      </Text>
    </DialogForm>
  );
}
