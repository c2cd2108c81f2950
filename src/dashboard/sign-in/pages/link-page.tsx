import { Alert, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Refusal } from '../../api/service-error.ts';
import { FailureAlert, Waiting } from '../../ui/error-alert.tsx';
import { texts, useTexts } from '../../shell/language.tsx';
import { Card } from '../card.tsx';

const said = texts(
  {
    title: 'Link inválido',
    invitation_not_valid: 'Este convite já foi usado, foi cancelado ou expirou. Peça um novo a um proprietário.',
    password_link_not_valid:
      'Este link já foi usado, foi substituído ou expirou. Peça um novo a quem opera o serviço.',
  },
  {
    title: 'Invalid link',
    invitation_not_valid: 'This invitation has been used, cancelled or has expired. Ask an owner for a new one.',
    password_link_not_valid:
      'This link has been used, replaced or has expired. Ask your service operator for a new one.',
  },
);

const isInvalid = (error: unknown): 'invitation_not_valid' | 'password_link_not_valid' | undefined =>
  error instanceof Refusal &&
  (error.reason === 'invitation_not_valid' || error.reason === 'password_link_not_valid')
    ? error.reason
    : undefined;

/** Another link in the same tab changes no more of the address than what stands behind the `#`. */
function useOneLink(): void {
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

interface Props<Told> {
  name: string;
  read: () => Promise<Told>;
  children: (told: Told) => ReactNode;
}

/** Shows what the link of the address is for, or that it is for nothing any more. */
export function LinkPage<Told>({ name, read, children }: Props<Told>) {
  const text = useTexts(said);
  useOneLink();
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
        <Alert color="gray">{text[invalid]}</Alert>
      </Card>
    );
  }
  if (error) {
    return (
      <Stack p="md">
        <FailureAlert error={error} retry={() => void refetch()} />
      </Stack>
    );
  }
  return data === undefined ? <Waiting /> : children(data);
}
