import { SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { addDays } from '../../../../core/base/time/calendar-day.ts';
import { texts, useTexts } from '../../../base/language.tsx';
import { useServiceMutation } from '../../../base/use-service.ts';
import { DateInput } from '../../../ui/date-range/date-input.tsx';
import { DialogForm } from '../../../ui/dialog-form.tsx';
import { TextInput } from '../../../ui/inputs/fields.tsx';
import { MoneyInput } from '../../../ui/inputs/money-input.tsx';
import { useFieldErrors } from '../../../ui/problems/use-problems.ts';
import { AmountPreview } from './amount-preview.tsx';
import { createTestPaymentDocument } from './create-test-payment.ts';
import { brasiliaToday, centsOf, type Draft, inputOf, termsOf } from './draft.ts';

const messages = texts<Record<keyof Draft, string>>(
  {
    amount: 'Valor',
    date: 'Vencimento',
    payableDaysAfter: 'Dias para pagar após o vencimento',
    finePercent: 'Multa (%)',
    interestPercent: 'Juros ao mês (%)',
    discount: 'Desconto',
    discountUntil: 'Desconto até',
    rebate: 'Abatimento',
  },
  {
    amount: 'Amount',
    date: 'Due date',
    payableDaysAfter: 'Days to pay after the due date',
    finePercent: 'Fine (%)',
    interestPercent: 'Interest a month (%)',
    discount: 'Discount',
    discountUntil: 'Discount until',
    rebate: 'Rebate',
  },
);

/** Where the API says what is wrong. */
const paths: Partial<Record<keyof Draft, string>> = {
  amount: 'amount',
  date: 'due.date',
  payableDaysAfter: 'due.payableDaysAfter',
  finePercent: 'due.fine',
  interestPercent: 'due.interest',
  discount: 'due.discounts',
  rebate: 'due.rebate',
};

/** With some of each, so that the preview shows what they do. */
function exampleDraft(): Draft {
  const today = brasiliaToday();
  return {
    amount: 100,
    date: addDays(today, 10),
    payableDaysAfter: '30',
    finePercent: 2,
    interestPercent: 1,
    discount: 10,
    discountUntil: addDays(today, 5),
    rebate: '',
  };
}

export interface DueFormProps {
  submit: string;
  /** What the payment has beside its amount and terms. */
  input: { description: string; payer: { name: string; document: string } };
  close: () => void;
}

/** Makes a test payment with a due date, and shows what will be owed on which day. */
export function DueForm({ submit, input, close }: DueFormProps) {
  const text = useTexts(messages);
  const create = useServiceMutation(createTestPaymentDocument);
  const fieldError = useFieldErrors(create.error);
  const [draft, setDraft] = useState(exampleDraft);
  const field = <Name extends keyof Draft>(name: Name) => ({
    label: text[name],
    error: fieldError(paths[name] ?? name),
    value: draft[name],
    onChange: (value: Draft[Name]) => {
      setDraft({ ...draft, [name]: value });
    },
  });
  const days = field('payableDaysAfter');
  const today = brasiliaToday();
  const terms = termsOf(draft);
  const send = () => {
    create.mutate({ input: { ...input, ...inputOf(draft) } }, { onSuccess: close });
  };
  return (
    <DialogForm
      submit={submit}
      mutation={create}
      onSubmit={send}
      onCancel={close}
      fields={Object.values(paths)}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <MoneyInput {...field('amount')} required withAsterisk={false} />
        <DateInput {...field('date')} required withAsterisk={false} first={today} />
        <MoneyInput {...field('finePercent')} leftSection={null} />
        <MoneyInput {...field('interestPercent')} leftSection={null} />
        <MoneyInput {...field('discount')} />
        <DateInput {...field('discountUntil')} first={today} last={draft.date} />
        <MoneyInput {...field('rebate')} />
        <TextInput
          {...days}
          inputMode="numeric"
          pattern="\d*"
          maxLength={3}
          autoComplete="off"
          onChange={({ currentTarget: { value } }) => {
            days.onChange(value);
          }}
        />
      </SimpleGrid>
      {terms && <AmountPreview amountInCents={centsOf(draft.amount)} terms={terms} />}
    </DialogForm>
  );
}
