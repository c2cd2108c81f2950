import { Alert, Anchor, List } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import { unusableReason } from '../../../domain/routing.ts';
import { texts, useTexts } from '../../shell/language.tsx';
import { useServiceQuery } from '../../shell/use-service.ts';
import { useWorkplace } from '../../shell/workplace.tsx';
import { useTrouble } from '../webhooks/endpoint-state.tsx';
import { attentionDocument } from './documents.ts';

const said = texts(
  {
    title: 'Precisa de atenção',
    credentials: 'Credenciais',
    noDefault:
      'nenhuma padrão ativa recebe cobranças de produção, e o que nenhuma regra de roteamento encaminha é recusado.',
  },
  {
    title: 'Needs attention',
    credentials: 'Credentials',
    noDefault: 'no enabled default takes live payments, and what no routing rule sends elsewhere is refused.',
  },
);

/** What stands in the way of payments or of their webhooks. Shows nothing when nothing does. */
export function Attention() {
  const text = useTexts(said);
  const trouble = useTrouble();
  const { mode } = useWorkplace();
  const { data } = useServiceQuery(attentionDocument, {}, { refetchIntervalMs: 60_000 });
  if (!data) return null;
  const endpoints = data.webhookEndpoints.filter((endpoint) => trouble(endpoint));
  const hasDefault = data.credentials.some((each) => each.isDefault && !unusableReason(mode, each));
  const isUnrouted = mode === 'live' && !hasDefault;
  if (endpoints.length === 0 && !isUnrouted) return null;
  return (
    <Alert
      variant="default"
      icon={<TriangleAlert color="var(--mantine-color-orange-text)" aria-hidden />}
      title={text.title}
    >
      <List size="sm" spacing={4} style={{ overflowWrap: 'anywhere' }}>
        {isUnrouted && (
          <List.Item>
            <Anchor component={Link} href="/credentials" size="sm" underline="always">
              {text.credentials}
            </Anchor>
            : {text.noDefault}
          </List.Item>
        )}
        {endpoints.map((endpoint) => (
          <List.Item key={endpoint.id}>
            <Anchor component={Link} href={`/webhooks/${endpoint.id}`} size="sm" underline="always">
              {endpoint.url}
            </Anchor>
            : {trouble(endpoint)}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
