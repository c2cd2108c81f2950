import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../base/language.tsx';
import { useSession } from '../../base/use-session.ts';
import { notify } from '../../base/use-service.ts';
import { authentication } from '../../sign-in/authentication.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { AuthenticatorStep } from './authenticator-step.tsx';
import { BackupCodes } from './backup-codes.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { BorderedSection } from '../../ui/page.tsx';
import { twoStepTexts } from './texts.ts';

type Step =
  | { at: 'enable' | 'disable' | 'newBackup' }
  | { at: 'authenticator'; uri: string; codes: string[] }
  | { at: 'backupCodes'; codes: string[] };

interface StepProps {
  step: Step;
  onStep: (step: Step | undefined) => void;
}

function DialogStep({ step, onStep }: StepProps) {
  const text = useTexts(twoStepTexts);
  const { refresh } = useSession();
  const close = () => {
    onStep(undefined);
    void refresh();
  };
  if (step.at === 'backupCodes') return <BackupCodes codes={step.codes} onDone={close} />;
  if (step.at === 'authenticator') {
    const toCodes = () => {
      notify(text.enabled);
      onStep({ at: 'backupCodes', codes: step.codes });
    };
    return <AuthenticatorStep uri={step.uri} onVerified={toCodes} onCancel={close} />;
  }
  const changes = {
    enable: async (password: string) => {
      const { totpURI, backupCodes } = await authentication.enableTwoFactor(password);
      onStep({ at: 'authenticator', uri: totpURI, codes: backupCodes });
    },
    disable: async (password: string) => {
      await authentication.disableTwoFactor(password);
      notify(text.disabled);
      close();
    },
    newBackup: async (password: string) => {
      const { backupCodes } = await authentication.newBackupCodes(password);
      onStep({ at: 'backupCodes', codes: backupCodes });
    },
  };
  return (
    <PasswordDialog key={step.at} submit={text[step.at]} change={changes[step.at]} onCancel={close}>
      {text[`${step.at}About`]}
    </PasswordDialog>
  );
}

/** The page that requires two-step verification continues with `onDone`. */
export function TwoStep({ onDone }: { onDone?: () => void }) {
  const text = useTexts(twoStepTexts);
  const { me } = useSession();
  const isOn = me.twoFactorEnabled;
  const [step, setStep] = useState<Step>();
  const button = (at: 'enable' | 'disable' | 'newBackup') => (
    <Button
      key={at}
      variant={at === 'enable' ? 'filled' : 'default'}
      onClick={() => {
        setStep({ at });
      }}
    >
      {text[at]}
    </Button>
  );
  const title = step?.at === 'backupCodes' || step?.at === 'newBackup' ? text.backupCodes : text.title;
  return (
    <BorderedSection title={text.title}>
      <Group gap="sm">
        <Badge variant="dot" color={isOn ? 'teal' : 'gray'} tt="none">
          {isOn ? text.on : text.off}
        </Badge>
        <Text size="sm" c="dimmed" flex="1 1 240px">
          {isOn ? text.onAbout : text.offAbout}
        </Text>
      </Group>
      <Group gap="xs">
        {!isOn && button('enable')}
        {isOn && onDone && <Button onClick={onDone}>{text.continue}</Button>}
        {isOn && !onDone && [button('disable'), button('newBackup')]}
      </Group>
      <Dialog
        opened={step !== undefined}
        onClose={() => {
          setStep(undefined);
        }}
        withCloseButton={step?.at !== 'backupCodes'}
        closeOnEscape={step?.at !== 'backupCodes'}
        title={title}
      >
        {step && <DialogStep step={step} onStep={setStep} />}
      </Dialog>
    </BorderedSection>
  );
}
