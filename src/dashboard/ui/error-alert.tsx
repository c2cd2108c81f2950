import { Alert, Anchor, Button, Center, Code, Group, Loader, Skeleton, Stack, Text } from '@mantine/core';
import { CircleAlert, UserCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { isAwaitingApproval, Refusal } from '../api/service-error.ts';
import { texts, useTexts } from '../shell/language.tsx';

const said = texts(
  {
    waiting: 'Carregando',
    offline: 'Não foi possível falar com o serviço. Verifique a conexão e tente de novo.',
    failed: 'Não deu certo',
    unexpected: 'Ocorreu um erro inesperado.',
    tooMany: 'Muitas solicitações em pouco tempo. Espere um instante e tente de novo.',
    forbidden: 'Seu papel nesta organização não permite isto.',
    conflict: 'Isto não é possível no estado atual',
    notFound: 'Isto não existe aqui, ou não existe mais',
    trace: 'Informe este código ao suporte:',
    retry: 'Tentar de novo',
    awaiting: 'Enviado para aprovação',
    awaitingAbout: 'Nada mudou ainda: outra pessoa precisa aprovar.',
    approvals: 'Ver em Aprovações',
  },
  {
    waiting: 'Loading',
    offline: 'The service could not be reached. Check the connection and try again.',
    failed: 'That did not work',
    unexpected: 'An unexpected error occurred.',
    tooMany: 'Too many requests in a short time. Wait a moment and try again.',
    forbidden: 'Your role in this organization does not allow this.',
    conflict: 'This is not possible as things stand',
    notFound: 'This does not exist here, or no longer does',
    trace: 'Tell support this code:',
    retry: 'Try again',
    awaiting: 'Sent for approval',
    awaitingAbout: 'Nothing has changed yet: another person has to approve it.',
    approvals: 'See it in Approvals',
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
