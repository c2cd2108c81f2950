import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { texts, useTexts } from '../shell/language.tsx';
import { useSession } from '../shell/session.tsx';
import { authentication } from './authentication.ts';
import { Card } from './card.tsx';
import { NewPasswordForm } from './new-password-form.tsx';

const said = texts(
  {
    title: 'Escolha sua senha',
    about: 'A senha provisória serve só para entrar pela primeira vez. Troque-a por uma que só você conhece.',
    current: 'Senha provisória',
    submit: 'Salvar e continuar',
    signOut: 'Sair',
  },
  {
    title: 'Choose your password',
    about: 'The temporary password is for the first sign-in alone. Replace it by one that only you know.',
    current: 'Temporary password',
    submit: 'Save and continue',
    signOut: 'Sign out',
  },
);

/** Before anything else, for who signed in with a password that somebody else has seen. */
export function FirstPasswordPage() {
  const text = useTexts(said);
  const { refresh } = useSession();
  const signOut = useMutation({ mutationFn: authentication.signOut, onSettled: refresh });
  return (
    <Card title={text.title} about={text.about}>
      <Stack>
        <NewPasswordForm current={text.current} submit={text.submit} onChanged={() => void refresh()} />
        <Button
          variant="subtle"
          color="gray"
          onClick={() => {
            signOut.mutate();
          }}
        >
          {text.signOut}
        </Button>
      </Stack>
    </Card>
  );
}
