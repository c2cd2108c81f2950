import { Alert, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { Copyable } from '../../ui/copying/copy-button.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Loading } from '../../ui/loading.tsx';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { Deliveries } from './deliveries/deliveries.tsx';
import { endpointDocument } from './base/documents.ts';
import { EndpointActions } from './endpoint-actions.tsx';
import { type Endpoint, EndpointState, useEventNames, useTrouble } from './base/endpoint-state.tsx';
import { Health } from './health.tsx';
import { ResendSince } from './resend-since.tsx';
import { ResendUndelivered } from './resend-undelivered.tsx';

const messages = texts(
  {
    title: 'Endpoint de webhook',
    back: 'Webhooks',
    events: 'Eventos',
    state: 'Status',
    created: 'Criado em',
    deliveries: 'Entregas',
  },
  {
    title: 'Webhook endpoint',
    back: 'Webhooks',
    events: 'Events',
    state: 'Status',
    created: 'Created',
    deliveries: 'Deliveries',
  },
);

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <Stack gap={2} component="div">
    <Text size="xs" c="dimmed">
      {label}
    </Text>
    <Text size="sm" component="div">
      {children}
    </Text>
  </Stack>
);

function Summary({ endpoint }: { endpoint: Endpoint }) {
  const text = useTexts(messages);
  const formats = useFormats();
  const eventNames = useEventNames();
  const trouble = useTrouble()(endpoint);
  return (
    <Paper withBorder p="md">
      <Stack>
        <Copyable value={endpoint.url} label="URL" />
        {trouble && (
          <Alert color="red" icon={<TriangleAlert aria-hidden />}>
            <Text size="sm">{trouble}</Text>
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <Fact label={text.state}>
            <EndpointState {...endpoint} />
          </Fact>
          <Fact label={text.events}>{eventNames(endpoint.events)}</Fact>
          <Fact label={text.created}>{formats.dateTime(endpoint.createdAt)}</Fact>
        </SimpleGrid>
      </Stack>
    </Paper>
  );
}

export default function WebhookPage() {
  const text = useTexts(messages);
  const { id } = useParams<{ id: string }>();
  const { may } = useWorkplace();
  const { data, error } = useServiceQuery(endpointDocument, { id }, { refetchIntervalMs: 3_000 });
  const endpoint = data?.webhookEndpoint;
  return (
    <Page
      title={endpoint ? (endpoint.name ?? new URL(endpoint.url).host) : text.title}
      back={{ to: '/webhooks', label: text.back }}
      actions={endpoint && may('webhooks:manage') && <EndpointActions endpoint={endpoint} />}
    >
      {endpoint ? (
        <>
          <Summary endpoint={endpoint} />
          <Health id={endpoint.id} />
          <Section
            title={text.deliveries}
            aside={
              may('webhooks:resend') && (
                <Group gap="xs">
                  <ResendUndelivered endpointId={endpoint.id} />
                  <ResendSince endpoint={endpoint} />
                </Group>
              )
            }
          >
            <Deliveries endpoint={endpoint} />
          </Section>
        </>
      ) : error ? (
        <ErrorAlert error={error} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}
