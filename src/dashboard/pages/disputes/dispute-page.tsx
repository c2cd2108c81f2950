import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { documentText } from '../../../core/payments/rules/document.ts';
import { texts, useFormats, useLanguage, useTexts } from '../../base/language.tsx';
import {
  useLiveRefresh,
  useServiceMutation,
  useServiceQuery,
  useServiceRead,
} from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { Copied, Fact, Facts } from '../../parts/facts.tsx';
import { useProviderName } from '../../parts/use-provider-name.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Loading } from '../../ui/loading.tsx';
import { BorderedSection, Page } from '../../ui/page.tsx';
import { paymentsUpdatedDocument } from '../payments/documents.ts';
import { Defence } from './defence.tsx';
import { DisputeState } from './dispute-state.tsx';
import {
  acceptDisputeDocument,
  type Dispute,
  disputeDocument,
  disputeFileDocument,
  evidenceDocument,
} from './documents.ts';
import { saveFile } from './save-file.ts';

const messages = texts(
  {
    title: 'Contestação',
    back: 'Contestações',
    accept: 'Aceitar contestação',
    aboutAccepting: 'O valor volta ao pagador. Isso não pode ser desfeito.',
    evidence: 'Baixar dossiê',
    panel: 'O provedor só aceita respostas no painel dele.',
    openPanel: 'Abrir o painel do provedor',
    refused: (at: string) => `O provedor recusou a resposta em ${at}. Corrija e envie outra.`,
    sending: 'O provedor ainda não confirmou a resposta. Ela é enviada de novo até chegar.',
    claim: 'A contestação',
    answer: 'A resposta',
    answers: { defence: 'Defesa', acceptance: 'Contestação aceita' },
    answered: 'Respondida em',
    statement: 'Defesa enviada',
    documents: 'Documentos',
    amount: 'Valor contestado',
    until: 'Prazo de defesa',
    opened: 'Aberta em',
    closed: 'Encerrada em',
    reason: 'Motivo no provedor',
    provider: 'Provedor',
    payment: 'Pagamento',
    payer: 'Pagador',
    document: 'CPF ou CNPJ',
    reference: 'Referência',
    paid: 'Pago em',
    id: 'ID',
  },
  {
    title: 'Dispute',
    back: 'Disputes',
    accept: 'Accept dispute',
    aboutAccepting: 'The money goes back to the payer. This cannot be undone.',
    evidence: 'Download evidence',
    panel: 'The provider takes answers in its panel only.',
    openPanel: 'Open the provider’s panel',
    refused: (at: string) => `The provider refused the answer on ${at}. Mend it and send another.`,
    sending: 'The provider has not confirmed the answer yet. It is sent again until it arrives.',
    claim: 'The claim',
    answer: 'The answer',
    answers: { defence: 'Defence', acceptance: 'Dispute accepted' },
    answered: 'Answered',
    statement: 'Defence sent',
    documents: 'Documents',
    amount: 'Claimed amount',
    until: 'Deadline',
    opened: 'Opened',
    closed: 'Closed',
    reason: 'The provider’s reason',
    provider: 'Provider',
    payment: 'Payment',
    payer: 'Payer',
    document: 'CPF or CNPJ',
    reference: 'Reference',
    paid: 'Paid',
    id: 'ID',
  },
);

const refetchIntervalMs = 30_000;

function Accept({ id }: { id: string }) {
  const text = useTexts(messages);
  const accept = useServiceMutation(acceptDisputeDocument);
  return (
    <ConfirmButton
      label={text.accept}
      color="red"
      mutation={accept}
      onConfirm={(close) => {
        accept.mutate({ id }, { onSuccess: close });
      }}
    >
      {text.aboutAccepting}
    </ConfirmButton>
  );
}

function Evidence({ id }: { id: string }) {
  const text = useTexts(messages);
  const { language } = useLanguage();
  const read = useServiceRead(evidenceDocument);
  const save = useMutation({
    mutationFn: async () => {
      saveFile(`dispute-${id}.pdf`, (await read({ id, language })).disputeEvidence);
    },
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={save.isPending}
        onClick={() => {
          save.mutate();
        }}
      >
        {text.evidence}
      </Button>
      <ErrorAlert error={save.error} />
    </>
  );
}

function Document({ disputeId, document }: { disputeId: string; document: Dispute['documents'][number] }) {
  const { id, name, mediaType } = document;
  const read = useServiceRead(disputeFileDocument);
  const ending = mediaType.split('/')[1] ?? 'bin';
  const save = useMutation({
    mutationFn: async () => {
      const { disputeDocument: opened } = await read({ id: disputeId, documentId: id });
      saveFile(`document-${id}.${ending}`, opened.content);
    },
  });
  return (
    <li>
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={() => {
          save.mutate();
        }}
      >
        {name}
      </Anchor>
      <ErrorAlert error={save.error} />
    </li>
  );
}

function Claim({ dispute }: { dispute: Dispute }) {
  const text = useTexts(messages);
  const { dateTime, money } = useFormats();
  const providerName = useProviderName();
  const { payment, reason, defenceUntil, openedAt, createdAt, closedAt } = dispute;
  return (
    <Facts>
      <Fact name={text.amount}>{money(dispute.amount)}</Fact>
      {defenceUntil !== null && <Fact name={text.until}>{dateTime(defenceUntil)}</Fact>}
      <Fact name={text.opened}>{dateTime(openedAt ?? createdAt)}</Fact>
      {closedAt !== null && <Fact name={text.closed}>{dateTime(closedAt)}</Fact>}
      {reason !== null && <Fact name={text.reason}>{reason}</Fact>}
      <Fact name={text.provider}>{providerName(dispute.provider)}</Fact>
      <Fact name={text.payment}>
        <Anchor component={Link} href={`/payments/${payment.id}`} size="sm">
          {money(payment.amount)}
          {payment.description !== null && `: ${payment.description}`}
        </Anchor>
      </Fact>
      {payment.confirmedAt !== null && <Fact name={text.paid}>{dateTime(payment.confirmedAt)}</Fact>}
      {payment.payerName !== null && <Fact name={text.payer}>{payment.payerName}</Fact>}
      {payment.payerDocument !== null && (
        <Fact name={text.document}>{documentText(payment.payerDocument)}</Fact>
      )}
      {payment.externalId !== null && <Fact name={text.reference}>{payment.externalId}</Fact>}
      <Copied name={text.id} value={dispute.id} />
    </Facts>
  );
}

function Answer({ dispute }: { dispute: Dispute }) {
  const text = useTexts(messages);
  const { dateTime } = useFormats();
  const { id, answer, answeredAt, answerStatus, statement, documents } = dispute;
  if (answer === null) return null;
  return (
    <BorderedSection title={text.answer} heading={text.answers[answer]}>
      {answerStatus === 'sending' && <Alert color="yellow">{text.sending}</Alert>}
      {answeredAt !== null && (
        <Text size="sm" c="dimmed">
          {text.answered} {dateTime(answeredAt)}
        </Text>
      )}
      {statement !== null && (
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{statement}</Text>
      )}
      {documents.length > 0 && (
        <ul aria-label={text.documents} style={{ margin: 0 }}>
          {documents.map((each) => (
            <Document key={each.id} disputeId={id} document={each} />
          ))}
        </ul>
      )}
    </BorderedSection>
  );
}

function Panel({ dispute: { answering } }: { dispute: Dispute }) {
  const text = useTexts(messages);
  return (
    <Alert color="yellow">
      {text.panel}{' '}
      {answering.panelUrl !== null && (
        <Anchor href={answering.panelUrl} target="_blank" rel="noreferrer" size="sm">
          {text.openPanel}
        </Anchor>
      )}
    </Alert>
  );
}

function DisputeView({ dispute }: { dispute: Dispute }) {
  const text = useTexts(messages);
  const { dateTime, money } = useFormats();
  const { may } = useWorkplace();
  const { id, state, answer, answering, answerRefusedAt } = dispute;
  const isUnanswered = state === 'open' && answer === null;
  const mayAnswer = isUnanswered && may('disputes:answer');
  return (
    <Page
      title={`${text.title}: ${money(dispute.amount)}`}
      mark={<DisputeState {...dispute} />}
      back={{ to: '/disputes', label: text.back }}
      actions={
        <Group gap="xs">
          <Evidence id={id} />
          {mayAnswer && answering.acceptance && may('payments:refund') && <Accept id={id} />}
          {mayAnswer && answering.defence && <Defence dispute={dispute} />}
        </Group>
      }
    >
      {isUnanswered && !answering.defence && <Panel dispute={dispute} />}
      {isUnanswered && answerRefusedAt !== null && (
        <Alert color="red">{text.refused(dateTime(answerRefusedAt))}</Alert>
      )}
      <BorderedSection title={text.claim}>
        <Claim dispute={dispute} />
      </BorderedSection>
      <Answer dispute={dispute} />
    </Page>
  );
}

export default function DisputePage() {
  const text = useTexts(messages);
  const { id } = useParams<{ id: string }>();
  const { data, error } = useServiceQuery(disputeDocument, { id }, { refetchIntervalMs });
  useLiveRefresh(paymentsUpdatedDocument, {}, { of: [disputeDocument], throttleMs: 5_000 });
  if (data?.dispute) return <DisputeView dispute={data.dispute} />;
  return (
    <Page title={text.title} back={{ to: '/disputes', label: text.back }}>
      {error ? <ErrorAlert error={error} /> : <Loading />}
    </Page>
  );
}
