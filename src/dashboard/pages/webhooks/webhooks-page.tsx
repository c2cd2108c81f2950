import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Info, Plus } from 'lucide-react';
import { Link } from 'wouter';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { TypedText } from '../../ui/clipped-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useServiceMutation, useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { createEndpointDocument, endpointsDocument } from './documents.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { type Endpoint, EndpointState, useEventNames, useTrouble } from './endpoint-state.tsx';
import { NewSecret } from './new-secret.tsx';

const messages = texts(
  {
    title: 'Webhooks',
    about: 'Notificações assinadas, enviadas ao seu servidor a cada evento de um pagamento.',
    caption: 'Endpoints de webhook',
    url: 'URL',
    events: 'Eventos',
    state: 'Status',
    created: 'Criado em',
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
    url: 'URL',
    events: 'Events',
    state: 'Status',
    created: 'Created',
    add: 'Add endpoint',
    readOnly: 'Only owners and developers add and edit endpoints.',
    none: 'No endpoints yet',
    noneAbout:
      'Enter a URL on your server to receive a signed POST when a payment is received, expires, is cancelled or is refunded. Failed deliveries are retried for more than three days.',
  },
);

function useColumns(): Column<Endpoint>[] {
  const text = useTexts(messages);
  const formats = useFormats();
  const trouble = useTrouble();
  const eventNames = useEventNames();
  return [
    {
      header: text.url,
      cell: ({ id, url }) => (
        <Anchor component={Link} href={`/webhooks/${id}`} size="sm">
          <TypedText>{url}</TypedText>
        </Anchor>
      ),
    },
    { header: text.events, cell: ({ events }) => eventNames(events) },
    {
      header: text.state,
      cell: (endpoint) => (
        <Stack gap={2}>
          <EndpointState {...endpoint} />
          {trouble(endpoint) && (
            <Text size="xs" c="dimmed">
              {trouble(endpoint)}
            </Text>
          )}
        </Stack>
      ),
    },
    { header: text.created, isWhole: true, cell: ({ createdAt }) => formats.date(createdAt) },
  ];
}

function AddEndpoint() {
  const text = useTexts(messages);
  const [isOpen, { open, close }] = useDisclosure(false);
  const create = useServiceMutation(createEndpointDocument);
  return (
    <>
      <Button
        leftSection={<Plus size={16} aria-hidden />}
        onClick={() => {
          create.reset();
          open();
        }}
      >
        {text.add}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={text.add}>
        <EndpointForm
          label={text.add}
          mutation={create}
          onCancel={close}
          onSubmit={(input) => {
            create.mutate({ input }, { onSuccess: close });
          }}
        />
      </Dialog>
      <NewSecret secret={create.data?.createWebhookEndpoint.secret} onClose={create.reset} />
    </>
  );
}

export default function WebhooksPage() {
  const text = useTexts(messages);
  const columns = useColumns();
  const { may } = useWorkplace();
  const endpoints = useServiceQuery(endpointsDocument, {});
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
            rows={webhookEndpoints}
            keyOf={({ id }) => id}
            empty={<EmptyState title={text.none}>{text.noneAbout}</EmptyState>}
          />
        )}
      </QueryResult>
    </Page>
  );
}
