import type { z } from 'zod';
import { baseUrlText, type ProviderAbout, text } from '../../kit/about.ts';
import type { asaasSettings } from './settings.ts';

export const asaasAbout: ProviderAbout<keyof z.input<typeof asaasSettings>> = {
  displayName: 'Asaas',
  settings: {
    apiKey: {
      label: text('Chave de API', 'API key'),
      help: text(
        'Gerada no painel do Asaas, em Integrações. Testes e produção têm chaves diferentes.',
        'Generated in the Asaas panel, under Integrações. Test and production have different keys.',
      ),
    },
    webhookToken: {
      label: text('Token do webhook', 'Webhook token'),
      help: text(
        'Token de autenticação do webhook no Asaas, com 32 a 255 caracteres. Crie um novo: ele é enviado ao Asaas quando você cadastra o webhook.',
        'Authentication token of the webhook at Asaas, 32 to 255 characters. Make up a new one: registering the webhook sends it to Asaas.',
      ),
    },
    webhookEmail: {
      label: text('E-mail para avisos do webhook', 'E-mail for webhook alerts'),
      help: text(
        'O Asaas avisa neste endereço quando as notificações falham.',
        'Asaas writes to this address when notifications fail.',
      ),
    },
    baseUrl: baseUrlText,
  },
};
