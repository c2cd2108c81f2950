import type { ButtonProps } from '@mantine/core';
import { lazy } from 'react';
import { useProviders } from '../../parts/use-provider-name.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import type { Credential } from './base/documents.ts';

const WebhookRegistration = lazy(() => import('./webhook-registration.tsx'));

const messages = texts({ register: 'Cadastrar webhook' }, { register: 'Register webhook' });

interface Props extends Pick<ButtonProps, 'size'> {
  credential: Pick<Credential, 'id' | 'name' | 'provider' | 'notificationUrl' | 'missingSettings'>;
  /** Called once the PSP was asked. */
  onDone: () => void;
}

/** Shown where somebody has to register the provider's webhook. */
export function RegisterWebhook({ credential, onDone, size = 'xs' }: Props) {
  const text = useTexts(messages);
  const { webhookRegistration } = useProviders()(credential.provider) ?? {};
  if (webhookRegistration !== 'api' && webhookRegistration !== 'panel') return null;
  return (
    <DialogButton label={text.register} subject={credential.name} dialog={{ size: 'lg' }} size={size}>
      {(close) => <WebhookRegistration credential={credential} onDone={onDone} onClose={close} />}
    </DialogButton>
  );
}
