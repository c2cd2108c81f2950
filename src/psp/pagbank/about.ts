import type { z } from 'zod';
import { baseUrlText, type ProviderAbout, text } from '../kit/about.ts';
import type { pagbankSettings } from './settings.ts';

export const pagbankAbout: ProviderAbout<keyof z.input<typeof pagbankSettings>> = {
  displayName: 'PagBank',
  settings: {
    token: {
      label: text('Token', 'Token'),
      help: text(
        'Em Vendas online > Integrações no PagBank. A conta precisa estar liberada para a API de Pedidos e ter uma chave Pix ativa.',
        'In the PagBank panel under Vendas online > Integrações. PagBank must have enabled the Orders API for the account, which needs an active Pix key.',
      ),
    },
    baseUrl: baseUrlText,
  },
};
