import { Alert, Anchor, Flex, Group, Text } from '@mantine/core';
import { Info, Plus } from 'lucide-react';
import { Link } from 'wouter';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { ClippedText, WideDash } from '../../ui/clipped-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useServiceMutation, useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import {
  createEndpointDocument,
  endpointsDocument,
  type Summary,
  summariesDocument,
} from './base/documents.ts';
import { shortUrl } from '../../../core/webhooks/rules/short-url.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { type Endpoint, EndpointState, useEventNames, useTrouble } from './base/endpoint-state.tsx';
import { Failures } from './base/failures.tsx';
import { isAccepted, useOutcomeText } from '../../parts/deliveries/outcome-text.ts';
import { WeekLink } from '../../ui/charts/week-link.tsx';
import { NewSecret } from './new-secret.tsx';

const messages = texts(
  {
    title: 'Webhooks',
    about: 'Notificações assinadas, enviadas ao seu servidor a cada evento de um pagamento.',
    caption: 'Endpoints de webhook',
    endpoint: 'Endpoint',
    events: 'Eventos',
    state: 'Status',
    accepted: 'Aceitas (24 h)',
    requests: 'Requisições dos últimos 7 dias',
    last: 'Última requisição',
    failures: 'Falhas',
    add: 'Adicionar endpoint',
    readOnly: 'Somente proprietários e desenvolvedores adicionam e editam endpoints.',
    none: 'Nenhum endpoint ainda',
    noneAbout:
      'Informe uma URL do seu servidor para receber um POST assinado quando um pagamento for confirmado, expirar, for cancelado ou estornado. Entregas com falha são repetidas por mais de três dias.',
  },
  {
    title: 'Webhooks',
    about: 'Signed notifications sent to your server for every payment event.',
    caption: 'Webhook endpoints',
    endpoint: 'Endpoint',
    events: 'Events',
    state: 'Status',
    accepted: 'Accepted (24 h)',
    requests: 'Requests of the last 7 days',
    last: 'Last request',
    failures: 'Failures',
    add: 'Add endpoint',
    readOnly: 'Only owners and developers add and edit endpoints.',
    none: 'No endpoints yet',
    noneAbout:
      'Enter a URL on your server to receive a signed POST when a payment is received, expires, is cancelled or is refunded. Failed deliveries are retried for more than three days.',
  },
);

const refetchIntervalMs = 15_000;

/** The URLs of most, without a path of somebody's cloud. */
const endpointWidth = 'min(22rem, 55vw)';

type Row = Endpoint & { summary: Summary | undefined };

function useColumns(): Column<Row>[] {
  const text = useTexts(messages);
  const formats = useFormats();
  const trouble = useTrouble();
  const eventNames = useEventNames();
  const outcomeText = useOutcomeText();
  return [
    {
      header: text.endpoint,
      narrow: 'title',
      cell: ({ id, name, url }) => (
        <>
          <Anchor component={Link} href={`/webhooks/${id}`} size="sm">
            <ClippedText maxWidth={endpointWidth}>{name ?? url}</ClippedText>
          </Anchor>
          {name !== null && (
            <Text size="xs" c="dimmed" fw={400} component="div">
              <ClippedText maxWidth={endpointWidth}>{shortUrl(url)}</ClippedText>
            </Text>
          )}
        </>
      ),
    },
    { header: text.events, cell: ({ events }) => eventNames(events) },
    {
      header: text.state,
      narrow: 'mark',
      cell: (endpoint) => (
        <>
          <EndpointState {...endpoint} />
          {trouble(endpoint) && (
            <Text size="xs" c="dimmed" visibleFrom="sm">
              {trouble(endpoint)}
            </Text>
          )}
        </>
      ),
    },
    {
      header: text.accepted,
      align: 'right',
      isWhole: true,
      narrow: 'aside',
      cell: ({ id, name, url, summary }) => (
        <Flex
          direction={{ base: 'column', sm: 'row' }}
          align={{ base: 'flex-end', sm: 'center' }}
          justify="flex-end"
          gap="xs"
        >
          <WeekLink
            days={summary?.days ?? []}
            name={`${text.requests}: ${name ?? shortUrl(url)}`}
            href={`/webhooks/${id}`}
          />
          {summary && summary.attempts > 0 ? (
            <div style={{ minWidth: '6ch' }}>
              <Text span size="sm" hiddenFrom="sm">{`${text.accepted}: `}</Text>
              {formats.share(summary.succeeded / summary.attempts)}
            </div>
          ) : (
            <WideDash />
          )}
        </Flex>
      ),
    },
    {
      header: text.last,
      narrow: 'note',
      cell: ({ summary }) =>
        summary?.lastAttempt ? (
          <Group gap="0 0.5rem">
            <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
              {formats.dateTime(summary.lastAttempt.startedAt)}
            </Text>
            <Text size="xs" c={isAccepted(summary.lastAttempt) ? 'dimmed' : 'var(--mantine-color-error)'}>
              {outcomeText(summary.lastAttempt)}
            </Text>
          </Group>
        ) : (
          <WideDash />
        ),
    },
    {
      header: text.failures,
      narrow: 'below',
      cell: ({ id, summary }) => <Failures endpointId={id} failures={summary?.failures ?? []} />,
    },
  ];
}

function AddEndpoint() {
  const text = useTexts(messages);
  const create = useServiceMutation(createEndpointDocument);
  return (
    <>
      <DialogButton
        label={text.add}
        variant="filled"
        leftSection={<Plus size={16} aria-hidden />}
        onOpen={create.reset}
      >
        {(close) => (
          <EndpointForm
            label={text.add}
            mutation={create}
            onCancel={close}
            onSubmit={(input) => {
              create.mutate({ input }, { onSuccess: close });
            }}
          />
        )}
      </DialogButton>
      <NewSecret secret={create.data?.createWebhookEndpoint.secret} onClose={create.reset} />
    </>
  );
}

export default function WebhooksPage() {
  const text = useTexts(messages);
  const columns = useColumns();
  const { may } = useWorkplace();
  const endpoints = useServiceQuery(endpointsDocument, {});
  const { data } = useServiceQuery(summariesDocument, {}, { refetchIntervalMs });
  const summaries = new Map(data?.webhookEndpointSummaries.map((each) => [each.endpointId, each]));
  const mayManage = may('webhooks:manage');
  return (
    <Page title={text.title} about={text.about} actions={mayManage && <AddEndpoint />}>
      {!mayManage && (
        <Alert color="gray" icon={<Info />}>
          {text.readOnly}
        </Alert>
      )}
      <QueryResult result={endpoints}>
        {({ webhookEndpoints }) => (
          <DataTable
            caption={text.caption}
            columns={columns}
            rows={webhookEndpoints.map((endpoint) => ({ ...endpoint, summary: summaries.get(endpoint.id) }))}
            keyOf={({ id }) => id}
            empty={<EmptyState title={text.none}>{text.noneAbout}</EmptyState>}
          />
        )}
      </QueryResult>
    </Page>
  );
}
