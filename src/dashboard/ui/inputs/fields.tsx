import * as mantine from '@mantine/core';
import { type ComponentProps, type FormEvent, type ReactNode, useState } from 'react';
import { type BrokenRule, broken } from '../../../core/base/problems/rules.ts';
import { useTexts } from '../../base/language.tsx';
import { problemTexts, wordingOf } from '../problems/problem-texts.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

const ruleBrokenBy = ({ validity, minLength }: Field): BrokenRule => {
  if (validity.valueMissing) return broken('required');
  if (validity.typeMismatch) return broken('email');
  if (validity.tooShort) return broken('min_length', { minimum: minLength });
  return broken('format');
};

/** Shows at the field what the browser would say in a bubble, in its own language and not the person's. */
function useValidity({ value, error }: { value?: unknown; error?: ReactNode }) {
  const wordings = useTexts(problemTexts);
  const [found, setFound] = useState<{ value: unknown; wording: string }>();
  if (found && found.value !== value) setFound(undefined);
  return {
    error: found?.wording ?? error,
    onInvalid: (event: FormEvent<Field>) => {
      event.preventDefault();
      const field = event.currentTarget;
      const wording = field.validity.customError
        ? field.validationMessage
        : wordingOf(wordings, ruleBrokenBy(field));
      setFound({ value, wording });
      const first = field.form?.querySelector<Field>('input:invalid, textarea:invalid');
      if (first === field) field.focus();
    },
  };
}

export function TextInput(props: ComponentProps<typeof mantine.TextInput>) {
  return <mantine.TextInput {...props} {...useValidity(props)} />;
}

export function Textarea(props: ComponentProps<typeof mantine.Textarea>) {
  return <mantine.Textarea {...props} {...useValidity(props)} />;
}

export function PasswordInput(props: ComponentProps<typeof mantine.PasswordInput>) {
  return <mantine.PasswordInput {...props} {...useValidity(props)} />;
}

export function Select(props: mantine.SelectProps) {
  return <mantine.Select {...props} {...useValidity(props)} />;
}
