import { Anchor, Button, Checkbox, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import type { Problem } from '../../../core/base/problems/rules.ts';
import { ServiceError } from '../../api/service-error.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import {
  type Batch,
  type BatchItem,
  paymentBatchDocument,
  whileProcessing,
} from '../../parts/instalments/documents.ts';
import { InstalmentStrip } from '../../parts/instalments/instalment-strip.tsx';
import { PaymentStatus } from '../../parts/payment-status.tsx';
import { WideDash } from '../../ui/clipped-text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert, useErrorMessage } from '../../ui/error-alert.tsx';
import { Loading } from '../../ui/loading.tsx';
import { BorderedSection, Page } from '../../ui/page.tsx';
import { ProblemLines } from '../../ui/problems/problem-lines.tsx';

const messages = texts(
  {
    batch: 'Lote de cobranças',
    carne: (count: string) => `Carnê de ${count} parcelas`,
    payments: 'Pagamentos',
    another: 'Criar outro lote',
    createdAt: (instant: string) => `Criado em ${instant}.`,
    progress: (done: string, count: string) => `${done} de ${count} processadas.`,
    leave: 'Você pode sair desta página: o serviço continua sozinho.',
    done: (created: string, count: string) => `${created} de ${count} cobranças criadas.`,
    failed: (count: string) => `Não criadas: ${count}.`,
    strip: 'Parcelas',
    caption: 'Cobranças do lote',
    number: 'Nº',
    state: 'Situação',
    due: 'Vencimento',
    amount: 'Valor',
    payment: 'Pagamento',
    open: (number: string) => `Ver cobrança ${number}`,
    waiting: 'Na fila',
    onlyFailed: 'Mostrar só as não criadas',
    notFound: 'Lote não encontrado',
    notFoundAbout: 'Um lote é guardado por 30 dias, e um carnê enquanto existirem as cobranças dele.',
    toPayments: 'Ver pagamentos',
  },
  {
    batch: 'Batch of payments',
    carne: (count: string) => `${count} instalments`,
    payments: 'Payments',
    another: 'Create another batch',
    createdAt: (instant: string) => `Created ${instant}.`,
    progress: (done: string, count: string) => `${done} of ${count} processed.`,
    leave: 'You can leave this page: the service goes on by itself.',
    done: (created: string, count: string) => `${created} of ${count} payments created.`,
    failed: (count: string) => `Not created: ${count}.`,
    strip: 'Instalments',
    caption: 'Payments of the batch',
    number: 'No.',
    state: 'State',
    due: 'Due date',
    amount: 'Amount',
    payment: 'Payment',
    open: (number: string) => `View payment ${number}`,
    waiting: 'Waiting',
    onlyFailed: 'Show only those not created',
    notFound: 'Batch not found',
    notFoundAbout: 'A batch is kept for 30 days, and instalments as long as their payments exist.',
    toPayments: 'View payments',
  },
);

const red = 'var(--mantine-color-error)';

/** What the code alone does not say, and no problem either, is told in the words of the service or the provider. */
const saidByMessage: readonly string[] = ['invalid_request', 'provider_refused', 'provider_refused_payer'];

function Failure({ item: { code, message, problems } }: { item: BatchItem }) {
  const messageOf = useErrorMessage();
  const reason = code ?? '';
  const isSaid = Boolean(problems?.length) && reason === 'invalid_request';
  return (
    <div>
      {!isSaid && (
        <Text size="sm" c={red}>
          {messageOf(new ServiceError({ reason }))}
        </Text>
      )}
      {problems?.length ? (
        <ProblemLines problems={problems as Problem[]} color={isSaid ? red : 'dimmed'} />
      ) : (
        saidByMessage.includes(reason) && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {message}
          </Text>
        )
      )}
    </div>
  );
}

function ItemState({ item }: { item: BatchItem }) {
  const text = useTexts(messages);
  if (item.state === 'failed') return <Failure item={item} />;
  if (item.paymentStatus === null) return text.waiting;
  return <PaymentStatus status={item.paymentStatus} overdue={item.overdue} />;
}

function Items({ items }: Pick<Batch, 'items'>) {
  const text = useTexts(messages);
  const { count, money, calendarDay } = useFormats();
  const [isOnlyFailed, setIsOnlyFailed] = useState(false);
  const failed = items.filter(({ state }) => state === 'failed');
  return (
    <Stack gap="sm">
      {failed.length > 0 && (
        <Checkbox
          label={text.onlyFailed}
          checked={isOnlyFailed}
          onChange={({ currentTarget }) => {
            setIsOnlyFailed(currentTarget.checked);
          }}
        />
      )}
      <DataTable
        caption={text.caption}
        rows={isOnlyFailed ? failed : items}
        keyOf={({ position }) => String(position)}
        empty={null}
        columns={[
          { header: text.number, narrow: 'title', cell: ({ position }) => count(position + 1) },
          { header: text.state, narrow: 'note', cell: (item) => <ItemState item={item} /> },
          {
            header: text.due,
            narrow: 'aside',
            isWhole: true,
            cell: ({ dueDate }) => (dueDate === null ? <WideDash /> : calendarDay(dueDate)),
          },
          {
            header: text.amount,
            narrow: 'mark',
            align: 'right',
            cell: ({ amount }) => (amount === null ? <WideDash /> : money(amount)),
          },
          {
            header: text.payment,
            narrow: 'end',
            cell: ({ paymentId, position }) =>
              paymentId === null ? (
                <WideDash />
              ) : (
                <Anchor component={Link} href={`/payments/${paymentId}`} size="sm">
                  {text.open(count(position + 1))}
                </Anchor>
              ),
          },
        ]}
      />
    </Stack>
  );
}

function Outcome({ batch }: { batch: Batch }) {
  const text = useTexts(messages);
  const { count } = useFormats();
  const done = batch.created + batch.failed;
  const isProcessing = batch.state === 'processing';
  const progress = text.progress(count(done), count(batch.count));
  return (
    <Stack gap="xs">
      {isProcessing && <Progress value={(100 * done) / batch.count} aria-label={progress} />}
      <Text component="output">
        {isProcessing ? progress : text.done(count(batch.created), count(batch.count))}{' '}
        {batch.failed > 0 && text.failed(count(batch.failed))}
      </Text>
      {isProcessing && (
        <Text size="sm" c="dimmed">
          {text.leave}
        </Text>
      )}
    </Stack>
  );
}

function BatchView({ batch }: { batch: Batch }) {
  const text = useTexts(messages);
  return (
    <>
      <Outcome batch={batch} />
      {batch.every !== null && (
        <BorderedSection title={text.strip}>
          <InstalmentStrip items={batch.items} />
        </BorderedSection>
      )}
      <Items items={batch.items} />
    </>
  );
}

/** Follows a batch until every payment has its outcome. */
export default function BatchPage() {
  const text = useTexts(messages);
  const { count, dateTime } = useFormats();
  const { id } = useParams<{ id: string }>();
  const { data, error, refetch } = useServiceQuery(
    paymentBatchDocument,
    { id },
    { refetchIntervalMs: whileProcessing },
  );
  const batch = data?.paymentBatch;
  const isMissing = error instanceof ServiceError && error.code === 'NOT_FOUND';
  return (
    <Page
      title={batch?.every ? text.carne(count(batch.count)) : text.batch}
      about={batch && text.createdAt(dateTime(batch.createdAt))}
      back={{ to: '/payments', label: text.payments }}
      actions={
        <Button component={Link} href="/payments/batches/new" variant="default">
          {text.another}
        </Button>
      }
    >
      {isMissing ? (
        <Paper withBorder>
          <EmptyState
            title={text.notFound}
            action={
              <Group>
                <Button component={Link} href="/payments">
                  {text.toPayments}
                </Button>
              </Group>
            }
          >
            {text.notFoundAbout}
          </EmptyState>
        </Paper>
      ) : (
        <ErrorAlert error={error} retry={() => void refetch()} />
      )}
      {batch ? <BatchView batch={batch} /> : !error && <Loading />}
    </Page>
  );
}
