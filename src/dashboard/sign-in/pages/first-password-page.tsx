import { Stack } from '@mantine/core';
import { texts, useTexts } from '../../base/language.tsx';
import { useSession } from '../../base/use-session.ts';
import { Card } from '../card.tsx';
import { ChangePasswordForm } from '../change-password-form.tsx';
import { SignOutButton } from '../sign-out-button.tsx';

const messages = texts(
  {
    title: 'Crie sua senha',
    about:
      'A senha provisória serve somente para o primeiro acesso. Substitua-a por uma que só você conheça.',
    current: 'Senha provisória',
    submit: 'Salvar e continuar',
  },
  {
    title: 'Choose your password',
    about: 'The temporary password only works for your first sign-in. Replace it with one only you know.',
    current: 'Temporary password',
    submit: 'Save and continue',
  },
);

/** Shown after signing in with a temporary password. */
export default function FirstPasswordPage() {
  const text = useTexts(messages);
  const { refresh } = useSession();
  return (
    <Card title={text.title} about={text.about}>
      <Stack>
        <ChangePasswordForm
          isWide
          current={text.current}
          submit={text.submit}
          onChanged={() => void refresh()}
        />
        <SignOutButton />
      </Stack>
    </Card>
  );
}
