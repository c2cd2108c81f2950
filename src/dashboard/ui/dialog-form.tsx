import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { isAwaitingApproval } from '../api/service-error.ts';
import { texts, useTexts } from '../shell/language.tsx';
import { FailureAlert } from './error-alert.tsx';

const said = texts({ cancel: 'Cancelar' }, { cancel: 'Cancel' });

interface DialogFormProps {
  /** What happens, as a verb. */
  submit: string;
  mutation: { isPending: boolean; error: unknown };
  onSubmit: () => void;
  onCancel: () => void;
  isDisabled?: boolean;
  children: ReactNode;
}

/** The inside of a dialog that asks for something: it stays as it is, with the reason, when it is refused. */
export function DialogForm({
  submit,
  mutation,
  onSubmit,
  onCancel,
  isDisabled = false,
  children,
}: DialogFormProps) {
  const text = useTexts(said);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={send}>
      <Stack>
        {children}
        <FailureAlert error={mutation.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} disabled={mutation.isPending}>
            {text.cancel}
          </Button>
          <Button
            type="submit"
            loading={mutation.isPending}
            disabled={isDisabled || isAwaitingApproval(mutation.error)}
          >
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
