import { Button, type ButtonProps, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { isAwaitingApproval } from '../api/service-error.ts';
import { DialogButton, LeaveButton } from './dialog.tsx';
import { ErrorAlert } from './error-alert.tsx';

interface ConfirmButtonProps extends Pick<ButtonProps, 'color' | 'variant' | 'size' | 'px' | 'disabled'> {
  /** A verb: stands on the button, in the title, and on the button that confirms. */
  label: string;
  /** What it is done to: for the title, and for screen readers where several rows have such a button. */
  subject?: string;
  /** Explains the consequences. */
  children: ReactNode;
  /** On failure the dialog stays open and shows the error. */
  mutation: { isPending: boolean; error: unknown; reset: () => void };
  onConfirm: (close: () => void) => void;
}

/** Asks in a dialog before it acts. */
export function ConfirmButton({
  label,
  subject,
  children,
  mutation,
  onConfirm,
  ...button
}: ConfirmButtonProps) {
  return (
    <DialogButton
      label={label}
      subject={subject}
      dialog={{ closeOnClickOutside: true }}
      onOpen={mutation.reset}
      size="xs"
      // A squeezed label would be cut off.
      style={{ flexShrink: 0 }}
      // The default variant ignores the color.
      c={
        button.color === 'red' && !button.variant && !button.disabled
          ? 'var(--mantine-color-error)'
          : undefined
      }
      {...button}
    >
      {(close) => (
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          <ErrorAlert error={mutation.error} />
          <Group justify="flex-end">
            <LeaveButton action={label} onClick={close} disabled={mutation.isPending} />
            <Button
              color={button.color}
              loading={mutation.isPending}
              disabled={isAwaitingApproval(mutation.error)}
              onClick={() => {
                onConfirm(close);
              }}
            >
              {label}
            </Button>
          </Group>
        </Stack>
      )}
    </DialogButton>
  );
}
