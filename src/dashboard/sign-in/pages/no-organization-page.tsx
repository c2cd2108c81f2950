import { Button, Stack, Text } from '@mantine/core';
import { texts, useTexts } from '../../base/language.tsx';
import { useSession } from '../../base/use-session.ts';
import { Card } from '../card.tsx';
import { SignOutButton } from '../sign-out-button.tsx';

const messages = texts(
  {
    title: 'Nenhuma organização',
    about: 'Sua conta não faz parte de nenhuma organização.',
    ask: 'Peça a um proprietário um convite para este e-mail:',
    again: 'Verificar novamente',
  },
  {
    title: 'No organization',
    about: 'Your account is not a member of any organization.',
    ask: 'Ask an owner to invite this e-mail address:',
    again: 'Check again',
  },
);

/** People who were removed from their last organization see this. */
export function NoOrganizationPage() {
  const text = useTexts(messages);
  const { me, refresh } = useSession();
  return (
    <Card title={text.title} about={text.about}>
      <Stack>
        <Text size="sm">
          {text.ask} <strong>{me.email}</strong>
        </Text>
        <Button onClick={() => void refresh()}>{text.again}</Button>
        <SignOutButton />
      </Stack>
    </Card>
  );
}
