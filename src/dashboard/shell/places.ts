import {
  Activity,
  ArrowLeftRight,
  Banknote,
  BookCheck,
  Building2,
  ChartNoAxesColumn,
  CreditCard,
  KeyRound,
  Landmark,
  Link2,
  Repeat,
  Rocket,
  Scale,
  ScrollText,
  ShieldCheck,
  Split,
  Undo2,
  UserCheck,
  Users,
  Webhook,
} from 'lucide-react';
import type { Action } from '../../core/base/roles.ts';
import { texts } from '../base/language.tsx';

/** The navigation uses the same names. */
export const placeTexts = texts(
  {
    overview: 'Visão geral',
    payments: 'Pagamentos',
    paymentLinks: 'Links de pagamento',
    recurrences: 'Recorrências',
    refunds: 'Estornos',
    disputes: 'Contestações',
    receipts: 'Recebimentos',
    books: 'Conciliação',
    health: 'Saúde dos provedores',
    webhooks: 'Webhooks',
    apiKeys: 'Chaves de API',
    requests: 'Requisições',
    credentials: 'Credenciais',
    ruleSets: 'Regras de roteamento',
    members: 'Pessoas',
    organization: 'Organização',
    approvals: 'Aprovações',
    auditLog: 'Auditoria',
    security: 'Segurança',
    firstSteps: 'Primeiros passos',
    charges: 'Cobranças',
    providers: 'Provedores',
    integration: 'Integração',
    team: 'Equipe',
  },
  {
    overview: 'Overview',
    payments: 'Payments',
    paymentLinks: 'Payment links',
    recurrences: 'Recurrences',
    refunds: 'Refunds',
    disputes: 'Disputes',
    receipts: 'Receipts',
    books: 'Reconciliation',
    health: 'Provider health',
    webhooks: 'Webhooks',
    apiKeys: 'API keys',
    requests: 'Requests',
    credentials: 'Credentials',
    ruleSets: 'Routing rules',
    members: 'People',
    organization: 'Organization',
    approvals: 'Approvals',
    auditLog: 'Audit log',
    security: 'Security',
    firstSteps: 'Get started',
    charges: 'Charges',
    providers: 'Providers',
    integration: 'Integration',
    team: 'Team',
  },
);

/** The navigation shows them like this, below the overview. */
export const placeGroups = [
  [
    'charges',
    [
      ['/payments', 'payments', CreditCard],
      ['/payment-links', 'paymentLinks', Link2],
      ['/recurrences', 'recurrences', Repeat],
      ['/refunds', 'refunds', Undo2],
      ['/disputes', 'disputes', Scale],
      ['/receipts', 'receipts', Banknote],
      ['/books', 'books', BookCheck],
    ],
  ],
  [
    'providers',
    [
      ['/health', 'health', Activity],
      ['/credentials', 'credentials', Landmark],
      ['/rule-sets', 'ruleSets', Split],
    ],
  ],
  [
    'integration',
    [
      ['/api-keys', 'apiKeys', KeyRound],
      ['/requests', 'requests', ArrowLeftRight],
      ['/webhooks', 'webhooks', Webhook],
      ['/first-steps', 'firstSteps', Rocket],
    ],
  ],
  [
    'team',
    [
      ['/members', 'members', Users],
      ['/approvals', 'approvals', UserCheck],
      ['/audit-log', 'auditLog', ScrollText],
      ['/security', 'security', ShieldCheck],
      ['/organization', 'organization', Building2],
    ],
  ],
] as const;

export const overviewPlace = ['/', 'overview', ChartNoAxesColumn] as const;

export const places = [overviewPlace, ...placeGroups.flatMap(([, group]) => [...group])];

/** Whoever may not do this has nothing to see there. */
const needed: Readonly<Record<string, Action>> = { '/security': 'members:manage' };

export const isPlaceOf =
  (may: (action: Action) => boolean) =>
  ([path]: (typeof places)[number]): boolean => {
    const action = needed[path];
    return !action || may(action);
  };
