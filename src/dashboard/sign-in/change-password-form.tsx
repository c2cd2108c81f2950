import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FailureAlert } from '../ui/error-alert.tsx';
import { texts, useTexts } from '../shell/language.tsx';
import { authentication } from './authentication.ts';
import { useAuthentication } from './use-authentication.ts';

const said = texts(
  { new: 'Senha nova', rule: 'Pelo menos 12 caracteres. Uma frase que só você usaria serve bem.' },
  { new: 'New password', rule: 'At least 12 characters. A sentence that only you would use does well.' },
);

interface Props {
  /** What the password is that is replaced. */
  current: string;
  submit: string;
  onChanged: () => void;
}

export function NewPasswordForm({ current, submit, onChanged }: Props) {
  const text = useTexts(said);
  const [before, setBefore] = useState('');
  const [after, setAfter] = useState('');
  const change = useAuthentication(() => authentication.changePassword(before, after));
  const send = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(undefined, {
      onSuccess: () => {
        setBefore('');
        setAfter('');
        onChanged();
      },
    });
  };
  return (
    <form onSubmit={send}>
      <Stack>
        <PasswordInput
          label={current}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={before}
          onChange={(event) => {
            setBefore(event.currentTarget.value);
          }}
        />
        <PasswordInput
          label={text.new}
          description={text.rule}
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={after}
          onChange={(event) => {
            setAfter(event.currentTarget.value);
          }}
        />
        <FailureAlert error={change.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={change.isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
