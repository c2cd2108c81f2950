import { SimpleGrid, type TextInputProps } from '@mantine/core';
import { texts, useTexts } from '../../base/language.tsx';
import { Fold } from '../../ui/inputs/fold.tsx';
import { TextInput } from '../../ui/inputs/fields.tsx';
import { MoneyInput } from '../../ui/inputs/money-input.tsx';

type Typed = number | '';

/** The due date of a link's payments as it is typed; days are digits. */
export interface DueDraft {
  dueInDays: string;
  payableDaysAfter: string;
  fine: Typed;
  interest: Typed;
  discount: Typed;
  discountDays: string;
  rebate: Typed;
}

export const noDue: DueDraft = {
  dueInDays: '',
  payableDaysAfter: '',
  fine: '',
  interest: '',
  discount: '',
  discountDays: '',
  rebate: '',
};

/** Where the API says what is wrong. */
const paths: Record<keyof DueDraft, string> = {
  dueInDays: 'dueInDays',
  payableDaysAfter: 'payableDaysAfter',
  fine: 'fine',
  interest: 'interest',
  discount: 'discounts',
  discountDays: 'discounts.0.daysBefore',
  rebate: 'rebate',
};

export const dueFields = Object.values(paths);

const daysOf = (typed: string): number | null => (typed.trim() === '' ? null : Number(typed));

/** Makes what the API takes. */
export const dueInputOf = (draft: DueDraft) => ({
  dueInDays: daysOf(draft.dueInDays),
  payableDaysAfter: daysOf(draft.payableDaysAfter),
  fine: draft.fine ? { percent: draft.fine } : null,
  interest: draft.interest ? { percentPerMonth: draft.interest } : null,
  discounts: draft.discount
    ? [{ daysBefore: daysOf(draft.discountDays) ?? 0, amount: draft.discount }]
    : null,
  rebate: draft.rebate ? { amount: draft.rebate } : null,
});

const messages = texts(
  {
    title: 'Vencimento e encargos',
    about: 'Contados a partir do dia em que o Pix é gerado. A página pede nome e CPF ou CNPJ de quem paga.',
    dueInDays: 'Vencimento em (dias)',
    payableDaysAfter: 'Dias para pagar após o vencimento',
    fine: 'Multa (%)',
    interest: 'Juros ao mês (%)',
    discount: 'Desconto',
    discountDays: 'Desconto até (dias antes)',
    rebate: 'Abatimento',
  },
  {
    title: 'Due date and charges',
    about: 'Counted from the day on which the Pix is created. The page asks payers for name and CPF or CNPJ.',
    dueInDays: 'Due in (days)',
    payableDaysAfter: 'Days to pay after the due date',
    fine: 'Fine (%)',
    interest: 'Interest a month (%)',
    discount: 'Discount',
    discountDays: 'Discount until (days before)',
    rebate: 'Rebate',
  },
);

function DaysInput({
  onChange,
  ...input
}: Omit<TextInputProps, 'onChange'> & { onChange: (value: string) => void }) {
  return (
    <TextInput
      inputMode="numeric"
      pattern="\d*"
      maxLength={4}
      autoComplete="off"
      {...input}
      onChange={({ currentTarget: { value } }) => {
        onChange(value);
      }}
    />
  );
}

interface LinkDueFieldsProps {
  draft: DueDraft;
  onChange: (draft: DueDraft) => void;
  fieldError: (path: string) => string | undefined;
}

export function LinkDueFields({ draft, onChange, fieldError }: LinkDueFieldsProps) {
  const text = useTexts(messages);
  const field = <Name extends keyof DueDraft>(name: Name) => ({
    label: text[name],
    error: fieldError(paths[name]),
    value: draft[name],
    onChange: (value: DueDraft[Name]) => {
      onChange({ ...draft, [name]: value });
    },
  });
  const discountDays = field('discountDays');
  return (
    <Fold label={text.title} hasError={dueFields.some((path) => fieldError(path) !== undefined)}>
      <DaysInput {...field('dueInDays')} description={text.about} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <MoneyInput {...field('fine')} leftSection={null} />
        <MoneyInput {...field('interest')} leftSection={null} />
        <MoneyInput {...field('discount')} {...(discountDays.error && { error: undefined })} />
        <DaysInput {...discountDays} placeholder="0" />
        <MoneyInput {...field('rebate')} />
        <DaysInput {...field('payableDaysAfter')} placeholder="30" />
      </SimpleGrid>
    </Fold>
  );
}
