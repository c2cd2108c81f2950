import { Button, type ButtonProps, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { isAwaitingApproval } from '../api/service-error.ts';
import { texts, useTexts } from '../shell/language.tsx';
import { Dialog } from './dialog.tsx';
import { FailureAlert } from './error-alert.tsx';

const said = texts({ cancel: 'Voltar' }, { cancel: 'Go back' });

interface ConfirmButtonProps extends Pick<ButtonProps, 'color' | 'variant' | 'size' | 'disabled'> {
  /** What happens, as a verb: on the button, as the title, and to confirm. */
  label: string;
  /** Tells buttons of the same label apart, where each row has one. */
  subject?: string;
  /** What it means, before it is done. */
  children: ReactNode;
  /** The question stays open when it throws, with the reason. */
  mutation: { isPending: boolean; error: unknown; reset: () => void };
  onConfirm: (close: () => void) => void;
}

/** A button that asks before it does what cannot be undone. */
export function ConfirmButton({
  label,
  subject,
  children,
  mutation,
  onConfirm,
  ...button
}: ConfirmButtonProps) {
  const text = useTexts(said);
  const [isOpen, { open, close }] = useDisclosure(false);
  const ask = () => {
    mutation.reset();
    open();
  };
  return (
    <>
      <Button
        variant="default"
        size="xs"
        {...button}
        onClick={ask}
        {...(subject && { 'aria-label': `${label}: ${subject}` })}
      >
        {label}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={label} closeOnClickOutside>
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          <FailureAlert error={mutation.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={mutation.isPending}>
              {text.cancel}
            </Button>
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
