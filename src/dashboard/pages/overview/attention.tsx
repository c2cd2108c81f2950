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

const messages = texts(
  {
    title: 'Precisa de atenção',
    credentials: 'Credenciais',
    noDefault: 'nenhuma credencial padrão ativa: cobranças sem regra serão recusadas.',
    payments: 'Pagamentos',
    duplicated: (count: string) => `pagos mais de uma vez e sem estorno nos últimos 90 dias: ${count}.`,
    moreThan: (count: number) => `mais de ${count}`,
  },
  {
    title: 'Needs attention',
    credentials: 'Credentials',
    noDefault: 'no active default credential: payments without a routing rule will be refused.',
    payments: 'Payments',
    duplicated: (count: string) => `paid more than once and not refunded in the last 90 days: ${count}.`,
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

/** Problems with payments and webhooks. Renders nothing without any. */
export function Attention() {
  const text = useTexts(messages);
  const trouble = useTrouble();
  const { mode } = useWorkplace();
  // A Pix can be refunded for 90 days.
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
