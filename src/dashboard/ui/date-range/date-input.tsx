import { ActionIcon, Stack, type TextInputProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CalendarDays } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { texts, useTexts, useTimeZone } from '../../base/language.tsx';
import { TextInput } from '../inputs/fields.tsx';
import { MonthGrid } from './month-grid.tsx';
import { dayIn } from './ranges.ts';
import { dateFromText, printDate } from './typed-date.ts';

const messages = texts(
  {
    date: 'dd/mm/aaaa',
    time: 'dd/mm/aaaa hh:mm',
    invalidDate: 'Informe uma data como 31/12/2026.',
    invalidTime: 'Informe data e hora, como 31/12/2026 14:30.',
    calendar: (label: string) => `Calendário: ${label}`,
  },
  {
    date: 'dd/mm/yyyy',
    time: 'dd/mm/yyyy hh:mm',
    invalidDate: 'Enter a date such as 31/12/2026.',
    invalidTime: 'Enter a date and time such as 31/12/2026 14:30.',
    calendar: (label) => `Calendar: ${label}`,
  },
);

interface DateInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'label'> {
  label: string;
  /** Written like 2026-12-31, or 2026-12-31T14:30 with a time; empty while the input is not a date. */
  value: string;
  onChange: (value: string) => void;
  hasTime?: boolean;
  /** The first day that the calendar offers. */
  first?: string;
  last?: string;
}

/** Speaks the person's language, unlike the browser's own input. A date is typed or chosen from a calendar. */
export function DateInput({ value, onChange, hasTime = false, first, last, ...input }: DateInputProps) {
  const text = useTexts(messages);
  const today = dayIn(useTimeZone());
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string>();
  const [isBlurred, setIsBlurred] = useState(true);
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const invalid = typed?.trim() && !value ? text[hasTime ? 'invalidTime' : 'invalidDate'] : '';
  useEffect(() => {
    // Blocks submission: in an optional field, what is not a date must not pass as none.
    field.current?.setCustomValidity(invalid);
  }, [invalid]);
  const choose = (day: string) => {
    setTyped(undefined);
    onChange(hasTime ? `${day}T${value.slice(11) || '00:00'}` : day);
    close();
    field.current?.focus();
  };
  return (
    <Stack gap="xs">
      <TextInput
        {...input}
        ref={field}
        autoComplete="off"
        maxLength={20}
        placeholder={text[hasTime ? 'time' : 'date']}
        value={typed ?? printDate(value)}
        error={(isBlurred && invalid) || input.error}
        rightSection={
          <ActionIcon
            variant="subtle"
            aria-label={text.calendar(input.label)}
            aria-expanded={isOpen}
            onClick={toggle}
          >
            <CalendarDays size={16} aria-hidden />
          </ActionIcon>
        }
        onFocus={() => {
          setIsBlurred(false);
        }}
        onBlur={() => {
          setIsBlurred(true);
          if (!invalid) setTyped(undefined);
        }}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          onChange(dateFromText(currentTarget.value, hasTime));
        }}
      />
      {isOpen && (
        <MonthGrid
          range={{ from: value.slice(0, 10), to: '' }}
          today={today}
          first={first}
          last={last}
          choose={choose}
        />
      )}
    </Stack>
  );
}
