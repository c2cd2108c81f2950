import { Modal, type ModalProps } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { useState } from 'react';

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
      // Names make titles of several lines.
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
