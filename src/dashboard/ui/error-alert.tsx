import { Alert, Anchor, Button, Code, Stack, Text } from '@mantine/core';
import { CircleAlert, UserCheck } from 'lucide-react';
import { Link } from 'wouter';
import { isAwaitingApproval, ServiceError } from '../api/service-error.ts';
import { texts, useTexts } from '../base/language.tsx';
import { ProblemLines } from './problems/problem-lines.tsx';
import { refusalTexts } from './problems/refusal-texts.ts';
import { otherProblems } from './problems/use-problems.ts';

const messages = texts(
  {
    offline: 'Não foi possível conectar ao serviço. Verifique sua conexão e tente novamente.',
    failed: 'Algo deu errado',
    unexpected: 'Ocorreu um erro inesperado.',
    fields: 'Confira os campos destacados.',
    trace: 'Informe este código ao suporte:',
    retry: 'Tentar novamente',
    awaiting: 'Enviado para aprovação',
    awaitingAbout: 'Nada foi alterado ainda: outra pessoa precisa aprovar.',
    approvals: 'Ver em Aprovações',
  },
  {
    offline: 'The service could not be reached. Check your connection and try again.',
    failed: 'Something went wrong',
    unexpected: 'An unexpected error occurred.',
    fields: 'Check the highlighted fields.',
    trace: 'Give this code to support:',
    retry: 'Try again',
    awaiting: 'Sent for approval',
    awaitingAbout: 'Nothing has changed yet: another person must approve it.',
    approvals: 'View in Approvals',
  },
);

/** Says any error as a sentence in the person's language. */
export function useErrorMessage(): (error: unknown) => string {
  const text = useTexts(messages);
  const refusals: Readonly<Record<string, string>> = useTexts(refusalTexts);
  return (error) => {
    if (!(error instanceof ServiceError)) return text.unexpected;
    if (isAwaitingApproval(error)) return `${text.awaiting}. ${text.awaitingAbout}`;
    if (error.wording !== undefined) return error.wording;
    if (error.code === 'OFFLINE') return text.offline;
    return (
      refusals[error.reason] ??
      (error.statusCode >= 500 ? text.unexpected : (refusals['invalid_request'] ?? ''))
    );
  };
}

function Explanation({ error, fields }: { error: unknown; fields: readonly string[] }) {
  const text = useTexts(messages);
  const errorMessage = useErrorMessage();
  const hasProblems = error instanceof ServiceError && error.problems.length > 0;
  const others = otherProblems(error, fields);
  if (!hasProblems) return <Text size="sm">{errorMessage(error)}</Text>;
  if (others.length > 0) return <ProblemLines problems={others} />;
  // A field says the wording of the error itself.
  const isSaid = error.wording !== undefined || error.reason === 'invalid_request' || error.reason === '';
  return <Text size="sm">{isSaid ? text.fields : errorMessage(error)}</Text>;
}

export function AwaitingApproval({ title }: { title?: string }) {
  const text = useTexts(messages);
  return (
    <Alert variant="default" icon={<UserCheck />} title={title ?? text.awaiting}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text.awaitingAbout}</Text>
        <Anchor component={Link} href="/approvals" size="sm">
          {text.approvals}
        </Anchor>
      </Stack>
    </Alert>
  );
}

interface ErrorAlertProps {
  error: unknown;
  retry?: () => void;
  /** Fields of the form that show their own problems. */
  fields?: readonly string[];
}

/** Renders nothing without an error. */
export function ErrorAlert({ error, retry, fields = [] }: ErrorAlertProps) {
  const text = useTexts(messages);
  if (!error) return null;
  if (isAwaitingApproval(error)) return <AwaitingApproval />;
  const traceId = error instanceof ServiceError ? error.traceId : undefined;
  return (
    <Alert color="red" variant="light" icon={<CircleAlert />} title={text.failed} role="alert">
      <Stack gap="xs" align="flex-start">
        <Explanation error={error} fields={fields} />
        {traceId && (
          <Text size="sm">
            {text.trace} <Code>{traceId}</Code>
          </Text>
        )}
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {text.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
