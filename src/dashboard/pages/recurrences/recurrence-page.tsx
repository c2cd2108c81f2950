import { Paper, Title } from '@mantine/core';
import { useParams } from 'wouter';
import { documentText } from '../../../core/payments/rules/document.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import {
  useLiveRefresh,
  useServiceMutation,
  useServicePages,
  useServiceQuery,
} from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { paymentsUpdatedDocument } from '../payments/documents.ts';
import { Copied, Fact, Facts } from '../../parts/facts.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { AwaitingApproval, ErrorAlert } from '../../ui/error-alert.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { DebitTable } from './debit-table.tsx';
import {
  cancelRecurrenceDocument,
  pendingRequestsDocument,
  recurrenceDebitsDocument,
  recurrenceDocument,
  recurrencesUpdatedDocument,
  type WholeRecurrence,
} from './documents.ts';
import { RecurrenceStatus } from './recurrence-status.tsx';
import { useRecurrenceTexts } from './use-recurrence-texts.ts';

const messages = texts(
  {
    title: 'Recorrência',
    back: 'Recorrências',
    cancel: 'Cancelar recorrência',
    aboutCancelling:
      'A autorização do pagador termina e os débitos agendados são cancelados. Isso não pode ser desfeito: para cobrar de novo, será preciso outra autorização.',
    awaiting: 'Cancelamento enviado para aprovação',
    details: 'Detalhes',
    debits: 'Débitos',
    caption: 'Débitos desta recorrência, do mais novo ao mais antigo',
    none: 'Nenhum débito ainda',
    noneAbout: 'Cada débito aparece aqui alguns dias antes da sua data.',
    id: 'ID',
    payer: 'Pagador',
    document: 'CPF ou CNPJ',
    amount: 'Valor',
    minimum: 'Limite mínimo do pagador',
    frequency: 'Frequência',
    start: 'Primeiro débito',
    end: 'Último dia',
    retries: 'Novas tentativas',
    retry: { none: 'Nenhuma', three_in_seven_days: 'Até três em sete dias' },
    next: 'Próximo débito',
    contract: 'Contrato',
    reference: 'Referência',
    page: 'Página de autorização',
    until: 'Autorizar até',
    since: 'Autorizada em',
    ended: 'Encerrada em',
    endedBy: 'Encerrada por',
    by: {
      payer: 'Pagador',
      payer_bank: 'Banco do pagador',
      receiver: 'Você',
      receiver_bank: 'Seu provedor',
    },
  },
  {
    title: 'Recurrence',
    back: 'Recurrences',
    cancel: 'Cancel recurrence',
    aboutCancelling:
      'The payer’s authorization ends, and scheduled debits are cancelled. This cannot be undone: to charge again, another authorization is needed.',
    awaiting: 'Cancellation sent for approval',
    details: 'Details',
    debits: 'Debits',
    caption: 'Debits of this recurrence, newest first',
    none: 'No debits yet',
    noneAbout: 'Each debit appears here a few days before its date.',
    id: 'ID',
    payer: 'Payer',
    document: 'CPF or CNPJ',
    amount: 'Amount',
    minimum: 'Least limit of the payer',
    frequency: 'Frequency',
    start: 'First debit',
    end: 'Last day',
    retries: 'Further attempts',
    retry: { none: 'None', three_in_seven_days: 'Up to three within seven days' },
    next: 'Next debit',
    contract: 'Contract',
    reference: 'Reference',
    page: 'Authorization page',
    until: 'Authorize by',
    since: 'Authorized',
    ended: 'Ended',
    endedBy: 'Ended by',
    by: {
      payer: 'Payer',
      payer_bank: 'Payer’s bank',
      receiver: 'You',
      receiver_bank: 'Your provider',
    },
  },
);

/** Live updates of recurrences may be lost. */
const refetchIntervalMs = 30_000;

const shown = [recurrenceDocument, recurrenceDebitsDocument];

function Cancel({ id }: { id: string }) {
  const text = useTexts(messages);
  const cancel = useServiceMutation(cancelRecurrenceDocument);
  return (
    <ConfirmButton
      label={text.cancel}
      color="red"
      mutation={cancel}
      onConfirm={(close) => {
        cancel.mutate({ id }, { onSuccess: close });
      }}
    >
      {text.aboutCancelling}
    </ConfirmButton>
  );
}

function AwaitedCancellation({ id }: { id: string }) {
  const text = useTexts(messages);
  const { data } = useServiceQuery(pendingRequestsDocument, {}, { refetchIntervalMs });
  const isAwaited = data?.approvalRequests.edges.some(
    ({ node: { action, subject } }) => action === 'recurrence.cancel' && subject === id,
  );
  return isAwaited && <AwaitingApproval title={text.awaiting} />;
}

function Terms({ recurrence }: { recurrence: WholeRecurrence }) {
  const text = useTexts(messages);
  const { calendarDay, dateTime, money } = useFormats();
  const { amountOf, frequencyOf } = useRecurrenceTexts();
  const { minimumAmount, endDate, nextDebitOn, externalId, checkoutUrl, activatedAt, endedAt, endedBy } =
    recurrence;
  return (
    <Facts>
      <Fact name={text.payer}>{recurrence.payerName}</Fact>
      <Fact name={text.document}>{documentText(recurrence.payerDocument)}</Fact>
      <Fact name={text.amount}>{amountOf(recurrence)}</Fact>
      {minimumAmount !== null && <Fact name={text.minimum}>{money(minimumAmount)}</Fact>}
      <Fact name={text.frequency}>{frequencyOf(recurrence)}</Fact>
      <Fact name={text.start}>{calendarDay(recurrence.startDate)}</Fact>
      {endDate !== null && <Fact name={text.end}>{calendarDay(endDate)}</Fact>}
      <Fact name={text.retries}>{text.retry[recurrence.retries]}</Fact>
      {nextDebitOn !== null && <Fact name={text.next}>{calendarDay(nextDebitOn)}</Fact>}
      <Fact name={text.contract}>{recurrence.contract}</Fact>
      {externalId !== null && <Fact name={text.reference}>{externalId}</Fact>}
      {checkoutUrl !== null && <Copied name={text.page} value={checkoutUrl} />}
      {checkoutUrl !== null && <Fact name={text.until}>{dateTime(recurrence.expiresAt)}</Fact>}
      {activatedAt !== null && <Fact name={text.since}>{dateTime(activatedAt)}</Fact>}
      {endedAt !== null && <Fact name={text.ended}>{dateTime(endedAt)}</Fact>}
      {endedBy !== null && <Fact name={text.endedBy}>{text.by[endedBy]}</Fact>}
      <Copied name={text.id} value={recurrence.id} />
    </Facts>
  );
}

const noDebits = { edges: [], pageInfo: { hasNextPage: false, endCursor: null } };

function Debits({ id }: { id: string }) {
  const text = useTexts(messages);
  const pages = useServicePages(
    recurrenceDebitsDocument,
    { id },
    ({ recurrence }) => recurrence?.payments ?? noDebits,
  );
  return (
    <QueryResult result={pages}>
      {(debits) => (
        <DebitTable
          caption={text.caption}
          debits={debits}
          empty={<EmptyState title={text.none}>{text.noneAbout}</EmptyState>}
          pages={pages}
        />
      )}
    </QueryResult>
  );
}

function RecurrenceView({ recurrence }: { recurrence: WholeRecurrence }) {
  const text = useTexts(messages);
  const { may, mode } = useWorkplace();
  const { id, status, description } = recurrence;
  const isOpen = status === 'pending' || status === 'active';
  return (
    <Page
      title={description ?? text.title}
      mark={<RecurrenceStatus status={status} />}
      back={{ to: '/recurrences', label: text.back }}
      actions={isOpen && may('payments:cancel') && <Cancel id={id} />}
    >
      {isOpen && mode === 'live' && <AwaitedCancellation id={id} />}
      <Paper withBorder p="lg">
        <Title order={2} size="h4" mb="sm">
          {text.details}
        </Title>
        <Terms recurrence={recurrence} />
      </Paper>
      <Section title={text.debits}>
        <Debits id={id} />
      </Section>
    </Page>
  );
}

export default function RecurrencePage() {
  const text = useTexts(messages);
  const { id } = useParams<{ id: string }>();
  const { data, error } = useServiceQuery(recurrenceDocument, { id }, { refetchIntervalMs });
  useLiveRefresh(recurrencesUpdatedDocument, {}, { of: shown });
  // Those of other payments come too.
  useLiveRefresh(paymentsUpdatedDocument, {}, { of: shown, throttleMs: 5_000 });
  if (data?.recurrence) return <RecurrenceView recurrence={data.recurrence} />;
  return (
    <Page title={text.title} back={{ to: '/recurrences', label: text.back }}>
      {error ? <ErrorAlert error={error} /> : <Loading />}
    </Page>
  );
}
