import { Button, Modal, type ModalProps } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { useState } from 'react';
import { texts, useTexts } from '../base/language.tsx';

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
        {children}
      </div>
    </Modal>
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
