import { Anchor, Badge, Code, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { texts, useDocs, useFormats, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { CopyButton } from '../../ui/copying/copy-button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { type KeptRequest, keptRequestsDocument } from './documents.ts';

const messages = texts(
  {
    title: 'Requisições',
    about: 'O que as suas chaves pediram nos últimos sete dias, e por que o serviço recusou.',
    caption: 'Requisições, da mais nova à mais antiga',
    which: 'Quais requisições',
    all: 'Todas',
    refused: 'Recusadas',
    key: 'Chave de API',
    everyKey: 'Todas as chaves',
    at: 'Quando',
    request: 'Requisição',
    result: 'Resultado',
    why: 'Por quê',
    duration: 'Duração',
    aborted: 'o cliente não esperou',
    sent: 'com Idempotency-Key',
    replayed: 'resposta repetida (Idempotency-Key)',
    gone: 'chave removida',
    none: 'Nenhuma requisição nos últimos sete dias',
    noneRefused: 'Nenhuma requisição recusada nos últimos sete dias',
  },
  {
    title: 'Requests',
    about: 'What your keys asked for in the last seven days, and why the service refused it.',
    caption: 'Requests, newest first',
    which: 'Which requests',
    all: 'All',
    refused: 'Refused',
    key: 'API key',
    everyKey: 'All keys',
    at: 'When',
    request: 'Request',
    result: 'Result',
    why: 'Why',
    duration: 'Duration',
    aborted: 'the client did not wait',
    sent: 'with Idempotency-Key',
    replayed: 'response repeated (Idempotency-Key)',
    gone: 'removed key',
    none: 'No requests in the last seven days',
    noneRefused: 'No refused requests in the last seven days',
  },
);

const pollIntervalMs = 2_000;

const paymentOf = (path: string): string | undefined =>
  /^\/v1\/(?:sandbox\/)?payments\/([\da-f-]{36})\b/.exec(path)?.[1];

/** Begins and ends as it does, and leaves its line whole. */
const withShortIds = (path: string): string =>
  path.replaceAll(/([\da-f]{8})-[\da-f-]{19}([\da-f]{8})/g, '$1…$2');

/** What GraphQL was asked for says more than its path. */
function Asked({ request: { method, path, operation } }: { request: KeptRequest }) {
  const payment = paymentOf(path);
  const asked = operation
    ? `${operation.type} { ${operation.fields.join(' ')} }`
    : `${method} ${withShortIds(path)}`;
  return (
    <Code title={path} style={{ overflowWrap: 'anywhere' }}>
      {payment ? (
        <Anchor component={Link} href={`/payments/${payment}`} inherit>
          {asked}
        </Anchor>
      ) : (
        asked
      )}
    </Code>
  );
}

function Why({ request: { errors, isAborted, idempotencyKey } }: { request: KeptRequest }) {
  const docs = useDocs();
  const text = useTexts(messages);
  const notes = [isAborted && text.aborted, idempotencyKey && text[idempotencyKey as 'sent' | 'replayed']];
  return (
    <Stack gap={2}>
      {errors?.map(({ code, fields }, index) => (
        <Group key={index} gap={6}>
          <Anchor href={`${docs}/errors#:~:text=${code}`} target="_blank" size="sm">
            {code}
          </Anchor>
          {fields.map((field) => (
            <Code key={field}>{field}</Code>
          ))}
        </Group>
      ))}
      {notes
        .filter((note) => typeof note === 'string')
        .map((note) => (
          <Text key={note} size="xs" c="dimmed">
            {note}
          </Text>
        ))}
    </Stack>
  );
}

function useColumns(nameOf: (keyId: string) => string): Column<KeptRequest>[] {
  const text = useTexts(messages);
  const { exactTime, count } = useFormats();
  return [
    { header: text.at, isWhole: true, narrow: 'note', cell: ({ at }) => exactTime(at) },
    { header: text.request, narrow: 'title', cell: (request) => <Asked request={request} /> },
    {
      header: text.result,
      narrow: 'mark',
      cell: ({ status, errors }) => (
        <Badge variant="light" color={errors ? 'red' : 'teal'}>
          {status}
        </Badge>
      ),
    },
    { header: text.why, narrow: 'below', cell: (request) => <Why request={request} /> },
    { header: text.key, narrow: 'aside', isWhole: true, cell: ({ keyId }) => nameOf(keyId) },
    {
      header: text.duration,
      align: 'right',
      isWhole: true,
      cell: ({ durationMs }) => `${count(durationMs)} ms`,
    },
    { header: '', cell: ({ traceId }) => <CopyButton value={traceId} label="X-Trace-Id" /> },
  ];
}

export default function RequestsPage() {
  const text = useTexts(messages);
  const [parameters, setParameters] = useSearchParams();
  const keyId = parameters.get('key');
  const onlyRefused = parameters.get('which') === 'refused';
  const result = useServiceQuery(
    keptRequestsDocument,
    { keyId, onlyRefused },
    { refetchIntervalMs: pollIntervalMs, keepPrevious: () => true },
  );
  const keys = result.data?.apiKeys ?? [];
  const columns = useColumns((id) => keys.find((key) => key.id === id)?.name ?? text.gone);
  const choose = (name: string, value: string | null): void => {
    setParameters(
      (before) => {
        const { [name]: _before, ...rest } = Object.fromEntries(before);
        return value === null ? rest : { ...rest, [name]: value };
      },
      { replace: true },
    );
  };
  return (
    <Page title={text.title} about={text.about}>
      <Group>
        <SegmentedControl
          aria-label={text.which}
          value={onlyRefused ? 'refused' : 'all'}
          data={[
            { value: 'all', label: text.all },
            { value: 'refused', label: text.refused },
          ]}
          onChange={(which) => {
            choose('which', which === 'refused' ? which : null);
          }}
        />
        <Select
          aria-label={text.key}
          placeholder={text.everyKey}
          clearable
          value={keyId}
          data={keys.map(({ id, name, hint }) => ({ value: id, label: `${name} (${hint})` }))}
          onChange={(chosen) => {
            choose('key', chosen);
          }}
        />
      </Group>
      <QueryResult result={result}>
        {({ keptRequests }) => (
          <DataTable
            caption={text.caption}
            columns={columns}
            rows={keptRequests}
            keyOf={({ traceId, at }) => traceId + at}
            empty={<EmptyState title={onlyRefused ? text.noneRefused : text.none} />}
          />
        )}
      </QueryResult>
    </Page>
  );
}
