import { Stack } from '@mantine/core';
import { texts, useTexts } from '../../shell/language.tsx';
import { useSession } from '../../shell/use-session.ts';
import { Card } from '../card.tsx';
import { NewPasswordForm } from '../change-password-form.tsx';
import { SignOutButton } from '../sign-out-button.tsx';

const said = texts(
  {
    title: 'Escolha sua senha',
    about: 'A senha provisória serve só para entrar pela primeira vez. Troque-a por uma que só você conhece.',
    current: 'Senha provisória',
    submit: 'Salvar e continuar',
  },
  {
    title: 'Choose your password',
    about: 'The temporary password is for the first sign-in alone. Replace it by one that only you know.',
    current: 'Temporary password',
    submit: 'Save and continue',
  },
);

/** Before anything else, for who signed in with a password that somebody else has seen. */
export function FirstPasswordPage() {
  const text = useTexts(said);
  const { refresh } = useSession();
  return (
    <Card title={text.title} about={text.about}>
      <Stack>
        <NewPasswordForm current={text.current} submit={text.submit} onChanged={() => void refresh()} />
        <SignOutButton />
      </Stack>
    </Card>
  );
}
