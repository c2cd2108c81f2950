import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { graphql, type ResultOf } from '../../api/graphql.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { CopyButton } from '../../ui/copying/copy-button.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { curlOf } from './curl.ts';
import { HttpMessage } from './http-message.tsx';

const messages = texts(
  {
    show: 'Ver requisição',
    hide: 'Ocultar requisição',
    request: 'Requisição',
    about:
      'Como seria enviada agora. A assinatura vale por alguns minutos e só aparece para quem gerencia webhooks.',
    copy: 'Copiar como cURL',
  },
  {
    show: 'Show request',
    hide: 'Hide request',
    request: 'Request',
    about:
      'As it would be sent now. The signature is valid for some minutes, and only shown to those who manage webhooks.',
    copy: 'Copy as cURL',
  },
);

const requestDocument = graphql(`
  query WebhookRequest($deliveryId: ID!) {
    webhookRequest(deliveryId: $deliveryId) {
      method
      url
      headers {
        name
        value
      }
      body
    }
  }
`);

type Request = NonNullable<ResultOf<typeof requestDocument>['webhookRequest']>;

function ShownRequest({ request }: { request: Request }) {
  const text = useTexts(messages);
  const { method, url, headers, body } = request;
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs" align="flex-start">
        <Text size="sm" flex="1 1 240px" style={{ overflowWrap: 'anywhere' }}>
          {method} {url}
        </Text>
        <CopyButton value={curlOf(request)} label={text.copy} />
      </Group>
      <HttpMessage label={text.request} headers={headers} body={body} />
      <Text size="xs" c="dimmed">
        {text.about}
      </Text>
    </Stack>
  );
}

function LoadedRequest({ deliveryId }: { deliveryId: string }) {
  const result = useServiceQuery(requestDocument, { deliveryId });
  return (
    <QueryResult result={result}>
      {({ webhookRequest }) => webhookRequest && <ShownRequest request={webhookRequest} />}
    </QueryResult>
  );
}

/** Reads what is sent for a delivery only when somebody wants to see it: that is recorded. */
export function DeliveryRequest({ deliveryId }: { deliveryId: string }) {
  const text = useTexts(messages);
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <Stack gap="xs" align="stretch">
      <Button variant="default" size="compact-xs" w="fit-content" aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? text.hide : text.show}
      </Button>
      {isOpen && <LoadedRequest deliveryId={deliveryId} />}
    </Stack>
  );
}
