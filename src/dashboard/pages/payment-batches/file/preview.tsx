import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useLocation } from 'wouter';
import type { Mode } from '../../../../core/base/mode.ts';
import type { CalendarDay } from '../../../../core/base/time/calendar-day.ts';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import { useServiceMutation } from '../../../base/use-service.ts';
import { createPaymentBatchDocument } from '../../../parts/instalments/documents.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { problemsOf } from './check-row.ts';
import type { Column } from './columns.ts';
import { paymentOf } from './payment-of-row.ts';
import type { Table } from './read-file.ts';
import { type CheckedRow, RowTable } from './row-table.tsx';

const messages = texts(
  {
    ready: (count: string, sum: string) => `${count} prontas para enviar, no total de ${sum}.`,
    wrong: (count: string) =>
      `Linhas com erro: ${count}. Corrija a planilha e escolha o arquivo de novo; nada foi enviado.`,
    ignored: (names: string) => `Colunas não usadas: ${names}`,
    send: (count: string) => `Criar ${count} cobranças`,
    sendOne: 'Criar 1 cobrança',
  },
  {
    ready: (count: string, sum: string) => `${count} ready to be sent, ${sum} in all.`,
    wrong: (count: string) =>
      `Rows with an error: ${count}. Correct the spreadsheet and choose the file again; nothing was sent.`,
    ignored: (names: string) => `Columns not used: ${names}`,
    send: (count: string) => `Create ${count} payments`,
    sendOne: 'Create 1 payment',
  },
);

const usedColumns = (rows: readonly CheckedRow[]): Set<Column> =>
  new Set(rows.flatMap(({ cells }) => Object.keys(cells) as Column[]));

interface PreviewProps {
  table: Table;
  mode: Mode;
  today: CalendarDay;
  /** Makes the same file, sent again, no second batch. */
  idempotencyKey: string;
}

/** Shows what becomes of each row before anything is sent. */
export default function Preview({ table, mode, today, idempotencyKey }: PreviewProps) {
  const text = useTexts(messages);
  const { count, money } = useFormats();
  const [, navigate] = useLocation();
  const create = useServiceMutation(createPaymentBatchDocument);
  const rows = table.rows.map((row): CheckedRow => {
    const payment = paymentOf(row.cells);
    return { ...row, payment, problems: problemsOf(payment, { mode, today }) };
  });
  const wrong = rows.filter(({ problems }) => problems.length > 0).length;
  const sum = rows.reduce((total, { payment }) => total + Number(payment.amount), 0);
  const send = () => {
    create.mutate(
      { input: { payments: rows.map(({ payment }) => payment) }, idempotencyKey },
      {
        onSuccess: ({ createPaymentBatch: { id } }) => {
          navigate(`/payments/batches/${id}`);
        },
      },
    );
  };
  return (
    <Stack>
      {table.ignored.length > 0 && <Text size="sm">{text.ignored(table.ignored.join(', '))}</Text>}
      <Alert color={wrong > 0 ? 'red' : 'teal'} variant="light">
        {wrong > 0 ? text.wrong(count(wrong)) : text.ready(count(rows.length), money(sum))}
      </Alert>
      <ErrorAlert error={create.error} />
      <Group>
        <Button disabled={wrong > 0} loading={create.isPending} onClick={send}>
          {rows.length === 1 ? text.sendOne : text.send(count(rows.length))}
        </Button>
      </Group>
      <RowTable rows={rows} used={usedColumns(rows)} />
    </Stack>
  );
}
