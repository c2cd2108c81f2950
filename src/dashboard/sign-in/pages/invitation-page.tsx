import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { roleTexts } from '../../parts/role-texts.ts';
import { FailureAlert } from '../../ui/error-alert.tsx';
import { texts, useTexts } from '../../shell/language.tsx';
import { SessionProvider } from '../../shell/session.tsx';
import { useSession } from '../../shell/use-session.ts';
import { authentication } from '../authentication.ts';
import { Card } from '../card.tsx';
import { LinkPage } from './link-page.tsx';
import { type Invitation, links } from '../links.ts';
import { passwordTexts } from '../new-password-texts.ts';
import { SignOutButton } from '../sign-out-button.tsx';

const said = texts(
  {
    title: 'Você recebeu um convite',
    about: (organization: string, role: string) => `${organization} convidou você para participar. Função: ${role}.`,
    email: 'E-mail',
    name: 'Nome',
    accept: 'Aceitar convite',
    asYou: 'Você entrou como',
    asOther: (email: string) => `Este convite é para ${email}. Saia e entre com essa conta para aceitar.`,
  },
  {
    title: 'You’ve been invited',
    about: (organization: string, role: string) => `${organization} invited you to join. Role: ${role}.`,
    email: 'E-mail',
    name: 'Name',
    accept: 'Accept invitation',
    asYou: 'You are signed in as',
    asOther: (email: string) => `This invitation is for ${email}. Sign out and sign in with that account to accept it.`,
  },
);

/** Loads the dashboard anew, without the token in the address. */
const goTo = (organizationId: string): void => {
  location.replace(`/dashboard/${organizationId}/test`);
};

interface Props {
  invitation: Invitation;
}

function NewcomerForm({ invitation }: Props) {
  const text = useTexts(said);
  const passwordText = useTexts(passwordTexts);
  const [name, setName] = useState(invitation.name ?? '');
  const [password, setPassword] = useState('');
  const accept = useMutation({
    mutationFn: async () => {
      await links.acceptInvitation({ name: name.trim(), password });
      await authentication.signIn(invitation.email, password);
      goTo(invitation.organizationId);
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    accept.mutate();
  };
  return (
    <form onSubmit={send}>
      <Stack>
        <TextInput
          label={text.email}
          value={invitation.email}
          autoComplete="username"
          readOnly
          variant="filled"
        />
        <TextInput
          label={text.name}
          autoComplete="name"
          required
          withAsterisk={false}
          maxLength={100}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
          }}
        />
        <PasswordInput
          label={passwordText.password}
          description={passwordText.rule}
          autoComplete="new-password"
          required
          minLength={12}
          withAsterisk={false}
          value={password}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
          }}
        />
        <FailureAlert error={accept.error} />
        <Button type="submit" loading={accept.isPending}>
          {text.accept}
        </Button>
      </Stack>
    </form>
  );
}

function AcceptForm({ invitation }: Props) {
  const text = useTexts(said);
  const { me } = useSession();
  const accept = useMutation({
    mutationFn: async () => {
      await links.acceptInvitation({});
      goTo(invitation.organizationId);
    },
  });
  const isMine = me.email === invitation.email;
  return (
    <Stack>
      <Text size="sm">
        {text.asYou} <b>{me.email}</b>.
      </Text>
      {!isMine && <Text size="sm">{text.asOther(invitation.email)}</Text>}
      <FailureAlert error={accept.error} />
      {isMine && (
        <Button
          loading={accept.isPending}
          onClick={() => {
            accept.mutate();
          }}
        >
          {text.accept}
        </Button>
      )}
      <SignOutButton />
    </Stack>
  );
}

function InvitationCard({ invitation }: Props) {
  const text = useTexts(said);
  const names = useTexts(roleTexts);
  const { organizationName, role, hasAccount } = invitation;
  return (
    <Card title={text.title} about={text.about(organizationName, names[role])}>
      {hasAccount ? <AcceptForm invitation={invitation} /> : <NewcomerForm invitation={invitation} />}
    </Card>
  );
}

/** Where the link of an invitation leads: who is new chooses a password, who has an account signs in. */
export default function InvitationPage() {
  return (
    <LinkPage name="invitation" read={links.readInvitation}>
      {(invitation) => {
        const card = <InvitationCard invitation={invitation} />;
        return invitation.hasAccount ? <SessionProvider>{card}</SessionProvider> : card;
      }}
    </LinkPage>
  );
}
