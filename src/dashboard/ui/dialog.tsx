import { Modal, type ModalProps } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';

/**
 * Cannot be closed while a mutation is pending: its response may hold a secret that is shown only once. A click
 * outside does not close it, so that input is not lost.
 */
export function Dialog({ onClose, ...modal }: ModalProps) {
  const isMutating = useIsMutating() > 0;
  return (
    <Modal
      closeOnClickOutside={false}
      {...modal}
      onClose={() => {
        if (!isMutating) onClose();
      }}
    />
  );
}
