import { Button, Stack, Text } from '@mantine/core';
import { texts, useTexts } from '../../shell/language.tsx';
import { useSession } from '../../shell/use-session.ts';
import { Card } from '../card.tsx';
import { SignOutButton } from '../sign-out-button.tsx';

const said = texts(
  {
    title: 'Nenhuma organização',
    about: 'Você entrou, mas ainda não faz parte de nenhuma organização.',
    ask: 'Peça um convite a um proprietário para este e-mail:',
    again: 'Verificar de novo',
  },
  {
    title: 'No organization',
    about: 'You are signed in, but not yet a member of any organization.',
    ask: 'Ask an owner to invite this e-mail:',
    again: 'Check again',
  },
);

/** For who has been removed from the last one. */
export function NoOrganizationPage() {
  const text = useTexts(said);
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
