import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { PasswordInput } from '../../ui/inputs/fields.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { useAuthentication } from '../../sign-in/use-authentication.ts';

const messages = texts({ password: 'Sua senha' }, { password: 'Your password' });

interface Props {
  submit: string;
  change: (password: string) => Promise<void>;
  onCancel: () => void;
  children: ReactNode;
}

/** Confirms the password before a security setting is changed. */
export function PasswordDialog({ submit, change, onCancel, children }: Props) {
  const text = useTexts(messages);
  const [password, setPassword] = useState('');
  const mutation = useAuthentication(() => change(password));
  const fieldError = useFieldErrors(mutation.error);
  const send = () => {
    mutation.mutate(undefined);
  };
  return (
    <DialogForm submit={submit} mutation={mutation} onSubmit={send} onCancel={onCancel} fields={['password']}>
      <Text size="sm">{children}</Text>
      <PasswordInput
        label={text.password}
        autoComplete="current-password"
        required
        withAsterisk={false}
        data-autofocus
        value={password}
        error={fieldError('password')}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
        }}
      />
    </DialogForm>
  );
}
