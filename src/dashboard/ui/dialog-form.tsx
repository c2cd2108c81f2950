import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { isAwaitingApproval } from '../api/service-error.ts';
import { LeaveButton } from './dialog.tsx';
import { ErrorAlert } from './error-alert.tsx';

interface DialogFormProps {
  /** A verb. */
  submit: string;
  mutation: { isPending: boolean; error: unknown };
  onSubmit: () => void;
  onCancel: () => void;
  isDisabled?: boolean;
  /** Paths of the input whose problems the form's own fields show. */
  fields?: readonly string[];
  children: ReactNode;
}

/** On failure it keeps its input and shows the error. */
export function DialogForm({
  submit,
  mutation,
  onSubmit,
  onCancel,
  isDisabled = false,
  fields = [],
  children,
}: DialogFormProps) {
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={send}>
      <Stack>
        {children}
        <ErrorAlert error={mutation.error} fields={fields} />
        <Group justify="flex-end">
          <LeaveButton action={submit} onClick={onCancel} disabled={mutation.isPending} />
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
