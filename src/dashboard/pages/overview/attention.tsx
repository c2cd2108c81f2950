import { Alert, Anchor, List } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import { unusableReason } from '../../../domain/providers/routing.ts';
import { texts, useTexts } from '../../shell/language.tsx';
import { useServiceQuery } from '../../shell/use-service.ts';
import { useWorkplace } from '../../shell/use-workplace.ts';
import { useTrouble } from '../webhooks/endpoint-state.tsx';
import { attentionDocument } from './documents.ts';
import { rangesOf, useNow } from './period.ts';

const said = texts(
  {
    title: 'Precisa de atenção',
    credentials: 'Credenciais',
    noDefault:
      'nenhuma padrão ativa recebe cobranças de produção, e o que nenhuma regra de roteamento encaminha é recusado.',
    payments: 'Pagamentos',
    duplicated: (count: string) => `mais de um Pix recebido e nada devolvido em 90 dias: ${count}.`,
    moreThan: (count: number) => `mais de ${count}`,
  },
  {
    title: 'Needs attention',
    credentials: 'Credentials',
    noDefault: 'no enabled default takes live payments, and what no routing rule sends elsewhere is refused.',
    payments: 'Payments',
    duplicated: (count: string) => `more than one Pix received and nothing refunded in 90 days: ${count}.`,
    moreThan: (count: number) => `more than ${count}`,
  },
);

function Subject({ to, children, about }: { to: string; children: string; about: string }) {
  return (
    <List.Item>
      <Anchor component={Link} href={to} size="sm" underline="always">
        {children}
      </Anchor>
      : {about}
    </List.Item>
  );
}

/** What stands in the way of payments or of their webhooks, or is to be refunded. Shows nothing when nothing is. */
export function Attention() {
  const text = useTexts(said);
  const trouble = useTrouble();
  const { mode } = useWorkplace();
  // A Pix can be given back for 90 days.
  const since = rangesOf('90', useNow()).now.from;
  const { data } = useServiceQuery(attentionDocument, { since }, { refetchIntervalMs: 60_000 });
  if (!data) return null;
  const { edges, pageInfo } = data.payments;
  const duplicated = pageInfo.hasNextPage ? text.moreThan(edges.length) : String(edges.length);
  const endpoints = data.webhookEndpoints.filter((endpoint) => trouble(endpoint));
  const hasDefault = data.credentials.some((each) => each.isDefault && !unusableReason(mode, each));
  const isUnrouted = mode === 'live' && !hasDefault;
  if (endpoints.length === 0 && !isUnrouted && edges.length === 0) return null;
  return (
    <Alert
      variant="default"
      icon={<TriangleAlert color="var(--mantine-color-orange-text)" aria-hidden />}
      title={text.title}
    >
      <List size="sm" spacing={4} style={{ overflowWrap: 'anywhere' }}>
        {isUnrouted && (
          <Subject to="/credentials" about={text.noDefault}>
            {text.credentials}
          </Subject>
        )}
        {edges.length > 0 && (
          <Subject to="/payments?concern=duplicated" about={text.duplicated(duplicated)}>
            {text.payments}
          </Subject>
        )}
        {endpoints.map((endpoint) => (
          <Subject key={endpoint.id} to={`/webhooks/${endpoint.id}`} about={trouble(endpoint) ?? ''}>
            {endpoint.url}
          </Subject>
        ))}
      </List>
    </Alert>
  );
}
