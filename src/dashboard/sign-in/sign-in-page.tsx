import { Button, Center, Group, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { FailureAlert, useFailureText } from '../parts/states.tsx';
import { useTexts } from '../shell/language.tsx';
import { Preferences } from '../shell/preferences.tsx';
import { Refusal } from '../api/refusal.ts';
import { authentication } from './authentication.ts';
import { signInTexts } from './texts.ts';

interface StepProps {
  onSignedIn: () => Promise<void>;
}

function Card({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Pix`;
  }, [title]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="100%" maw={400}>
        <Stack gap={4} align="center">
          <img src={new URL('../icon.svg', import.meta.url).href} width={48} height={48} alt="" />
          <Title order={1} size="h2">
            {title}
          </Title>
          <Text c="dimmed" ta="center">
            {about}
          </Text>
        </Stack>
        <Paper withBorder p="lg">
          {children}
        </Paper>
        <Group justify="center">
          <Preferences />
        </Group>
      </Stack>
    </Center>
  );
}

const focusWhenShown = (element: HTMLElement | null): void => element?.focus();

/** Wrong credentials are told under the field that has them, everything else above the button. */
const isWrong = (error: unknown): boolean =>
  error instanceof Refusal && (error.statusCode === 401 || error.statusCode === 400);

function PasswordStep({ onSignedIn, onCodeNeeded }: StepProps & { onCodeNeeded: () => void }) {
  const text = useTexts(signInTexts);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: async () => {
      const { twoFactorRedirect } = await authentication.signIn(email.trim(), password);
      if (twoFactorRedirect) onCodeNeeded();
      else await onSignedIn();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <Card title={text.title} about={text.about}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={text.email}
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => {
              setEmail(event.currentTarget.value);
            }}
          />
          <PasswordInput
            label={text.password}
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            error={isWrong(signIn.error) && text.wrong}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
            }}
          />
          {!isWrong(signIn.error) && <FailureAlert error={signIn.error} />}
          <Button type="submit" loading={signIn.isPending}>
            {text.enter}
          </Button>
          <Text size="xs" c="dimmed" ta="center">
            {text.help}
          </Text>
        </Stack>
      </form>
    </Card>
  );
}

function CodeStep({ onSignedIn, onBack }: StepProps & { onBack: () => void }) {
  const text = useTexts(signInTexts);
  const failureText = useFailureText();
  const [isBackup, setIsBackup] = useState(false);
  const [code, setCode] = useState('');
  const verify = useMutation({
    mutationFn: async () => {
      await (isBackup
        ? authentication.verifyBackupCode(code.trim())
        : authentication.verifyCode(code.trim()));
      await onSignedIn();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    verify.mutate();
  };
  const change = () => {
    setIsBackup(!isBackup);
    setCode('');
    verify.reset();
  };
  const error = verify.error && (isWrong(verify.error) ? text.wrongCode : failureText(verify.error));
  return (
    <Card title={text.codeTitle} about={isBackup ? text.backupAbout : text.codeAbout}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            key={String(isBackup)}
            label={isBackup ? text.backupCode : text.code}
            inputMode={isBackup ? 'text' : 'numeric'}
            autoComplete="one-time-code"
            ref={focusWhenShown}
            required
            withAsterisk={false}
            value={code}
            error={error}
            onChange={(event) => {
              setCode(event.currentTarget.value);
            }}
          />
          <Button type="submit" loading={verify.isPending}>
            {text.verify}
          </Button>
          <Button variant="subtle" onClick={change}>
            {isBackup ? text.useCode : text.useBackup}
          </Button>
          <Button variant="subtle" color="gray" onClick={onBack}>
            {text.back}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}

export function SignInPage({ onSignedIn }: StepProps) {
  const [isCodeNeeded, setIsCodeNeeded] = useState(false);
  if (!isCodeNeeded) {
    return (
      <PasswordStep
        onSignedIn={onSignedIn}
        onCodeNeeded={() => {
          setIsCodeNeeded(true);
        }}
      />
    );
  }
  return (
    <CodeStep
      onSignedIn={onSignedIn}
      onBack={() => {
        setIsCodeNeeded(false);
      }}
    />
  );
}
