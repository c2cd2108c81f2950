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
        'Autentica as notificações. Deixe vazio: o serviço gera um e o envia ao Asaas quando você cadastra o webhook. Se informar o seu, use de 32 a 255 caracteres.',
        'Authenticates notifications. Leave it empty: the service makes one up and sends it to Asaas when you register the webhook. Your own has 32 to 255 characters.',
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
