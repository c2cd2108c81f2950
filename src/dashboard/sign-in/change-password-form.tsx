import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { PasswordInput } from '../ui/inputs/fields.tsx';
import { ErrorAlert } from '../ui/error-alert.tsx';
import { isAtFields, useFieldErrors } from '../ui/problems/use-problems.ts';
import { authentication } from './authentication.ts';
import { NewPasswordInput } from './new-password-input.tsx';
import { useAuthentication } from './use-authentication.ts';

const fields = ['currentPassword', 'newPassword'];

interface Props {
  /** The label of the current password. */
  current: string;
  submit: string;
  /** The other pages before the dashboard are wide. */
  isWide?: boolean;
  onChanged: () => void;
}

export function ChangePasswordForm({ current, submit, isWide = false, onChanged }: Props) {
  const [before, setBefore] = useState('');
  const [after, setAfter] = useState('');
  const change = useAuthentication(() => authentication.changePassword(before, after));
  const fieldError = useFieldErrors(change.error);
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
          error={fieldError('currentPassword')}
          onChange={(event) => {
            setBefore(event.currentTarget.value);
          }}
        />
        <NewPasswordInput value={after} onChange={setAfter} error={fieldError('newPassword')} />
        {!isAtFields(change.error, fields) && <ErrorAlert error={change.error} fields={fields} />}
        <Group justify="flex-end" grow={isWide}>
          <Button type="submit" loading={change.isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
