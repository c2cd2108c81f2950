import { Button, type ButtonProps, Modal, type ModalProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useIsMutating } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { texts, useTexts } from '../base/language.tsx';
import { Loading } from './loading.tsx';

const messages = texts(
  { cancel: 'Cancelar', back: 'Voltar', close: 'Fechar' },
  { cancel: 'Cancel', back: 'Go back', close: 'Close' },
);

/**
 * Cannot be closed while a mutation is pending: its response may hold a secret that is shown only once. A click
 * outside does not close it, nor does Escape once something was typed, so that input is not lost.
 */
export function Dialog({ onClose, children, ...modal }: ModalProps) {
  const isMutating = useIsMutating() > 0;
  const [hasInput, setHasInput] = useState(false);
  return (
    <Modal
      closeOnClickOutside={false}
      closeOnEscape={!hasInput}
      // A banner is a part of the page.
      attributes={{ header: { role: 'presentation' } }}
      // Names can make a title several lines long.
      styles={{ title: { lineHeight: 1.35 } }}
      {...modal}
      onClose={() => {
        if (isMutating) return;
        setHasInput(false);
        onClose();
      }}
    >
      <div
        onInput={() => {
          setHasInput(true);
        }}
      >
        <Suspense fallback={<Loading />}>{children}</Suspense>
      </div>
    </Modal>
  );
}

export interface DialogButtonProps extends Omit<ButtonProps, 'children'> {
  /** A verb. */
  label: string;
  /** What it is done to, for screen readers: several rows may have such a button. */
  subject?: string | undefined;
  /** The dialog's: label and subject when absent. */
  title?: string;
  dialog?: Pick<ModalProps, 'size' | 'closeOnClickOutside'>;
  /** A dialog that is open outlives its button: nothing typed is lost, and a refusal can be read. */
  hasButton?: boolean;
  onOpen?: () => void;
  /** Mounted only while the dialog is open. */
  children: (close: () => void) => ReactNode;
}

/** A button and the dialog that it opens. */
export function DialogButton({
  label,
  subject,
  title,
  dialog,
  hasButton = true,
  onOpen,
  children,
  ...button
}: DialogButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false, onOpen && { onOpen });
  const name = subject ? `${label}: ${subject}` : label;
  return (
    <>
      {hasButton && (
        <Button variant="default" {...button} onClick={open} {...(subject && { 'aria-label': name })}>
          {label}
        </Button>
      )}
      <Dialog opened={isOpen} onClose={close} title={title ?? name} {...dialog}>
        {children(close)}
      </Dialog>
    </>
  );
}

interface LeaveButtonProps {
  /** What the dialog is for, as its other button says; absent when there is nothing to do. */
  action?: string | undefined;
  onClick: () => void;
  disabled?: boolean;
}

/** Closes a dialog without doing anything. */
export function LeaveButton({ action, ...button }: LeaveButtonProps) {
  const text = useTexts(messages);
  // Another “Cancel” beside “Cancel payment” could mean either.
  const word = action?.startsWith(text.cancel) ? text.back : text.cancel;
  return (
    <Button variant="default" {...button}>
      {action === undefined ? text.close : word}
    </Button>
  );
}
