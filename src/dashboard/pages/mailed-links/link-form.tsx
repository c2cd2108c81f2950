import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { TextInput } from '../../ui/inputs/fields.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { isAtFields, useFieldErrors } from '../../ui/problems/use-problems.ts';
import { NewPasswordInput } from '../../sign-in/new-password-input.tsx';

const messages = texts({ email: 'E-mail' }, { email: 'E-mail' });

const fields = ['name', 'password'];

interface LinkFormProps {
  email: string;
  submit: string;
  onSubmit: (password: string) => Promise<void>;
  /** The fields between the e-mail and the password; `fieldError` says what is wrong at each. */
  children?: (fieldError: (field: string) => string | undefined) => ReactNode;
}

/** Sets the password of an account that a link stands for. */
export function LinkForm({ email, submit, onSubmit, children }: LinkFormProps) {
  const text = useTexts(messages);
  const [password, setPassword] = useState('');
  const mutation = useMutation({ mutationFn: () => onSubmit(password) });
  const fieldError = useFieldErrors(mutation.error);
  const send = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  return (
    <form onSubmit={send}>
      <Stack>
        <TextInput label={text.email} value={email} autoComplete="username" readOnly variant="filled" />
        {children?.(fieldError)}
        <NewPasswordInput
          minLength={12}
          value={password}
          onChange={setPassword}
          error={fieldError('password')}
        />
        {!isAtFields(mutation.error, fields) && <ErrorAlert error={mutation.error} fields={fields} />}
        <Button type="submit" loading={mutation.isPending}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}
