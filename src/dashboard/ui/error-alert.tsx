import { Alert, Anchor, Button, Code, Stack, Text } from '@mantine/core';
import { CircleAlert, UserCheck } from 'lucide-react';
import { Link } from 'wouter';
import { isAwaitingApproval, ServiceError } from '../api/service-error.ts';
import { texts, useTexts } from '../shell/language.tsx';

const messages = texts(
  {
    offline: 'Não foi possível conectar ao serviço. Verifique sua conexão e tente novamente.',
    failed: 'Algo deu errado',
    unexpected: 'Ocorreu um erro inesperado.',
    tooMany: 'Muitas solicitações em pouco tempo. Aguarde um instante e tente novamente.',
    forbidden: 'Sua função nesta organização não permite esta ação.',
    conflict: 'Não é possível no estado atual',
    notFound: 'Não encontrado',
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
    tooMany: 'Too many requests in a short time. Wait a moment and try again.',
    forbidden: 'Your role in this organization does not allow this action.',
    conflict: 'Not possible in the current state',
    notFound: 'Not found',
    trace: 'Give this code to support:',
    retry: 'Try again',
    awaiting: 'Sent for approval',
    awaitingAbout: 'Nothing has changed yet: another person must approve it.',
    approvals: 'View in Approvals',
  },
);

/** A message for an error, translated unless it is the service's own validation message. */
export function useErrorMessage(): (error: unknown) => string {
  const text = useTexts(messages);
  return (error) => {
    if (!(error instanceof ServiceError)) return text.unexpected;
    if (isAwaitingApproval(error)) return `${text.awaiting}. ${text.awaitingAbout}`;
    if (error.code === 'OFFLINE') return text.offline;
    if (error.code === 'FORBIDDEN') return text.forbidden;
    if (error.code === 'CONFLICT') return `${text.conflict} (${error.message})`;
    if (error.code === 'NOT_FOUND') return `${text.notFound} (${error.message})`;
    if (error.statusCode === 429) return text.tooMany;
    return error.statusCode >= 500 ? text.unexpected : error.message;
  };
}

function AwaitingApproval() {
  const text = useTexts(messages);
  return (
    <Alert color="blue" variant="light" icon={<UserCheck />} title={text.awaiting}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text.awaitingAbout}</Text>
        <Anchor component={Link} href="/approvals" size="sm">
          {text.approvals}
        </Anchor>
      </Stack>
    </Alert>
  );
}

/** Renders nothing without an error. */
export function ErrorAlert({ error, retry }: { error: unknown; retry?: () => void }) {
  const text = useTexts(messages);
  const errorMessage = useErrorMessage();
  if (!error) return null;
  if (isAwaitingApproval(error)) return <AwaitingApproval />;
  const traceId = error instanceof ServiceError ? error.traceId : undefined;
  return (
    <Alert color="red" variant="light" icon={<CircleAlert />} title={text.failed} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{errorMessage(error)}</Text>
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
