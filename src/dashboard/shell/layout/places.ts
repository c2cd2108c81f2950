import {
  Activity,
  BookCheck,
  ChartNoAxesColumn,
  CreditCard,
  KeyRound,
  Landmark,
  Rocket,
  ScrollText,
  Split,
  UserCheck,
  Users,
  Webhook,
} from 'lucide-react';
import { texts } from '../language.tsx';

/** Names of the places, as in the navigation. */
export const placeTexts = texts(
  {
    overview: 'Visão geral',
    payments: 'Pagamentos',
    books: 'Conciliação',
    health: 'Saúde dos provedores',
    webhooks: 'Webhooks',
    apiKeys: 'Chaves de API',
    credentials: 'Credenciais',
    ruleSets: 'Regras de roteamento',
    members: 'Pessoas',
    approvals: 'Aprovações',
    auditLog: 'Auditoria',
    firstSteps: 'Primeiros passos',
  },
  {
    overview: 'Overview',
    payments: 'Payments',
    books: 'Books',
    health: 'Provider health',
    webhooks: 'Webhooks',
    apiKeys: 'API keys',
    credentials: 'Credentials',
    ruleSets: 'Routing rules',
    members: 'People',
    approvals: 'Approvals',
    auditLog: 'Audit log',
    firstSteps: 'Get started',
  },
);

export const places = [
  ['/', 'overview', ChartNoAxesColumn],
  ['/payments', 'payments', CreditCard],
  ['/books', 'books', BookCheck],
  ['/health', 'health', Activity],
  ['/webhooks', 'webhooks', Webhook],
  ['/api-keys', 'apiKeys', KeyRound],
  ['/credentials', 'credentials', Landmark],
  ['/rule-sets', 'ruleSets', Split],
  ['/members', 'members', Users],
  ['/approvals', 'approvals', UserCheck],
  ['/audit-log', 'auditLog', ScrollText],
  ['/first-steps', 'firstSteps', Rocket],
] as const;
