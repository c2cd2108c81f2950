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
    webhookSecret: { label: text('Assinatura secreta do webhook', 'Webhook signing secret') },
    payerEmailFallback: {
      label: text('E-mail para pagadores sem e-mail', 'E-mail for payers without one'),
      help: text(
        'O Mercado Pago exige um e-mail; este é usado quando a cobrança não informa nenhum.',
        'Mercado Pago requires an e-mail; this one is used when the payment has none.',
      ),
    },
    baseUrl: baseUrlText,
  },
};
