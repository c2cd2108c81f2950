import { Alert, Button, Divider } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { isRefusalReason, type RefusalReason } from '../../../core/people/rules/identity-provider.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { identityProvider } from '../identity-provider.ts';

const messages = texts(
  {
    or: 'ou',
    enter: (name: string) => `Entrar com ${name}`,
  },
  {
    or: 'or',
    enter: (name: string) => `Sign in with ${name}`,
  },
);

const reasons = texts<Readonly<Record<RefusalReason, string>>>(
  {
    cancelled: 'Você cancelou a entrada no provedor de identidade.',
    expired: 'O tempo se esgotou ou esta entrada já foi usada. Tente novamente.',
    unavailable: 'O provedor de identidade não respondeu. Tente novamente mais tarde.',
    email_not_verified:
      'O provedor de identidade não confirma que este e-mail é seu. Peça a quem o administra que verifique o endereço.',
    no_role:
      'O provedor de identidade não lhe dá uma função aqui. Peça a quem o administra que inclua você em um dos grupos.',
    not_invited: 'Você não faz parte desta organização. Peça um convite a um dos proprietários dela.',
    failed: 'Não foi possível confirmar a entrada com o provedor de identidade. Tente novamente.',
  },
  {
    cancelled: 'You cancelled the sign-in at the identity provider.',
    expired: 'The time is over, or this sign-in has already been used. Try again.',
    unavailable: 'The identity provider did not respond. Try again later.',
    email_not_verified:
      'The identity provider does not confirm that this e-mail is yours. Ask whoever manages it to verify the address.',
    no_role:
      'The identity provider gives you no role here. Ask whoever manages it to add you to one of the groups.',
    not_invited: 'You are not a member of this organization. Ask one of its owners for an invitation.',
    failed: 'The sign-in with the identity provider could not be confirmed. Try again.',
  },
);

/** A button, and why the browser came back from the provider without a session. */
export function ProviderSignIn() {
  const text = useTexts(messages);
  const refusal = useTexts(reasons);
  const [search] = useSearchParams();
  const reason = search.get('refused');
  const { data: name } = useQuery({
    queryKey: ['identity-provider'],
    queryFn: identityProvider.name,
    retry: false,
  });
  const begin = useMutation({ mutationFn: identityProvider.begin });
  if (!name) return null;
  return (
    <>
      <Divider label={text.or} />
      {isRefusalReason(reason) && <Alert color="red">{refusal[reason]}</Alert>}
      <ErrorAlert error={begin.error} />
      <Button
        variant="default"
        loading={begin.isPending || begin.isSuccess}
        onClick={() => {
          begin.mutate();
        }}
      >
        {text.enter(name)}
      </Button>
    </>
  );
}
