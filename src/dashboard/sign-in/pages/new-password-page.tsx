import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { FailureAlert } from '../../ui/error-alert.tsx';
import { texts, useTexts } from '../../shell/language.tsx';
import { Card } from '../card.tsx';
import { LinkPage } from './link-page.tsx';
import { links } from '../links.ts';
import { passwordTexts } from '../new-password-texts.ts';

const said = texts(
  {
    title: 'Crie uma nova senha',
    about: 'Depois de salvar, entre com a nova senha.',
    email: 'E-mail',
    save: 'Salvar senha',
  },
  {
    title: 'Choose a new password',
    about: 'After saving, sign in with your new password.',
    email: 'E-mail',
    save: 'Save password',
  },
);

function NewPasswordForm({ email }: { email: string }) {
  const text = useTexts(said);
  const passwordText = useTexts(passwordTexts);
  const [password, setPassword] = useState('');
  const choose = useMutation({
    mutationFn: async () => {
      await links.chooseNewPassword(password);
      location.replace('/dashboard');
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    choose.mutate();
  };
  return (
    <Card title={text.title} about={text.about}>
      <form onSubmit={send}>
        <Stack>
          <TextInput label={text.email} value={email} autoComplete="username" readOnly variant="filled" />
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
          <FailureAlert error={choose.error} />
          <Button type="submit" loading={choose.isPending}>
            {text.save}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}

/** Where the link of a lost password leads. */
export default function NewPasswordPage() {
  return (
    <LinkPage name="new-password" read={links.readNewPassword}>
      {({ email }) => <NewPasswordForm email={email} />}
    </LinkPage>
  );
}
