import { SimpleGrid } from '@mantine/core';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { addDays } from '../../../../core/base/time/calendar-day.ts';
import { brasiliaToday } from '../../../base/brasilia-today.ts';
import { texts, useTexts } from '../../../base/language.tsx';
import { useServiceMutation } from '../../../base/use-service.ts';
import { createPaymentBatchDocument } from '../../../parts/instalments/documents.ts';
import { DateInput } from '../../../ui/date-range/date-input.tsx';
import { DialogForm } from '../../../ui/dialog-form.tsx';
import { TextInput } from '../../../ui/inputs/fields.tsx';
import { MoneyInput } from '../../../ui/inputs/money-input.tsx';
import { useFieldErrors } from '../../../ui/problems/use-problems.ts';
import { AmountPreview } from './amount-preview.tsx';
import { createTestPaymentDocument } from './create-test-payment.ts';
import { centsOf, type Draft, inputOf, termsOf } from './draft.ts';

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
    instalments: 'Parcelas mensais',
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
    instalments: 'Monthly instalments',
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
  instalments: 'instalments',
};

const blankDraft: Draft = {
  amount: '',
  date: '',
  payableDaysAfter: '30',
  finePercent: '',
  interestPercent: '',
  discount: '',
  discountUntil: '',
  rebate: '',
  instalments: '12',
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
    instalments: '1',
  };
}

export interface DueFormProps {
  submit: string;
  /** Makes real instalments, where otherwise an example is to be tried. */
  isCarne?: boolean;
  /** What the payment has beside its amount and terms. */
  input: { description: string | null; payer: { name: string; document: string } };
  close: () => void;
  /** Fields of `input`. */
  children?: (fieldError: (path: string) => string | undefined) => ReactNode;
  paths?: readonly string[];
}

/** Makes a payment with a due date or several instalments of one; the page of what was made, or `close`, comes next. */
function useCreation({ isCarne, input, close }: DueFormProps) {
  const [, navigate] = useLocation();
  const createOne = useServiceMutation(createTestPaymentDocument);
  const createBatch = useServiceMutation(createPaymentBatchDocument);
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const send = (draft: Draft) => {
    const payment = { ...input, ...inputOf(draft) };
    const instalments = Number(draft.instalments);
    if (!isCarne && instalments <= 1) {
      createBatch.reset();
      createOne.mutate({ input: payment }, { onSuccess: close });
      return;
    }
    createOne.reset();
    createBatch.mutate(
      { input: { payment, instalments, every: 'month' }, idempotencyKey },
      {
        onSuccess: ({ createPaymentBatch: { id } }) => {
          close();
          navigate(`/payments/batches/${id}`);
        },
      },
    );
  };
  return {
    send,
    isPending: createOne.isPending || createBatch.isPending,
    error: createOne.error ?? createBatch.error,
  };
}

/** Shows what will be owed on which day before anything is made. */
export default function DueForm(props: DueFormProps) {
  const { submit, isCarne, close, children, paths: otherPaths = [] } = props;
  const text = useTexts(messages);
  const create = useCreation(props);
  const fieldError = useFieldErrors(create.error);
  const [draft, setDraft] = useState(isCarne ? blankDraft : exampleDraft);
  const field = <Name extends keyof Draft>(name: Name) => ({
    label: text[name],
    error: fieldError(paths[name] ?? name),
    value: draft[name],
    onChange: (value: Draft[Name]) => {
      setDraft({ ...draft, [name]: value });
    },
  });
  const count = (name: 'payableDaysAfter' | 'instalments') => {
    const { onChange, ...input } = field(name);
    return {
      ...input,
      inputMode: 'numeric' as const,
      pattern: '\\d*',
      maxLength: 3,
      autoComplete: 'off',
      onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
        onChange(value);
      },
    };
  };
  const today = brasiliaToday();
  const terms = termsOf(draft);
  const send = () => {
    create.send(draft);
  };
  return (
    <DialogForm
      submit={submit}
      mutation={create}
      onSubmit={send}
      onCancel={close}
      fields={[...Object.values(paths), ...otherPaths]}
    >
      {children?.(fieldError)}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <MoneyInput {...field('amount')} required withAsterisk={false} />
        <DateInput {...field('date')} required withAsterisk={false} first={today} />
        <MoneyInput {...field('finePercent')} leftSection={null} />
        <MoneyInput {...field('interestPercent')} leftSection={null} />
        <MoneyInput {...field('discount')} />
        <DateInput {...field('discountUntil')} first={today} last={draft.date} />
        <MoneyInput {...field('rebate')} />
        <TextInput {...count('payableDaysAfter')} />
        <TextInput {...count('instalments')} />
      </SimpleGrid>
      {terms && <AmountPreview amountInCents={centsOf(draft.amount)} terms={terms} />}
    </DialogForm>
  );
}
