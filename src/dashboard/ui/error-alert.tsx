import { Alert, Anchor, Button, Center, Code, Group, Loader, Skeleton, Stack, Text } from '@mantine/core';
import { CircleAlert, UserCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { isAwaitingApproval, Refusal } from '../api/service-error.ts';
import { texts, useTexts } from '../shell/language.tsx';

const said = texts(
  {
    waiting: 'Carregando',
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
    waiting: 'Loading',
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

export function Waiting() {
  const text = useTexts(said);
  return (
    <Center component="output" mih={160} aria-label={text.waiting}>
      <Loader type="dots" />
    </Center>
  );
}

/** Keeps the place of what is waited for, from top to bottom in pixels, so that nothing below it jumps. */
export function WaitingInPlace({ heights }: { heights: readonly number[] }) {
  const text = useTexts(said);
  return (
    <Stack component="output" aria-label={text.waiting}>
      {heights.map((height) => (
        <Skeleton key={height} h={height} />
      ))}
    </Stack>
  );
}

/** The words of a refusal; what the service says of bad input is shown as it is. */
export function useFailureText(): (error: unknown) => string {
  const text = useTexts(said);
  return (error) => {
    if (!(error instanceof Refusal)) return text.unexpected;
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
  const text = useTexts(said);
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

/** What went wrong, where it happened. Shows nothing without an error. */
export function FailureAlert({ error, retry }: { error: unknown; retry?: () => void }) {
  const text = useTexts(said);
  const failureText = useFailureText();
  if (!error) return null;
  if (isAwaitingApproval(error)) return <AwaitingApproval />;
  const traceId = error instanceof Refusal ? error.traceId : undefined;
  return (
    <Alert color="red" variant="light" icon={<CircleAlert />} title={text.failed} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{failureText(error)}</Text>
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

/** What to do where there is nothing yet. */
export function Nothing({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Center mih={200} p="md">
      <Stack align="center" gap="xs" maw={480}>
        <Text fw={600}>{title}</Text>
        {children && (
          <Text c="dimmed" size="sm" ta="center">
            {children}
          </Text>
        )}
        {action && <Group mt="xs">{action}</Group>}
      </Stack>
    </Center>
  );
}

/** Waits, tells a failure, or shows what was read, also while it cannot be read again. */
export function Loaded<Data>({
  result,
  waiting = <Waiting />,
  children,
}: {
  result: { data: Data | undefined; error: unknown; refetch: () => unknown };
  waiting?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, refetch } = result;
  return (
    <>
      <FailureAlert error={error} retry={() => void refetch()} />
      {data === undefined ? !error && waiting : children(data)}
    </>
  );
}
