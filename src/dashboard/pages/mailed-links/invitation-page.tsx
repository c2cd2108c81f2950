import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { TextInput } from '../../ui/inputs/fields.tsx';
import { RoleName } from '../../parts/roles/role-name.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { SessionProvider } from '../../shell/session.tsx';
import { useSession } from '../../base/use-session.ts';
import { authentication } from '../../sign-in/authentication.ts';
import { Card } from '../../sign-in/card.tsx';
import { LinkForm } from './link-form.tsx';
import { LinkPage } from './link-page.tsx';
import { type Invitation, links } from '../../sign-in/links.ts';
import { SignOutButton } from '../../sign-in/sign-out-button.tsx';

const messages = texts(
  {
    title: 'Você recebeu um convite',
    about: (organization: string) => `${organization} convidou você para participar. Função:`,
    name: 'Nome',
    accept: 'Aceitar convite',
    asYou: 'Você entrou como',
    asOther: (email: string) => `Este convite é para ${email}. Saia e entre com essa conta para aceitar.`,
  },
  {
    title: 'You’ve been invited',
    about: (organization: string) => `${organization} invited you to join. Role:`,
    name: 'Name',
    accept: 'Accept invitation',
    asYou: 'You are signed in as',
    asOther: (email: string) =>
      `This invitation is for ${email}. Sign out and sign in with that account to accept it.`,
  },
);

/** Loads the page anew, without the token in the URL. */
const goTo = (organizationId: string): void => {
  location.replace(`/dashboard/${organizationId}/test`);
};

interface Props {
  invitation: Invitation;
}

function NewAccountForm({ invitation }: Props) {
  const text = useTexts(messages);
  const [name, setName] = useState(invitation.name ?? '');
  return (
    <LinkForm
      email={invitation.email}
      submit={text.accept}
      onSubmit={async (password) => {
        await links.acceptInvitation({ name: name.trim(), password });
        await authentication.signIn(invitation.email, password);
        goTo(invitation.organizationId);
      }}
    >
      {(fieldError) => (
        <TextInput
          label={text.name}
          autoComplete="name"
          required
          withAsterisk={false}
          maxLength={100}
          value={name}
          error={fieldError('name')}
          onChange={(event) => {
            setName(event.currentTarget.value);
          }}
        />
      )}
    </LinkForm>
  );
}

function AcceptForm({ invitation }: Props) {
  const text = useTexts(messages);
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
      <ErrorAlert error={accept.error} />
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
  const text = useTexts(messages);
  const { organizationName, role, hasAccount } = invitation;
  const about = (
    <>
      {text.about(organizationName)} <RoleName role={role} />
    </>
  );
  return (
    <Card title={text.title} about={about}>
      {hasAccount ? <AcceptForm invitation={invitation} /> : <NewAccountForm invitation={invitation} />}
    </Card>
  );
}

/** New people choose a password; people with an account sign in. */
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
