import { Button, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { texts, useTexts } from '../../base/language.tsx';
import { useSession } from '../../base/use-session.ts';
import { Card } from '../card.tsx';
import { SignOutButton } from '../sign-out-button.tsx';

const messages = texts(
  {
    title: 'Sem acesso a esta organização',
    about: 'Este link é de uma organização da qual sua conta não faz parte.',
    ask: 'Peça a um proprietário da organização um convite para este e-mail:',
    mine: 'Ir para minha organização',
  },
  {
    title: 'No access to this organization',
    about: 'This link belongs to an organization that your account is not a member of.',
    ask: 'Ask one of its owners to invite this e-mail address:',
    mine: 'Go to my organization',
  },
);

/** Somebody of another organization has shared the link that leads here. */
export function ForeignOrganizationPage() {
  const text = useTexts(messages);
  const { me } = useSession();
  return (
    <Card title={text.title} about={text.about}>
      <Stack>
        <Text size="sm">
          {text.ask} <strong>{me.email}</strong>
        </Text>
        <Button component={Link} href="~/dashboard">
          {text.mine}
        </Button>
        <SignOutButton />
      </Stack>
    </Card>
  );
}
