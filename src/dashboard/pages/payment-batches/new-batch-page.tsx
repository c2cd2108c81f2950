import { Alert, Button, FileInput, Paper, Stack, Text } from '@mantine/core';
import { Download, FileSpreadsheet } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { brasiliaDay } from '../../../core/base/time/brasilia.ts';
import { maximumPayments } from '../../../core/batches/rules/instalments.ts';
import { brasiliaToday } from '../../base/brasilia-today.ts';
import { texts, useFormats, useLanguage, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { testClockDocument } from './documents.ts';
import { CarneButton } from './carne-button.tsx';
import { ColumnHelp } from './file/column-help.tsx';
import { columnTexts } from './file/columns.ts';
import { type FileProblem, readTable, type Table } from './file/read-file.ts';
import { sampleFile } from './file/sample.ts';

// The rules by which rows are checked are a tenth of the page: they come with the first file.
const Preview = lazy(() => import('./file/preview.tsx'));

const messages = texts(
  {
    title: 'Cobranças em lote',
    about: (count: string) =>
      `Crie até ${count} cobranças com vencimento de uma vez, a partir de uma planilha. Nada é enviado antes de você conferir.`,
    payments: 'Pagamentos',
    file: 'Arquivo CSV',
    choose: 'Escolher arquivo',
    sample: 'Baixar arquivo de exemplo',
    forbidden: 'Sua função não permite criar cobranças.',
    problems: {
      empty: 'O arquivo não tem linhas.',
      unreadable: 'O arquivo não pode ser lido: há aspas que não fecham.',
      too_long: `O arquivo tem linhas demais. O máximo é 1.000.`,
      missing: 'Faltam colunas: ',
      repeated: 'Há colunas repetidas: ',
      shifted:
        'Há linhas com mais células do que colunas. Valores com vírgula precisam de aspas em um arquivo separado por vírgulas. Primeira linha: ',
    },
    unread: 'Este arquivo não pode ser usado',
  },
  {
    title: 'Batch of payments',
    about: (count: string) =>
      `Create up to ${count} payments with a due date at once, from a spreadsheet. Nothing is sent before you have checked it.`,
    payments: 'Payments',
    file: 'CSV file',
    choose: 'Choose a file',
    sample: 'Download a sample file',
    forbidden: 'Your role does not allow you to create payments.',
    problems: {
      empty: 'The file has no rows.',
      unreadable: 'The file cannot be read: a quote is not closed.',
      too_long: 'The file has too many rows. The maximum is 1,000.',
      missing: 'Missing columns: ',
      repeated: 'Repeated columns: ',
      shifted:
        'Rows have more cells than there are columns. An amount with a comma needs quotes in a file separated by commas. First such row: ',
    },
    unread: 'This file cannot be used',
  },
);

function FileProblemAlert({ problem }: { problem: FileProblem }) {
  const text = useTexts(messages);
  const names = useTexts(columnTexts);
  const { count } = useFormats();
  const columns = 'columns' in problem ? problem.columns.map((column) => names[column]).join(', ') : '';
  const where = problem.kind === 'shifted' ? count(problem.row) : columns;
  return (
    <Alert color="red" variant="light" title={text.unread} role="alert">
      {text.problems[problem.kind]}
      {where && `${where}.`}
    </Alert>
  );
}

/** The day by which the service goes: the clock of test mode may have been moved. */
function useToday() {
  const { mode, may } = useWorkplace();
  const { data, error } = useServiceQuery(
    testClockDocument,
    {},
    { enabled: mode === 'test' && may('payments:simulate') },
  );
  const isKnown = mode === 'live' || data !== undefined || error !== null;
  if (!isKnown) return undefined;
  return data ? brasiliaDay(new Date(data.testClock.now)) : brasiliaToday();
}

interface Chosen {
  table: Table;
  idempotencyKey: string;
}

function FileStep() {
  const text = useTexts(messages);
  const { language } = useLanguage();
  const { mode } = useWorkplace();
  const today = useToday();
  const [chosen, setChosen] = useState<Chosen>();
  const choose = async (file: File | null) => {
    setChosen(file ? { table: await readTable(file), idempotencyKey: crypto.randomUUID() } : undefined);
  };
  return (
    <>
      <Paper withBorder p="lg">
        <Stack align="flex-start">
          <ColumnHelp />
          <FileInput
            label={text.file}
            placeholder={text.choose}
            accept=".csv,text/csv,text/plain"
            leftSection={<FileSpreadsheet size={16} aria-hidden />}
            w="100%"
            maw={420}
            disabled={!today}
            onChange={(file) => void choose(file)}
          />
          <Button
            component="a"
            variant="default"
            size="xs"
            download="pix.csv"
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(sampleFile(language))}`}
            leftSection={<Download size={14} aria-hidden />}
          >
            {text.sample}
          </Button>
        </Stack>
      </Paper>
      {chosen?.table.problem && <FileProblemAlert problem={chosen.table.problem} />}
      {chosen && today && chosen.table.rows.length > 0 && (
        <Suspense fallback={<Loading />}>
          <Preview key={chosen.idempotencyKey} {...chosen} mode={mode} today={today} />
        </Suspense>
      )}
    </>
  );
}

/** Makes payments of a file, once a person has seen what becomes of each of its rows. */
export default function NewBatchPage() {
  const text = useTexts(messages);
  const { count } = useFormats();
  const { may } = useWorkplace();
  return (
    <Page
      title={text.title}
      about={text.about(count(maximumPayments))}
      back={{ to: '/payments', label: text.payments }}
      actions={may('payment-batches:create') && <CarneButton />}
    >
      {may('payment-batches:create') ? <FileStep /> : <Text>{text.forbidden}</Text>}
    </Page>
  );
}
