import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { messagePlace } from '../../base/message-place.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { notify, notifyFailure, useServiceMutation } from '../../base/use-service.ts';
import { useErrorMessage } from '../../ui/error-alert.tsx';
import { endCredentialDiversionDocument } from './documents.ts';

const messages = texts(
  {
    undo: 'Desfazer',
    done: (from: string, to: string) => `As cobranças de ${from} vão para ${to}.`,
    undone: (from: string) => `As cobranças voltaram para ${from}.`,
  },
  {
    undo: 'Undo',
    done: (from, to) => `Payments of ${from} go to ${to}.`,
    undone: (from) => `Payments go to ${from} again.`,
  },
);

export interface NamedCredential {
  id: string;
  name: string;
}

/** The message may be forgotten after this long; the page goes on to show the diversion. */
const offeredMs = 10 * 60_000;

function useUndo({ id, name }: NamedCredential) {
  const text = useTexts(messages);
  const errorMessage = useErrorMessage();
  const end = useServiceMutation(endCredentialDiversionDocument);
  const message = `diversion ${id}`;
  const undo = () => {
    end.mutateAsync({ id }).then(
      () => {
        notifications.hide(message);
        notify(text.undone(name));
      },
      (error: unknown) => {
        notifyFailure(errorMessage(error));
      },
    );
  };
  return { undo, message, isPending: end.isPending };
}

/** Says for ten minutes what was done, with a way back. */
export function useOfferUndo(credential: NamedCredential): (to: string) => void {
  const text = useTexts(messages);
  const { undo, message } = useUndo(credential);
  return (to) => {
    notifications.show({
      id: message,
      color: 'teal',
      position: messagePlace(),
      autoClose: offeredMs,
      message: (
        <Group gap="xs" justify="space-between">
          <Text size="sm">{text.done(credential.name, to)}</Text>
          <Button variant="default" size="compact-sm" onClick={undo}>
            {text.undo}
          </Button>
        </Group>
      ),
    });
  };
}

export function UndoDiversion({ credential }: { credential: NamedCredential }) {
  const text = useTexts(messages);
  const { undo, isPending } = useUndo(credential);
  return (
    <Button
      variant="default"
      size="compact-sm"
      flex="none"
      loading={isPending}
      aria-label={`${text.undo}: ${credential.name}`}
      onClick={undo}
    >
      {text.undo}
    </Button>
  );
}
