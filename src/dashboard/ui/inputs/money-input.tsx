import { Text, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { TextInput } from './fields.tsx';
import { centsFromText, reaisFromCents } from '../../../core/base/money.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';

const messages = texts(
  { invalid: 'Informe um valor como 19,90 ou 1.234,56.' },
  { invalid: 'Enter an amount such as 19.90 or 1,234.56.' },
);

interface MoneyInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** BRL; empty while the input is not a valid amount. */
  value: number | string;
  onChange: (value: number | '') => void;
}

const amountOf = (text: string): number | '' => {
  const cents = centsFromText(text.trim());
  return cents === undefined ? '' : reaisFromCents(cents);
};

/** Accepts 19,90 and 19.90, with or without thousands separators. */
export function MoneyInput({ value, onChange, ...input }: MoneyInputProps) {
  const text = useTexts(messages);
  const { amount } = useFormats();
  const [typed, setTyped] = useState<string>();
  const [isBlurred, setIsBlurred] = useState(true);
  const isInvalid = isBlurred && !!typed && amountOf(typed) === '';
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
      leftSection={
        <Text size="sm" c="dimmed">
          R$
        </Text>
      }
      {...input}
      value={typed ?? (typeof value === 'number' ? amount(value) : '')}
      error={isInvalid ? text.invalid : input.error}
      onFocus={() => {
        setIsBlurred(false);
      }}
      onChange={({ currentTarget }) => {
        const amountNow = amountOf(currentTarget.value);
        // Blocks submission: in an optional field, an invalid amount must not pass as none.
        currentTarget.setCustomValidity(currentTarget.value.trim() && amountNow === '' ? text.invalid : '');
        setTyped(currentTarget.value);
        onChange(amountNow);
      }}
      onBlur={() => {
        setIsBlurred(true);
        if (typed !== undefined && amountOf(typed) !== '') setTyped(undefined);
      }}
    />
  );
}
