import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../base/language.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { isAtFields, useFieldErrors } from '../../ui/problems/use-problems.ts';
import { Card } from '../card.tsx';
import { EmailInput } from '../email-input.tsx';
import { recovery } from '../links.ts';
import { signInTexts } from './sign-in-texts.ts';

const fields = ['email'];

/** Asks for a link by e-mail, or says whom to ask for one. */
export function PasswordHelp({ onForgotten }: { onForgotten: () => void }) {
  const text = useTexts(signInTexts);
  const { data: isOffered } = useQuery({
    queryKey: ['password-recovery'],
    queryFn: recovery.isOffered,
    retry: false,
  });
  if (isOffered) {
    return (
      <Anchor component="button" type="button" size="sm" ta="center" onClick={onForgotten}>
        {text.forgot}
      </Anchor>
    );
  }
  return (
    <Text size="xs" c="dimmed" ta="center">
      {text.help}
    </Text>
  );
}

export function ForgottenPassword({ onBack }: { onBack: () => void }) {
  const text = useTexts(signInTexts);
  const [email, setEmail] = useState('');
  const begin = useMutation({ mutationFn: () => recovery.begin(email.trim()) });
  const fieldError = useFieldErrors(begin.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin.mutate();
  };
  return (
    <Card title={text.forgot} about={text.forgotAbout}>
      <form onSubmit={submit}>
        <Stack>
          <EmailInput value={email} onChange={setEmail} error={fieldError('email')} />
          {!isAtFields(begin.error, fields) && <ErrorAlert error={begin.error} />}
          {begin.isSuccess && <Alert color="teal">{text.sent}</Alert>}
          <Button type="submit" loading={begin.isPending} disabled={begin.isSuccess}>
            {text.sendLink}
          </Button>
          <Button variant="subtle" color="gray" onClick={onBack}>
            {text.backToSignIn}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
