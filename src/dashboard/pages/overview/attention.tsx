import { Alert, Anchor, List } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import type { ResultOf } from '../../api/graphql.ts';
import { unusableReason } from '../../../domain/providers/routing.ts';
import { bookPath } from '../../parts/book-path.ts';
import { useOpenDifferences } from '../../parts/use-open-differences.ts';
import { texts, useFormats, useTexts } from '../../shell/language.tsx';
import { useServiceQuery } from '../../shell/use-service.ts';
import { useWorkplace } from '../../shell/use-workplace.ts';
import { useCertificateTrouble } from '../credentials/account-state.tsx';
import { useTrouble } from '../webhooks/endpoint-state.tsx';
import { attentionDocument, type concernedFragment } from './documents.ts';
import { rangesOf, useNow } from './period.ts';

const messages = texts(
  {
    title: 'Precisa de atenção',
    credentials: 'Credenciais',
    noDefault: 'nenhuma credencial padrão ativa: cobranças sem regra serão recusadas.',
    payments: 'Pagamentos',
    duplicated: (count: string) => `pagos mais de uma vez e sem estorno nos últimos 90 dias: ${count}.`,
    disputed: (count: string) => `em contestação: ${count}.`,
    books: 'Conciliação',
    open: (count: string, day: string) => `divergências em aberto desde ${day}: ${count}.`,
    moreThan: (count: number) => `mais de ${count}`,
  },
  {
    title: 'Needs attention',
    credentials: 'Credentials',
    noDefault: 'no active default credential: payments without a routing rule will be refused.',
    payments: 'Payments',
    duplicated: (count: string) => `paid more than once and not refunded in the last 90 days: ${count}.`,
    disputed: (count: string) => `disputed by their payers: ${count}.`,
    books: 'Books',
    open: (count: string, day: string) => `open differences since ${day}: ${count}.`,
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

/** Problems with payments, webhooks and credentials. Renders nothing without any. */
export function Attention() {
  const text = useTexts(messages);
  const trouble = useTrouble();
  const certificateTrouble = useCertificateTrouble();
  const { mode } = useWorkplace();
  const { day } = useFormats();
  const open = useOpenDifferences();
  // A Pix can be refunded for 90 days.
  const since = rangesOf('90', useNow()).now.from;
  const { data } = useServiceQuery(attentionDocument, { since }, { refetchIntervalMs: 60_000 });
  if (!data) return null;
  const countOf = ({ edges, pageInfo }: ResultOf<typeof concernedFragment>) =>
    pageInfo.hasNextPage ? text.moreThan(edges.length) : String(edges.length);
  const endpoints = data.webhookEndpoints.filter((endpoint) => trouble(endpoint));
  const uncertified = data.credentials.filter((each) => each.enabled && certificateTrouble(each));
  const hasDefault = data.credentials.some((each) => each.isDefault && !unusableReason(mode, each));
  const isUnrouted = mode === 'live' && !hasDefault;
  const concerns = (['disputed', 'duplicated'] as const).filter((concern) => data[concern].edges.length > 0);
  const troubled = [...uncertified, ...endpoints, ...concerns];
  if (troubled.length === 0 && !isUnrouted && !open) return null;
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
        {uncertified.map((credential) => (
          <Subject key={credential.id} to="/credentials" about={certificateTrouble(credential) ?? ''}>
            {credential.name}
          </Subject>
        ))}
        {concerns.map((concern) => (
          <Subject
            key={concern}
            to={`/payments?concern=${concern}`}
            about={text[concern](countOf(data[concern]))}
          >
            {text.payments}
          </Subject>
        ))}
        {open && (
          <Subject
            to={bookPath(open.credentialId, open.date)}
            about={text.open(open.number, day(`${open.date}T12:00:00-03:00`))}
          >
            {text.books}
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
