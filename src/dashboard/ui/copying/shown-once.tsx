import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts, useTexts } from '../../base/language.tsx';
import { Copyable } from './copy-button.tsx';

const messages = texts(
  {
    warning: 'Copie agora: você não verá isto novamente.',
    done: 'Já copiei',
  },
  {
    warning: 'Copy it now: you will not see this again.',
    done: 'I’ve copied it',
  },
);

export function ShownOnce({
  title,
  secret,
  children,
  onClose,
}: {
  title: string;
  secret: string | undefined;
  children?: ReactNode;
  onClose: () => void;
}) {
  const text = useTexts(messages);
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow">
          <Text size="sm">{text.warning}</Text>
        </Alert>
        <Copyable value={secret ?? ''} label={title} />
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>{text.done}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
