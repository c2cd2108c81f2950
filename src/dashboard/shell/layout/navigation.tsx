import { AppShell, NavLink, ScrollArea } from '@mantine/core';
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
import { Link, useLocation } from 'wouter';
import { texts, useTexts } from '../language.tsx';
import { AttentionMark } from './attention-mark.tsx';
import { OpenDifferences } from './open-differences.tsx';
import { PendingApprovals } from './pending-approvals.tsx';

const messages = texts(
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

const places = [
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

const isAt = (path: string, location: string): boolean =>
  path === '/' ? location === '/' : location.startsWith(path);

export function Navigation({ onChosen }: { onChosen: () => void }) {
  const text = useTexts(messages);
  const [location] = useLocation();
  return (
    <AppShell.Section grow component={ScrollArea}>
      {places.map(([path, name, Icon]) => (
        <NavLink
          key={path}
          component={Link}
          href={path}
          label={text[name]}
          leftSection={<Icon size={18} aria-hidden />}
          {...(name === 'overview' && { rightSection: <AttentionMark /> })}
          {...(name === 'books' && { rightSection: <OpenDifferences /> })}
          {...(name === 'approvals' && { rightSection: <PendingApprovals /> })}
          active={isAt(path, location)}
          {...(isAt(path, location) && { 'aria-current': 'page' })}
          onClick={onChosen}
        />
      ))}
    </AppShell.Section>
  );
}
