import type { Role } from '../../../core/base/roles.ts';
import { texts } from '../../base/language.tsx';

export const roleAbouts = texts<Record<Role, string>>(
  {
    owner: 'Acesso total, inclusive a chaves de produção e pessoas.',
    developer:
      'Tudo o que o suporte pode, além de gerenciar chaves de teste, webhooks, credenciais e regras de roteamento.',
    support:
      'Vê dados de pagadores, edita, cancela, estorna e simula pagamentos, cria lotes e reenvia webhooks.',
    viewer: 'Somente consulta. Os dados de pagadores aparecem mascarados.',
  },
  {
    owner: 'Full access, including live keys and people.',
    developer: 'Everything support can do, plus managing test keys, webhooks, credentials and routing rules.',
    support:
      'Sees payer data, edits, cancels, refunds and simulates payments, creates batches, and resends webhooks.',
    viewer: 'Read-only. Payer data is masked.',
  },
);
