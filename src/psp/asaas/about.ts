import type { z } from 'zod';
import { baseUrlText, type ProviderAbout, text } from '../kit/about.ts';
import type { asaasSettings } from './settings.ts';

export const asaasAbout: ProviderAbout<keyof z.input<typeof asaasSettings>> = {
  displayName: 'Asaas',
  settings: {
    apiKey: { label: text('Chave de API', 'API key') },
    webhookToken: {
      label: text('Token do webhook', 'Webhook token'),
      help: text(
        'O token de autenticação informado no cadastro do webhook no Asaas.',
        'The authentication token set on the webhook in the Asaas dashboard.',
      ),
    },
    baseUrl: baseUrlText,
  },
};
