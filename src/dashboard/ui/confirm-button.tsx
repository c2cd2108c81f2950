import { Button, type ButtonProps, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { isAwaitingApproval } from '../api/service-error.ts';
import { Dialog, LeaveButton } from './dialog.tsx';
import { ErrorAlert } from './error-alert.tsx';

interface ConfirmButtonProps extends Pick<ButtonProps, 'color' | 'variant' | 'size' | 'disabled'> {
  /** A verb: on the button, as the title, and to confirm. */
  label: string;
  /** What it is done to: in the title, and on the buttons of several rows for screen readers. */
  subject?: string;
  /** Explains the consequences. */
  children: ReactNode;
  /** On failure the dialog stays open and shows the error. */
  mutation: { isPending: boolean; error: unknown; reset: () => void };
  onConfirm: (close: () => void) => void;
}

/** A button with a confirmation dialog. */
export function ConfirmButton({
  label,
  subject,
  children,
  mutation,
  onConfirm,
  ...button
}: ConfirmButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const openDialog = () => {
    mutation.reset();
    open();
  };
  return (
    <>
      <Button
        variant="default"
        size="xs"
        // Squeezed, its label would be cut off.
        style={{ flexShrink: 0 }}
        // The default variant ignores the color.
        c={
          button.color === 'red' && !button.variant && !button.disabled
            ? 'var(--mantine-color-error)'
            : undefined
        }
        {...button}
        onClick={openDialog}
        {...(subject && { 'aria-label': `${label}: ${subject}` })}
      >
        {label}
      </Button>
      <Dialog
        opened={isOpen}
        onClose={close}
        title={subject ? `${label}: ${subject}` : label}
        closeOnClickOutside
      >
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
      </Dialog>
    </>
  );
}
