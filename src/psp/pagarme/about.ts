import type { z } from 'zod';
import { baseUrlText, type ProviderAbout, text } from '../kit/about.ts';
import type { pagarmeSettings } from './settings.ts';

export const pagarmeAbout: ProviderAbout<keyof z.input<typeof pagarmeSettings>> = {
  displayName: 'Pagar.me',
  settings: {
    secretKey: {
      label: text('Chave secreta', 'Secret key'),
      help: text(
        'Do painel da Pagar.me; começa com sk_.',
        'From the Pagar.me dashboard; it starts with sk_.',
      ),
    },
    webhookUser: {
      label: text('Usuário do webhook', 'Webhook user'),
      help: text(
        'O usuário da autenticação Basic do webhook, definido no painel da Pagar.me.',
        "Username of the webhook's Basic authentication, set in the Pagar.me dashboard.",
      ),
    },
    webhookPassword: {
      label: text('Senha do webhook', 'Webhook password'),
      help: text('A senha da mesma autenticação Basic.', 'Password of the same Basic authentication.'),
    },
    baseUrl: baseUrlText,
  },
  // docs.pagar.me, "Webhooks".
  webhookSteps: text(
    'No painel da Pagar.me, vá em Configurações › Webhooks › Criar webhook. Informe a URL de notificação, habilite a autenticação com o usuário e a senha desta credencial e marque os eventos de cobrança (charge.paid, charge.underpaid, charge.overpaid, charge.refunded, charge.partial_canceled, charge.chargedback, charge.payment_failed) e order.paid.',
    'In the Pagar.me dashboard, go to Settings › Webhooks › Create webhook. Enter the notification URL, enable authentication with the user and password of this credential, and choose the charge events (charge.paid, charge.underpaid, charge.overpaid, charge.refunded, charge.partial_canceled, charge.chargedback, charge.payment_failed) and order.paid.',
  ),
};
