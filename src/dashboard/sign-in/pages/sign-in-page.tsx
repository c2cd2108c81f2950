import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { PasswordInput, TextInput } from '../../ui/inputs/fields.tsx';
import { ErrorAlert, useErrorMessage } from '../../ui/error-alert.tsx';
import { useTexts } from '../../base/language.tsx';
import { authentication } from '../authentication.ts';
import { isAtFields, useFieldErrors } from '../../ui/problems/use-problems.ts';
import { Card } from '../card.tsx';
import { EmailInput } from '../email-input.tsx';
import { signInTexts } from './sign-in-texts.ts';
import { ForgottenPassword, PasswordHelp } from './forgotten-password.tsx';
import { ProviderSignIn } from './provider-sign-in.tsx';
import { useTranslatedError } from '../use-translated-error.ts';

interface StepProps {
  onSignedIn: () => Promise<void>;
  /** The page that waits behind the sign-in is shown again to the same person. */
  hasTimedOut: boolean;
}

const focusWhenShown = (element: HTMLElement | null): void => element?.focus();

const fields = ['email', 'password'];

interface PasswordStepProps extends StepProps {
  onCodeNeeded: () => void;
  onForgotten: () => void;
}

function PasswordStep({ onSignedIn, hasTimedOut, onCodeNeeded, onForgotten }: PasswordStepProps) {
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
  const error = useTranslatedError()(signIn.error);
  const fieldError = useFieldErrors(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <Card title={text.title} about={hasTimedOut ? text.timedOut : text.about}>
      <form onSubmit={submit}>
        <Stack>
          <EmailInput value={email} onChange={setEmail} error={fieldError('email')} />
          <PasswordInput
            label={text.password}
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            error={fieldError('password')}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
            }}
          />
          {!isAtFields(error, fields) && <ErrorAlert error={error} fields={fields} />}
          <Button type="submit" loading={signIn.isPending}>
            {text.enter}
          </Button>
          <PasswordHelp onForgotten={onForgotten} />
          <ProviderSignIn />
        </Stack>
      </form>
    </Card>
  );
}

function CodeStep({ onSignedIn, onBack }: Pick<StepProps, 'onSignedIn'> & { onBack: () => void }) {
  const text = useTexts(signInTexts);
  const errorMessage = useErrorMessage();
  const translateError = useTranslatedError();
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
  const error = verify.error && errorMessage(translateError(verify.error));
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

export default function SignInPage({ onSignedIn, hasTimedOut }: StepProps) {
  const [isCodeNeeded, setIsCodeNeeded] = useState(false);
  const [isForgotten, { open, close }] = useDisclosure(false);
  if (isForgotten) return <ForgottenPassword onBack={close} />;
  if (!isCodeNeeded) {
    return (
      <PasswordStep
        onSignedIn={onSignedIn}
        hasTimedOut={hasTimedOut}
        onForgotten={open}
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
