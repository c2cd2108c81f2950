import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { useProviders } from '../../parts/use-provider-name.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/loading.tsx';
import type { Credential } from './base/documents.ts';

const WebhookRegistration = lazy(() => import('./webhook-registration.tsx'));

const messages = texts({ register: 'Cadastrar webhook' }, { register: 'Register webhook' });

interface Props {
  credential: Pick<Credential, 'id' | 'name' | 'provider' | 'notificationUrl' | 'missingSettings'>;
  /** Called once the PSP was asked. */
  onDone: () => void;
}

/** Shown where somebody has to register the provider's webhook. */
export function RegisterWebhook({ credential, onDone }: Props) {
  const text = useTexts(messages);
  const [isOpen, { open, close }] = useDisclosure(false);
  const { webhookRegistration } = useProviders()(credential.provider) ?? {};
  if (webhookRegistration !== 'api' && webhookRegistration !== 'panel') return null;
  const title = `${text.register}: ${credential.name}`;
  return (
    <>
      <Button variant="default" size="xs" aria-label={title} onClick={open}>
        {text.register}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={title} size="lg">
        <Suspense fallback={<Loading />}>
          <WebhookRegistration credential={credential} onDone={onDone} onClose={close} />
        </Suspense>
      </Dialog>
    </>
  );
}
