import { Modal, type ModalProps } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';

/**
 * Stays open while something is being changed: it shows what the answer may hold only once. A click beside it does
 * not close it either: what was typed would be lost.
 */
export function Dialog({ onClose, ...modal }: ModalProps) {
  const isChanging = useIsMutating() > 0;
  return (
    <Modal
      closeOnClickOutside={false}
      {...modal}
      onClose={() => {
        if (!isChanging) onClose();
      }}
    />
  );
}
