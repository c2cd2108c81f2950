import { Stack } from '@mantine/core';
import { type ComponentType, type ReactNode, Suspense, useState } from 'react';
import { texts, useTexts } from '../../base/language.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Card } from '../card.tsx';
import { SignOutButton } from '../sign-out-button.tsx';

const messages = texts(
  {
    title: 'Proteja sua conta',
    about: (organization: string) =>
      `${organization} exige a verificação em duas etapas para a sua função. Ative-a para continuar.`,
  },
  {
    title: 'Protect your account',
    about: (organization: string) =>
      `${organization} requires two-step verification for your role. Enable it to continue.`,
  },
);

/** The profile has the part that enables it; `onDone` continues. */
export type TwoStepSetup = ComponentType<{ onDone: () => void }>;

interface Props {
  organizationName: string;
  isNeeded: boolean;
  twoStep: TwoStepSetup;
  children: ReactNode;
}

/** Stays open until the person continues: the backup codes are shown only once. */
export function SecondFactorGate({ organizationName, isNeeded, twoStep: TwoStep, children }: Props) {
  const text = useTexts(messages);
  const [isShown, setIsShown] = useState(isNeeded);
  if (isNeeded && !isShown) setIsShown(true);
  if (!isShown) return children;
  return (
    <Card title={text.title} about={text.about(organizationName)}>
      <Stack>
        <Suspense fallback={<Loading />}>
          <TwoStep
            onDone={() => {
              setIsShown(false);
            }}
          />
        </Suspense>
        <SignOutButton />
      </Stack>
    </Card>
  );
}
