import type { Role } from '../../../domain/people/roles.ts';
import { texts } from '../../shell/language.tsx';

/** What each role may, in a sentence. */
export const roleAbouts = texts<Record<Role, string>>(
  {
    owner: 'Pode tudo, inclusive chaves de produção e as pessoas da organização.',
    developer: 'Cuida de chaves de teste, webhooks, credenciais e regras, além do que o suporte pode.',
    support: 'Vê os dados de quem paga, cancela, devolve, simula e reenvia webhooks.',
    viewer: 'Só lê; os dados de quem paga aparecem mascarados.',
  },
  {
    owner: 'May do everything, live keys and the people of the organization included.',
    developer: 'Takes care of test keys, webhooks, credentials and rule sets, besides what support may do.',
    support: 'Sees the data of payers, cancels, refunds, simulates and sends webhooks again.',
    viewer: 'Only reads; the data of payers is masked.',
  },
);
