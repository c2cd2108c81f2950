import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { ServiceError } from '../../api/service-error.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Loading } from '../../ui/loading.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { Card } from '../../sign-in/card.tsx';

const messages = texts(
  {
    title: 'Link inválido',
    dashboard: 'Ir para o painel',
    invitation_not_valid:
      'Este convite já foi usado, foi cancelado ou expirou. Peça um novo a um proprietário.',
    password_link_not_valid:
      'Este link já foi usado, foi substituído ou expirou. Peça um novo a quem opera o serviço.',
  },
  {
    title: 'Invalid link',
    dashboard: 'Go to the dashboard',
    invitation_not_valid:
      'This invitation has been used, cancelled or has expired. Ask an owner for a new one.',
    password_link_not_valid:
      'This link has been used, replaced or has expired. Ask your service operator for a new one.',
  },
);

const isInvalid = (error: unknown): 'invitation_not_valid' | 'password_link_not_valid' | undefined =>
  error instanceof ServiceError &&
  (error.reason === 'invitation_not_valid' || error.reason === 'password_link_not_valid')
    ? error.reason
    : undefined;

/** Another link opened in the same tab changes only the hash. */
function useReloadOnHashChange(): void {
  useEffect(() => {
    const reload = () => {
      location.reload();
    };
    addEventListener('hashchange', reload);
    return () => {
      removeEventListener('hashchange', reload);
    };
  }, []);
}

interface Props<Data> {
  name: string;
  read: () => Promise<Data>;
  children: (data: Data) => ReactNode;
}

/** Resolves the link in the URL, or shows that it is invalid. */
export function LinkPage<Data>({ name, read, children }: Props<Data>) {
  const text = useTexts(messages);
  useReloadOnHashChange();
  const { data, error, refetch } = useQuery({
    queryKey: ['link', name],
    queryFn: read,
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
  });
  const invalid = isInvalid(error);
  if (invalid) {
    return (
      <Card title={text.title} about={text[invalid]}>
        <Button component="a" href="/dashboard" variant="default" fullWidth>
          {text.dashboard}
        </Button>
      </Card>
    );
  }
  if (error) {
    return (
      <Stack p="md">
        <ErrorAlert error={error} retry={() => void refetch()} />
      </Stack>
    );
  }
  return data === undefined ? <Loading /> : children(data);
}
