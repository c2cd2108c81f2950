import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { centsFromText, reaisFromCents } from '../../domain/money.ts';
import { texts, useFormats, useTexts } from '../shell/language.tsx';

const said = texts(
  { unreadable: 'Informe um valor como 19,90 ou 1.234,56.' },
  { unreadable: 'Enter an amount such as 19.90 or 1,234.56.' },
);

interface MoneyInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** In BRL; empty while nothing that can be read is typed. */
  value: number | string;
  onChange: (value: number | '') => void;
}

const amountOf = (text: string): number | '' => {
  const cents = centsFromText(text.trim());
  return cents === undefined ? '' : reaisFromCents(cents);
};

/** An amount in BRL, typed as 19,90 or 19.90, with or without separators of thousands. */
export function MoneyInput({ value, onChange, ...input }: MoneyInputProps) {
  const text = useTexts(said);
  const { amount } = useFormats();
  const [typed, setTyped] = useState<string>();
  const [isLeft, setIsLeft] = useState(true);
  const isUnreadable = isLeft && !!typed && amountOf(typed) === '';
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
      error={isUnreadable ? text.unreadable : input.error}
      onFocus={() => {
        setIsLeft(false);
      }}
      onChange={({ currentTarget }) => {
        const amountNow = amountOf(currentTarget.value);
        // A form is not sent with it: where an amount is optional, none is not what was meant.
        currentTarget.setCustomValidity(
          currentTarget.value.trim() && amountNow === '' ? text.unreadable : '',
        );
        setTyped(currentTarget.value);
        onChange(amountNow);
      }}
      onBlur={() => {
        setIsLeft(true);
        if (typed !== undefined && amountOf(typed) !== '') setTyped(undefined);
      }}
    />
  );
}
