import type { z } from 'zod';
import { baseUrlText, type ProviderAbout, text } from '../kit/about.ts';
import type { pagarmeSettings } from './settings.ts';

export const pagarmeAbout: ProviderAbout<keyof z.input<typeof pagarmeSettings>> = {
  displayName: 'Pagar.me',
  settings: {
    secretKey: { label: text('Chave secreta', 'Secret key') },
    webhookUser: {
      label: text('Usuário do webhook', 'Webhook user'),
      help: text(
        'O usuário da autenticação Basic do webhook, definido no painel da Pagar.me.',
        "Username of the webhook's Basic authentication, set in the Pagar.me dashboard.",
      ),
    },
    webhookPassword: { label: text('Senha do webhook', 'Webhook password') },
    baseUrl: baseUrlText,
  },
};
