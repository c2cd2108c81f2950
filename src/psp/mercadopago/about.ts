import type { z } from 'zod';
import { baseUrlText, type ProviderAbout, text } from '../kit/about.ts';
import type { mercadoPagoSettings } from './settings.ts';

export const mercadoPagoAbout: ProviderAbout<keyof z.input<typeof mercadoPagoSettings>> = {
  displayName: 'Mercado Pago',
  settings: {
    accessToken: {
      label: text('Access token', 'Access token'),
      help: text('O de produção, em “Suas integrações”.', 'The production token, under “Your integrations”.'),
    },
    webhookSecret: {
      label: text('Assinatura secreta do webhook', 'Webhook signing secret'),
      help: text(
        'Exibida em Webhooks, na aplicação em “Suas integrações”, depois de salvar ali a URL de notificação.',
        'Shown under Webhooks of the application in “Your integrations”, once the notification URL is saved there.',
      ),
    },
    payerEmailFallback: {
      label: text('E-mail para pagadores sem e-mail', 'E-mail for payers without one'),
      help: text(
        'O Mercado Pago exige um e-mail; este é usado quando a cobrança não informa nenhum.',
        'Mercado Pago requires an e-mail; this one is used when the payment has none.',
      ),
    },
    baseUrl: baseUrlText,
  },
  // mercadopago.com.br/developers, "Webhooks".
  webhookSteps: text(
    'Em “Suas integrações”, abra a aplicação e vá em Webhooks › Configurar notificações. No modo de produção, informe a URL de notificação, marque o evento “Pagamentos” e salve. A assinatura secreta exibida ali é o campo correspondente desta credencial.',
    'Under “Your integrations”, open the application and go to Webhooks › Configure notifications. In production mode, enter the notification URL, choose the event “Payments” and save. The signing secret shown there belongs into this credential.',
  ),
};
